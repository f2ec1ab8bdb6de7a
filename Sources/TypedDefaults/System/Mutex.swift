#if os(Linux) || os(Android)
  internal import Foundation

  /// Stands in for the mutex of `Synchronization`, which ends the process that `fork` or `daemon()` has
  /// made as soon as two threads want it: it knows the first thread by the number it had before. Nor
  /// does the thread sanitizer see what that one protects.
  struct Mutex<Value>: ~Copyable, @unchecked Sendable {  // `mutex` protects `value`.
    /// In one allocation, with the mutex at its start.
    private struct Contents {
      var mutex = pthread_mutex_t()
      var value: Value
    }

    private let contents = UnsafeMutablePointer<Contents>.allocate(capacity: 1)

    /// By its address, because an access to a member of what several threads share is a race to the sanitizer.
    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
      UnsafeMutableRawPointer(contents).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    init(_ value: consuming sending Value) {
      contents.initialize(to: Contents(value: value))
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      contents.deinitialize(count: 1)
      contents.deallocate()
    }

    func withLock<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R {
      lock()
      defer { unlock() }
      return try body(&contents.pointee.value)
    }

    func withLockIfAvailable<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { unlock() }
      return try body(&contents.pointee.value)
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
