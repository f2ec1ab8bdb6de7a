#if os(Linux) || os(Android)
  internal import Foundation

  /// A counting semaphore of the system.
  final class Semaphore: @unchecked Sendable {  // The system's semaphore is its own lock.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) == -1 {} }

    /// Waits for at most a time, which a change of the system's clock does not change.
    ///
    /// - Returns: Whether the semaphore was signalled.
    @discardableResult
    func wait(atMost duration: Duration) -> Bool {
      guard duration > .zero, let clockWait = Self.clockWait else { return poll(for: duration) }
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let time = (.seconds(end.tv_sec) + .nanoseconds(end.tv_nsec) + duration).components
      end = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.attoseconds / 1_000_000_000))
      while clockWait(semaphore, CLOCK_MONOTONIC, &end) == -1 {
        guard errno == EINTR else { return false }
      }
      return true
    }

    private func poll(for duration: Duration) -> Bool {
      let end = ContinuousClock.now + duration
      while sem_trywait(semaphore) == -1 {
        guard .now < end else { return false }
        Duration.milliseconds(5).sleep()
      }
      return true
    }

    private typealias ClockWait =
      @convention(c) (UnsafeMutablePointer<sem_t>, clockid_t, UnsafePointer<timespec>) -> CInt

    /// Looked up by name, because Swift does not import it, and some C libraries do not have it.
    private static let clockWait = dlsym(nil, "sem_clockwait").map {
      unsafeBitCast($0, to: ClockWait.self)
    }
  }

  extension Duration {
    /// Lets the thread sleep for this time, or until a signal interrupts it.
    func sleep() {
      if self > .zero { usleep(useconds_t(self / .microseconds(1))) }
    }
  }
#endif
