internal import Foundation
internal import Synchronization

/// Calls that leave the library, to the issue handler and to listeners, made while no lock is held:
/// at once, or as soon as the thread has released the last lock of a key.
enum Unlocked {
  typealias Call = @Sendable () -> Void

  private struct Waiting {
    var calls: [Call] = []
    var owners: Set<ObjectIdentifier> = []
  }

  /// The calls that wait, for each thread that holds a lock.
  private static let waiting = Mutex<[ObjectIdentifier: Waiting]>([:])

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// - Parameter owner: Of several calls with one owner that wait on one thread, the first is made.
  ///   The call holds on to its owner.
  static func perform(onceFor owner: AnyObject? = nil, _ call: @escaping Call) {
    let thread = thread
    let owner = owner.map(ObjectIdentifier.init)
    let waits = waiting.withLock {
      guard $0[thread] != nil else { return false }
      if let owner, $0[thread]?.owners.insert(owner).inserted == false { return true }
      $0[thread]?.calls.append(call)
      return true
    }
    if !waits { call() }
  }

  /// Runs a body that takes and releases a lock, and then, if it is the thread's outermost such
  /// body, what it has collected.
  static func collecting<R>(_ body: () throws -> R) rethrows -> R {
    let thread = thread
    let isOutermost = waiting.withLock {
      guard $0[thread] == nil else { return false }
      $0[thread] = Waiting()
      return true
    }
    guard isOutermost else { return try body() }
    defer {
      for call in waiting.withLock({ $0.removeValue(forKey: thread) })?.calls ?? [] { call() }
    }
    return try body()
  }
}
