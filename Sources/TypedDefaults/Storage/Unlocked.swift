internal import Foundation
internal import Synchronization

/// Calls that leave the library, to the issue handler and to listeners, made while no lock is held: at
/// once, or as soon as the thread has released the last lock of a key.
///
/// What a call leads to waits until it has returned: an observer that sets its own setting would else
/// be called again before Observation has taken it off its list, and so without end.
enum Unlocked {
  typealias Call = @Sendable () -> Void

  /// The calls that wait, for each thread that holds a lock or makes such a call.
  private static let waiting = Mutex<[ObjectIdentifier: [(owner: ObjectIdentifier?, call: Call)]]>(
    [:])

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// - Parameter owner: Of several calls with one owner that wait on one thread, one is made. The call
  ///   holds on to its owner.
  static func perform(onceFor owner: AnyObject? = nil, _ call: @escaping Call) {
    let owner = owner.map(ObjectIdentifier.init)
    let thread = thread
    collecting {
      waiting.withLock {
        if let owner, $0[thread]!.contains(where: { $0.owner == owner }) { return }
        $0[thread]!.append((owner, call))
      }
    }
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
      while let call = nextCall(of: thread) { call() }
    }
    return try body()
  }

  private static func nextCall(of thread: ObjectIdentifier) -> Call? {
    waiting.withLock {
      if $0[thread]!.isEmpty {
        $0[thread] = nil
        return nil
      }
      return $0[thread]!.removeFirst().call
    }
  }
}
