internal import Foundation
internal import Synchronization

/// Calls that leave the library, to the issue handler and to listeners, made while no lock is held:
/// at once, or as soon as the thread has released the last lock of a key.
enum Unlocked {
  typealias Call = @Sendable () -> Void

  /// The calls that wait, for each thread that holds a lock.
  private static let waiting = Mutex<[ObjectIdentifier: [Call]]>([:])

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  static func perform(_ call: @escaping Call) {
    let thread = thread
    let waits = waiting.withLock { $0[thread]?.append(call) != nil }
    if !waits { call() }
  }

  /// Runs a body that takes and releases a lock, and then, if it is the thread's outermost such
  /// body, what it has collected.
  static func collecting<R>(_ body: () throws -> R) rethrows -> R {
    let thread = thread
    let isOutermost = waiting.withLock {
      guard $0[thread] == nil else { return false }
      $0[thread] = []
      return true
    }
    guard isOutermost else { return try body() }
    defer {
      for call in waiting.withLock({ $0.removeValue(forKey: thread) }) ?? [] { call() }
    }
    return try body()
  }
}
