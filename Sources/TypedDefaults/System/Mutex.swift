#if os(Linux) || os(Android)
  internal import Foundation

  /// A replacement for the mutex of `Synchronization`, which remembers the number of the first
  /// thread. After `daemon()` that number is another one, and the process ends as soon as two threads
  /// want the mutex. Also, the thread sanitizer does not know what that mutex protects.
  final class Mutex<Value>: @unchecked Sendable {  // `mutex` protects `value`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
      self.value.initialize(to: value)
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    func withLock<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#endif
