/// What this process changes in one suite, and the way of each key from changed to saved: begun,
/// changed, taken, and if it could not be saved, put back.
struct PendingChanges {
  typealias Objects = [String: PropertyListObject?]

  /// Keys whose memory is just being changed: one for each thread that does so.
  private var begun: [String] = []
  /// What waits for the end of the transaction that changed it last.
  private var held: [String: (object: PropertyListObject?, transaction: Transaction.ID)] = [:]
  private var changed: Objects = [:]
  /// What is being saved.
  private var taken: Objects = [:]
  private var isMemoryMarked = false
  /// Whether the saving thread will look at this.
  private var isScheduled = false

  /// Notes that a key's memory is about to change.
  mutating func begin(_ key: String) {
    begun.append(key)
  }

  /// Notes that a key's memory has changed; nil is a removal. What a transaction changes waits for its
  /// end.
  mutating func end(
    _ key: String, _ object: PropertyListObject?, inside transaction: Transaction.ID? = nil
  ) {
    // One entry of several: another thread may have begun with a key of the same name.
    begun.firstIndex(of: key).map { _ = begun.remove(at: $0) }
    if let transaction {
      held[key] = (object, transaction)
    } else {
      held[key] = nil
      changed[key] = .some(object)
    }
  }

  /// Takes for changed what a transaction has changed last.
  mutating func end(_ transaction: Transaction.ID) {
    for (key, change) in held where change.transaction == transaction {
      changed[key] = .some(change.object)
      held[key] = nil
    }
  }

  /// Whether there is anything to save.
  var isEmpty: Bool { changed.isEmpty && !isMemoryMarked }

  /// - Returns: Whether the saving thread must be told.
  mutating func schedule() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Gives what is to be saved, which counts as saved unless it is put back.
  mutating func take() -> Objects {
    isScheduled = false
    (taken, changed) = (changed, [:])
    return taken
  }

  /// Takes back what could not be saved, except for what has been changed again.
  mutating func putBack() {
    changed.merge(taken) { newer, _ in newer }
    taken = [:]
  }

  /// Whether what another process stores for a key must not replace what is in memory.
  func isOwn(_ key: String) -> Bool {
    begun.contains(key) || held[key] != nil || changed[key] != nil || taken[key] != nil
  }

  // MARK: Changes that nobody has noted

  /// Notes that memory has changed in a way which is still to be looked at.
  mutating func markMemory() {
    isMemoryMarked = true
  }

  /// Takes for changed what is in memory and not saved, if memory has been marked. What was pending
  /// and is not in memory any more has been changed with it.
  mutating func addMarkedMemory(
    _ objects: @autoclosure () -> [String: PropertyListObject], unlike saved: PreferencesContents
  ) {
    guard isMemoryMarked else { return }
    isMemoryMarked = false
    let objects = objects()
    for key in Set(objects.keys).union(saved.keys).union(changed.keys).subtracting(begun)
      .subtracting(held.keys)
    {
      let object = objects[key]
      changed[key] = object == saved[key] ? nil : .some(object)
    }
  }
}
