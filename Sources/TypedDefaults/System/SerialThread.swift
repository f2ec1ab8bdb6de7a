#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// A thread that does one job after another. It starts with the first job, and in a forked child
  /// again.
  ///
  /// It is none of a dispatch queue's, which a program may starve, or end on.
  final class SerialThread: Sendable {
    typealias Job = @Sendable () -> Void

    private struct Jobs {
      var waiting: [(job: Job, isUrgent: Bool)] = []
      var urgent = 0
      var later: [(due: ContinuousClock.Instant, job: Job)] = []

      mutating func next() -> Job? {
        if !waiting.isEmpty {
          let (job, isUrgent) = waiting.removeFirst()
          urgent -= isUrgent ? 1 : 0
          return job
        }
        return later.firstIndex { $0.due <= .now }.map { later.remove(at: $0).job }
      }
    }

    private let name: String
    private let jobs = Mutex(Jobs())
    private let identifier = Mutex<pthread_t?>(nil)
    private let wake = Semaphore()
    private let atExit: Job
    private let isExiting = Atomic(false)
    private let hasStarted = Atomic(false)

    /// - Parameters:
    ///   - name: Shown by the system's tools: at most 15 bytes, which is all that the kernel keeps.
    ///   - atExit: What ``startExit()`` makes the thread do before any other job.
    init(name: String, atExit: @escaping Job = {}) {
      self.name = name
      self.atExit = atExit
      Fork.handle(
        .init(
          lock: { [self] in jobs.lock() },
          unlock: { [self] in jobs.unlock() },
          inChild: { [self] in
            hasStarted.store(false, ordering: .relaxed)
            identifier.withLock { $0 = nil }
            if jobs.withLock({ !$0.waiting.isEmpty || !$0.later.isEmpty }) { start() }
          }))
    }

    /// Makes the thread do a job. An urgent one ends a rest.
    func perform(urgently isUrgent: Bool = false, _ job: @escaping Job) {
      jobs.withLock {
        $0.waiting.append((job, isUrgent))
        $0.urgent += isUrgent ? 1 : 0
      }
      wake.signal()
      start()
    }

    /// Makes the thread do a job after a time.
    func perform(after delay: Duration, _ job: @escaping Job) {
      jobs.withLock { $0.later.append((.now + delay, job)) }
      wake.signal()
      start()
    }

    /// Makes the thread do what it must before the process ends. As `exit` may be called anywhere, in
    /// a signal handler too, this takes no lock.
    func startExit() {
      isExiting.store(true, ordering: .sequentiallyConsistent)
      wake.signal()
    }

    /// Keeps the thread, on which it is called, from other jobs for a time, unless one is urgent.
    func rest(for duration: Duration) {
      let end = ContinuousClock.now + duration
      while !isExiting.load(ordering: .sequentiallyConsistent),
        jobs.withLock({ $0.urgent == 0 }),
        case let rest = end - .now, rest > .zero
      {
        wake.wait(atMost: rest)
      }
    }

    /// Whether this is called on the thread. Takes no lock that has to be waited for.
    var isCurrent: Bool {
      identifier.withLockIfAvailable { $0.map { pthread_equal($0, pthread_self()) != 0 } }
        .flatMap { $0 } ?? false
    }

    /// For how long the thread has used a processor. Takes no lock that has to be waited for.
    var processorTime: Duration {
      var clock = clockid_t()
      var time = timespec()
      let isKnown = identifier.withLockIfAvailable { identifier in
        identifier.map { pthread_getcpuclockid($0, &clock) } == 0
      }
      guard isKnown == true, clock_gettime(clock, &time) == 0 else { return .zero }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: Starting

    /// Whether there is the thread.
    var isStarted: Bool { hasStarted.load(ordering: .acquiring) }

    /// Starts the thread, if need be.
    ///
    /// - Returns: Whether there is one: the system may grant no more.
    @discardableResult
    func start() -> Bool {
      if isStarted { return true }
      return identifier.withLock { identifier in
        if isStarted { return true }
        identifier = launch()
        hasStarted.store(identifier != nil, ordering: .releasing)
        return isStarted
      }
    }

    private func launch() -> pthread_t? {
      // Signals are for the program's own threads, from the first moment of this one. So is what a
      // limit of the file size would do to the process: here, the write just fails.
      var signals = sigset_t()
      var old = sigset_t()
      sigfillset(&signals)
      for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
        sigdelset(&signals, signal)
      }
      pthread_sigmask(SIG_BLOCK, &signals, &old)
      defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
      let context = Unmanaged.passRetained(self)
      #if canImport(Musl)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let error = pthread_create(
        &thread, nil,
        { context in
          Unmanaged<SerialThread>.fromOpaque(context!).takeRetainedValue().run()
          return nil
        }, context.toOpaque())
      guard error == 0 else {
        context.release()
        return nil
      }
      pthread_detach(thread)
      return thread
    }

    private func run() {
      Thread.current.name = name
      identifier.withLock { _ in }  // Known from here on.
      while true {
        if isExiting.exchange(false, ordering: .sequentiallyConsistent) { atExit() }
        let (job, due) = jobs.withLock { ($0.next(), $0.later.map(\.due).min()) }
        if let job {
          job()
        } else if let due {
          wake.wait(atMost: due - .now)
        } else {
          wake.wait()
        }
      }
    }
  }
#endif
