#if os(Linux) || os(Android)
  internal import Foundation

  /// Stands in for the mutex of `Synchronization`, which ends the process that `fork` or `daemon()` has
  /// made as soon as two threads want it: it knows the first thread by the number it had before. Nor
  /// does the thread sanitizer see what that one protects.
  struct Mutex<Value>: ~Copyable, @unchecked Sendable {  // `mutex` protects `value`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
      pthread_mutex_init(mutex, nil)
      self.value.initialize(to: value)
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
      lock()
      defer { unlock() }
      return try body(&value.pointee)
    }

    func withLockIfAvailable<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { unlock() }
      return try body(&value.pointee)
    }

    /// For a lock that is held from before a `fork` until after it.
    func lock() {
      pthread_mutex_lock(mutex)
    }

    func unlock() {
      pthread_mutex_unlock(mutex)
    }
  }
#endif
