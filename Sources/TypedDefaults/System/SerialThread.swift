#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// A thread that does one job after another.
  ///
  /// It is none of a dispatch queue's, which a program may starve, or end on.
  final class SerialThread: Sendable {
    typealias Job = @Sendable () -> Void

    private struct Jobs {
      var waiting: [(job: Job, isUrgent: Bool)] = []
      var urgent = 0

      mutating func next() -> Job? {
        guard !waiting.isEmpty else { return nil }
        let (job, isUrgent) = waiting.removeFirst()
        urgent -= isUrgent ? 1 : 0
        return job
      }
    }

    private let jobs = Mutex(Jobs())
    private let identifier = Mutex<pthread_t?>(nil)
    private let wake = Semaphore()
    private let atExit: Job
    private let isExiting = Atomic(false)

    /// - Parameters:
    ///   - name: At most 15 bytes, which is all that the kernel keeps.
    ///   - atExit: What ``startExit()`` makes the thread do before any other job.
    init(name: String, atExit: @escaping Job = {}) {
      self.atExit = atExit
      let thread = Thread { [self] in run() }
      thread.start()
      // Shown by the system's tools, but lost if it is set before `start` has returned.
      thread.name = name
    }

    /// Makes the thread do a job. An urgent one ends a rest.
    func perform(urgently isUrgent: Bool = false, _ job: @escaping Job) {
      jobs.withLock {
        $0.waiting.append((job, isUrgent))
        $0.urgent += isUrgent ? 1 : 0
      }
      wake.signal()
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

    private func run() {
      // Signals are for the program's own threads. So is what a limit of the file size would do to
      // the process: here, the write just fails.
      var signals = sigset_t()
      sigfillset(&signals)
      for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
        sigdelset(&signals, signal)
      }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      identifier.withLock { $0 = pthread_self() }
      while true {
        if isExiting.exchange(false, ordering: .sequentiallyConsistent) { atExit() }
        if let job = jobs.withLock({ $0.next() }) {
          job()
        } else {
          wake.wait()
        }
      }
    }
  }
#endif
