#if os(Linux) || os(Android)
  internal import Foundation

  /// A replacement for the mutex of `Synchronization`, which remembers the number of the first
  /// thread. After `fork` or `daemon()` that number is another one, and the child ends as soon as
  /// two threads want the mutex. Also, the thread sanitizer does not know what that mutex protects.
  struct Mutex<Value>: ~Copyable, @unchecked Sendable {  // `mutex` protects `value`.
    /// The mutex and the value in one allocation, the mutex first.
    private struct Contents {
      var mutex = pthread_mutex_t()
      var value: Value
    }

    private let contents = UnsafeMutablePointer<Contents>.allocate(capacity: 1)

    /// Found by address: to the sanitizer, access to a member of the shared structure is a race.
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

    func withLock<R: ~Copyable, E: Error>(
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
