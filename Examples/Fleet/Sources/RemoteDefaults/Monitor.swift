internal import Foundation

typealias Instant = ContinuousClock.Instant

/// A lock and its condition, whose deadlines do not follow steps of the wall clock. Foundation's
/// conditions do.
final class Monitor: @unchecked Sendable {  // It is the lock.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<R>(_ body: () throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a broadcast, or until a deadline, or for no reason. The caller holds the lock.
  func wait(until deadline: Instant?) {
    guard let deadline else {
      pthread_cond_wait(condition, mutex)
      return
    }
    let left = min(max(.zero, deadline - .now), .seconds(3600)).components
    var time = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
    #if canImport(Darwin)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      time.tv_sec += now.tv_sec + (time.tv_nsec + now.tv_nsec) / 1_000_000_000
      time.tv_nsec = (time.tv_nsec + now.tv_nsec) % 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
