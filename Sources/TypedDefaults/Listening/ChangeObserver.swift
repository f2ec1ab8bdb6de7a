internal import Synchronization

/// A listener that receives each different value of its keys.
protocol ChangeObserver: AnyObject, Sendable {
  /// Notes a change, before the thread makes the next one.
  func note()

  /// Calls the function for all noted changes, while no lock is held.
  func call()

  /// Makes no more calls, and releases the function.
  func cancel()
}

/// Calls a function with what was seen before and after each change, in order and one at a time.
///
/// A thread that has made a change calls the function, unless another thread is calling it. That one makes
/// the other's calls too.
final class ValueObserver<Seen: Equatable & Sendable, Value: Sendable>: ChangeObserver {
  typealias Action = @Sendable (_ old: Value, _ new: Value) -> Void

  private let isHeldUp: @Sendable () -> Bool
  private let look: @Sendable () -> Seen
  private let value: @Sendable (Seen) -> Value
  private let latest = LatestLook<Seen>()

  private struct Waiting {
    var seen: [Seen] = []
    var isCalling = false
    var action: Action?
    /// The value that the function received last.
    var last: Value
  }

  /// The number of changes that may wait. Beyond it, the oldest becomes part of the next one.
  private static var limit: Int { 1000 }

  private let waiting: Mutex<Waiting>

  /// - Parameters:
  ///   - isHeldUp: Whether this thread is in a transaction, whose changes are told at its end.
  ///   - look: Returns the objects of the keys, of one moment.
  ///   - value: Returns the value of the objects.
  ///   - action: Receives the value before a change of the objects and the value after it, which may
  ///     be equal.
  init(
    isHeldUp: @escaping @Sendable () -> Bool, look: @escaping @Sendable () -> Seen,
    value: @escaping @Sendable (Seen) -> Value, action: @escaping Action
  ) {
    (self.isHeldUp, self.look, self.value) = (isHeldUp, look, value)
    let seen = look()
    waiting = Mutex(Waiting(action: action, last: value(seen)))
    latest.changes { seen }
  }

  func note() {
    if isHeldUp() { return }
    latest.changes(look) { seen in
      waiting.withLock { waiting in
        if waiting.seen.count == Self.limit { waiting.seen.removeFirst() }
        waiting.seen.append(seen)
      }
    }
  }

  func call() {
    note()
    let isFirst = waiting.withLock { waiting in
      defer { waiting.isCalling = true }
      return !waiting.isCalling
    }
    while isFirst, let action = action() {
      let new = value(waiting.withLock { $0.seen.removeFirst() })
      let old = waiting.withLock { waiting in
        defer { waiting.last = new }
        return waiting.last
      }
      action(old, new)
    }
  }

  /// Returns the function. If no change waits, ends the calls and returns nil.
  private func action() -> Action? {
    waiting.withLock { waiting in
      waiting.isCalling = !waiting.seen.isEmpty && waiting.action != nil
      return waiting.isCalling ? waiting.action : nil
    }
  }

  func cancel() {
    // Released outside the lock, because the program's code may run in a `deinit`.
    var released: Action?
    waiting.withLock { swap(&$0.action, &released) }
  }
}
