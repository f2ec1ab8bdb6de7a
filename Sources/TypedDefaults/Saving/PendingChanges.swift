/// The unsaved changes of this process in one suite. A key is begun, then changed, then taken to be
/// saved, and put back if the save fails.
struct PendingChanges {
  typealias Objects = [String: PropertyListObject?]
  /// What holds changes back until it ends, such as a transaction.
  typealias Token = ObjectIdentifier

  /// The keys whose memory is being changed, one entry for each thread.
  private var begun: [String] = []
  /// The changes that wait for the end of their token.
  private var held: [String: (object: PropertyListObject?, token: Token)] = [:]
  private var changed: Objects = [:]
  /// The changes that are being saved.
  private var taken: Objects = [:]
  private var isMemoryMarked = false
  /// Whether the saving thread is going to look for changes.
  private var isScheduled = false

  /// Notes that a key's memory is about to change.
  mutating func begin(_ key: String) {
    begun.append(key)
  }

  /// Notes that a key's memory has changed; nil is a removal. A change with a token waits for the
  /// token's end.
  mutating func end(_ key: String, _ object: PropertyListObject?, heldBy token: Token? = nil) {
    // One entry of several: another thread may have begun with a key of the same name.
    begun.firstIndex(of: key).map { _ = begun.remove(at: $0) }
    if let token {
      held[key] = (object, token)
    } else {
      held[key] = nil
      changed[key] = .some(object)
    }
  }

  /// Releases the changes that a token has held.
  mutating func end(_ token: Token) {
    for (key, change) in held where change.token == token {
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

  /// Returns the changes to save, which count as saved unless they are put back.
  mutating func take() -> Objects {
    isScheduled = false
    (taken, changed) = (changed, [:])
    return taken
  }

  /// Takes back the changes that could not be saved, except for keys that have changed again.
  mutating func putBack() {
    changed.merge(taken) { newer, _ in newer }
    taken = [:]
  }

  /// Whether this process has an unsaved change of a key, which wins over that of another process.
  func isOwn(_ key: String) -> Bool {
    begun.contains(key) || held[key] != nil || changed[key] != nil || taken[key] != nil
  }

  // MARK: Changes of whole domains

  /// Notes that any key may have changed in memory.
  mutating func markMemory() {
    isMemoryMarked = true
  }

  /// If memory is marked, takes each difference between memory and the saved contents as a change.
  /// Memory wins over changes that are pending.
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
