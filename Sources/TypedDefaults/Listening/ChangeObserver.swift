internal import Foundation
internal import Synchronization

/// A listener that receives each different value of a key.
class ChangeObserver: @unchecked Sendable {  // Its one subclass is `Sendable`.
  /// Notes a change, before the thread makes the next one.
  func note() {}

  /// Calls the function for all noted changes, while no lock is held.
  func call() {}

  /// Makes no more calls, and releases the function.
  func cancel() {}
}

/// Calls a function with each different value of a key, in order and one at a time.
final class ValueObserver<Seen: Equatable & Sendable, Value: Sendable>: ChangeObserver,
  @unchecked Sendable  // `waiting` protects what changes.
{
  typealias Told = (Value, stored: PropertyListObject?)

  private let isHeldUp: @Sendable () -> Bool
  private let look: @Sendable () -> Seen
  private let value: @Sendable (Seen) -> Told
  private let latest = LatestLook<Seen>()

  private struct Waiting {
    /// What was seen, and by which thread.
    var seen: [(seen: Seen, thread: ObjectIdentifier)] = []
    var isCalling = false
    var action: (@Sendable (_ old: Value, _ new: Value) -> Void)?
  }

  /// The number of changes that may wait. Beyond it, the oldest becomes part of the next one.
  private static var limit: Int { 1000 }

  /// The time for which a thread of the program makes calls of other threads.
  private static var patience: Duration { .milliseconds(50) }

  private let waiting: Mutex<Waiting>
  private let last: Mutex<Told>

  /// - Parameters:
  ///   - isHeldUp: Whether this thread is in a transaction, whose changes are told at its end.
  ///   - look: Returns the objects of the key.
  ///   - value: Returns the value of the objects, and the value's stored form.
  ///   - action: Receives the value before a change and the value after it.
  init(
    isHeldUp: @escaping @Sendable () -> Bool, look: @escaping @Sendable () -> Seen,
    value: @escaping @Sendable (Seen) -> Told,
    action: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) {
    (self.isHeldUp, self.look, self.value) = (isHeldUp, look, value)
    let seen = look()
    waiting = Mutex(Waiting(action: action))
    last = Mutex(value(seen))
    super.init()
    latest.changes { seen }
  }

  override func note() {
    if isHeldUp() { return }
    latest.changes(look) { seen in
      waiting.withLock { waiting in
        if waiting.seen.count == Self.limit { waiting.seen.removeFirst() }
        waiting.seen.append((seen, Self.thread))
      }
    }
  }

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// A thread that comes meanwhile leaves its calls to this one. If there are too many, a thread of
  /// the system's makes the rest, except for this thread's own.
  override func call() {
    note()
    let isFirst = waiting.withLock { waiting in
      defer { waiting.isCalling = true }
      return !waiting.isCalling
    }
    guard isFirst else { return }
    let (thread, end) = (Self.thread, ContinuousClock.now + Self.patience)
    makeCalls { $0.contains { $0.thread == thread } || .now < end }
  }

  private func makeCalls(
    while mayCall: ([(seen: Seen, thread: ObjectIdentifier)]) -> Bool = { _ in true }
  ) {
    while waiting.withLock({ mayCall($0.seen) }) {
      guard let (seen, action) = next() else { return }
      let new = value(seen)
      let old = last.withLock { last in
        defer { last = new }
        return last
      }
      if old.stored != new.stored, !areEqual(old.0, new.0, as: Value.self) { action(old.0, new.0) }
    }
    if waiting.withLock({ end(&$0) }) { return }
    Thread.detachNewThread { self.makeCalls() }
  }

  private func next() -> (Seen, @Sendable (_ old: Value, _ new: Value) -> Void)? {
    waiting.withLock { waiting in
      guard !end(&waiting), let action = waiting.action else { return nil }
      return (waiting.seen.removeFirst().seen, action)
    }
  }

  /// Ends the calls if no change waits.
  private func end(_ waiting: inout Waiting) -> Bool {
    let isOver = waiting.seen.isEmpty || waiting.action == nil
    if isOver { waiting.isCalling = false }
    return isOver
  }

  override func cancel() {
    // Released outside the lock, because the program's code may run in a `deinit`.
    _ = waiting.withLock { waiting in
      defer { waiting.action = nil }
      return waiting.action
    }
  }
}
