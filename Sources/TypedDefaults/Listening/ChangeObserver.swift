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
  ///   - isHeldUp: Whether this thread is in a transaction, whose changes are told at its end.
  ///   - look: Returns the object of the key.
  ///   - value: Returns the value of an object, and the value's stored form.
  ///   - call: Receives the value before a change and the value after it.
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

  /// Notes the object after each change, before the thread makes the next one.
  func note() {
    if isHeldUp() { return }
    latest.changes(look) { object in calls.withLock { $0.objects.append(object) } }
  }

  /// Calls the function for all noted objects, while no lock is held. A thread that comes meanwhile
  /// leaves its calls to this one.
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

  /// Makes no more calls, and releases the function.
  func cancel() {
    // Released outside the lock, because the program's code may run in a `deinit`.
    _ = calls.withLock { calls in
      defer { calls.call = nil }
      return calls.call
    }
  }
}
