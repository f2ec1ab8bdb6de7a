#if SANITIZED_MUTEX
  internal import Foundation

  /// Stands in for the mutex of `Synchronization` where the thread sanitizer runs. On Linux the kernel
  /// hands that one from thread to thread when there is contention, which the sanitizer does not see,
  /// so it takes everything under it for a race:
  ///
  ///     swift test --sanitize=thread -Xswiftc -DSANITIZED_MUTEX
  final class Mutex<Value>: @unchecked Sendable {  // `lock` protects `value`.
    private let lock = NSLock()
    private nonisolated(unsafe) var value: Value

    init(_ value: consuming sending Value) {
      self.value = value
    }

    func withLock<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }

    func withLockIfAvailable<R, E: Error>(
      _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R? {
      guard lock.try() else { return nil }
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#endif
