internal import Synchronization

/// Calls a function with each different value of a key, in order and one at a time.
final class ChangeObserver: Sendable {
  private let isHeldUp: @Sendable () -> Bool
  private let look: @Sendable () -> PropertyListObject?
  private let latest = LatestObject()

  private struct Calls {
    var objects: [PropertyListObject?] = []
    var isCalling = false
    var call: (@Sendable (PropertyListObject?) -> Void)?
  }

  private let calls = Mutex(Calls())

  /// - Parameters:
  ///   - isHeldUp: Whether the changes that this thread makes are not to be told one by one.
  ///   - look: Returns the object of the key.
  ///   - value: Returns the value of an object, and the form in which it is, or would be, stored.
  ///   - call: Called with the value before a change and the one after it.
  init<Value: Sendable>(
    isHeldUp: @escaping @Sendable () -> Bool, look: @escaping @Sendable () -> PropertyListObject?,
    value: @escaping @Sendable (PropertyListObject?) -> (Value, stored: PropertyListObject?),
    call: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) {
    (self.isHeldUp, self.look) = (isHeldUp, look)
    let object = look()
    latest.changes { object }
    let last = Mutex(value(object))
    calls.withLock {
      $0.call = { object in
        let new = value(object)
        let old = last.withLock { last in
          defer { last = new }
          return last
        }
        if old.stored == new.stored || areEqual(old.0, new.0, as: Value.self) { return }
        call(old.0, new.0)
      }
    }
  }

  /// Called at each change, before the next one of this thread.
  func note() {
    if isHeldUp() { return }
    latest.changes(look) { object in calls.withLock { $0.objects.append(object) } }
  }

  /// Called once no lock is held. While one thread calls the function, others leave it to that one.
  func callForAll() {
    note()
    let isFirst = calls.withLock { calls in
      defer { calls.isCalling = true }
      return !calls.isCalling
    }
    guard isFirst else { return }
    while let next = next() { next.call(next.object) }
  }

  private func next() -> (
    object: PropertyListObject?, call: @Sendable (PropertyListObject?) -> Void
  )? {
    calls.withLock { calls in
      guard let call = calls.call, !calls.objects.isEmpty else {
        calls.isCalling = false
        return nil
      }
      return (calls.objects.removeFirst(), call)
    }
  }

  /// Calls no more, and lets the function go.
  func cancel() {
    // Given up outside the lock, because what it holds may have code of the program's in its end.
    _ = calls.withLock { calls in
      defer { calls.call = nil }
      return calls.call
    }
  }
}
