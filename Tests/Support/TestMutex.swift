import Foundation

/// A value for several threads. Both `Synchronization` and the library have a `Mutex`, which
/// older compilers cannot tell apart, and the thread sanitizer does not know the lock of the first one.
final class TestMutex<Value>: @unchecked Sendable {  // `lock` protects `value`.
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock { try body(&value) }
  }
}
