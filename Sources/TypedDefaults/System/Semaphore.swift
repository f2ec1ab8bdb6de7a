#if os(Linux) || os(Android)
  internal import Foundation

  /// A counting semaphore of the system, which may be signalled in a signal handler.
  final class Semaphore: @unchecked Sendable {  // The system's semaphore is its own lock.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
      sem_init(semaphore, 0, 0)
    }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func signal() {
      sem_post(semaphore)
    }

    func wait() {
      while sem_wait(semaphore) == -1 {}
    }

    /// Waits for at most a time. If the clock is set back meanwhile, the wait is longer.
    ///
    /// - Returns: Whether the semaphore was signalled.
    @discardableResult
    func wait(atMost duration: Duration) -> Bool {
      let nanosecondsPerSecond = 1_000_000_000
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      let (seconds, attoseconds) = duration.components
      end.tv_sec += Int(seconds)
      end.tv_nsec += Int(attoseconds / 1_000_000_000)
      if end.tv_nsec >= nanosecondsPerSecond {
        end.tv_sec += 1
        end.tv_nsec -= nanosecondsPerSecond
      }
      while sem_timedwait(semaphore, &end) == -1 {
        guard errno == EINTR else { return false }
      }
      return true
    }
  }
#endif
