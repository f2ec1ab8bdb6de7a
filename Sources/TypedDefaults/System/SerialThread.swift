#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// A thread that does one job after another. It starts with the first job, and again in a forked
  /// child.
  ///
  /// A dispatch queue would not do: a program may starve its threads, or call `exit` on one of
  /// them.
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
    ///   - name: The name for the system's tools, of at most 15 bytes: the kernel keeps no more.
    ///   - atExit: The job that ``startExit()`` puts before all others.
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

    /// Starts the job for the end of the process. Takes no lock, because `exit` may be called
    /// anywhere, even in a signal handler.
    func startExit() {
      isExiting.store(true, ordering: .sequentiallyConsistent)
      wake.signal()
    }

    /// Lets the thread, which calls this, rest for a time, or until a job is urgent.
    func rest(for duration: Duration) {
      let end = ContinuousClock.now + duration
      while !isExiting.load(ordering: .sequentiallyConsistent),
        jobs.withLock({ $0.urgent == 0 }),
        case let rest = end - .now, rest > .zero
      {
        wake.wait(atMost: rest)
      }
    }

    /// Whether this thread is the current one. Waits for no lock.
    var isCurrent: Bool {
      identifier.withLockIfAvailable { $0.map { pthread_equal($0, pthread_self()) != 0 } }
        .flatMap { $0 } ?? false
    }

    /// The processor time that the thread has used. Waits for no lock.
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

    /// Whether the thread is running.
    var isStarted: Bool { hasStarted.load(ordering: .acquiring) }

    /// Starts the thread unless it is running.
    ///
    /// - Returns: Whether the thread is running: the system may refuse a new one.
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
      // Signals are for the program's own threads. With SIGXFSZ blocked, a write beyond the
      // file-size limit fails instead of ending the process.
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
      identifier.withLock { _ in }  // Waits until `start` has set it.
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
