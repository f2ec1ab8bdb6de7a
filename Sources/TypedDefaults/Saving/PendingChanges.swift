/// The unsaved changes of this process in one suite. A key is begun, then changed, then taken to be
/// saved, and put back if the save fails.
struct PendingChanges {
  typealias Objects = [String: PropertyListObject?]
  /// What holds changes back until it ends, such as a transaction.
  typealias Token = ObjectIdentifier

  private struct Held {
    let object: PropertyListObject?
    let token: Token
    /// What another process has changed the key to meanwhile, if it has.
    var news: PropertyListObject??
  }

  /// The keys whose memory is being changed, one entry for each thread.
  private var begun: [String] = []
  /// The changes that wait for the end of their token.
  private var held: [String: Held] = [:]
  private var changed: Objects = [:]
  /// The changes that are being saved.
  private var taken: Objects = [:]
  private var isMemoryMarked = false

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
      held[key] = Held(object: object, token: token, news: held[key]?.news)
    } else {
      held[key] = nil
      changed[key] = .some(object)
    }
  }

  /// Releases the changes that a token has held.
  mutating func end(_ token: Token) {
    for (key, change) in objects(heldBy: token) { changed[key] = .some(change) }
    forget(token)
  }

  /// Drops the changes that a token has held.
  ///
  /// - Returns: What other processes have changed those keys to meanwhile, to be put into memory.
  mutating func drop(_ token: Token) -> Objects {
    let news = held.filter { $0.value.token == token && !begun.contains($0.key) }
      .compactMapValues(\.news)
    forget(token)
    return news
  }

  func isHeld(_ key: String, by token: Token) -> Bool { held[key]?.token == token }

  private func objects(heldBy token: Token) -> Objects {
    held.filter { $0.value.token == token }.mapValues(\.object)
  }

  private mutating func forget(_ token: Token) {
    held = held.filter { $0.value.token != token }
  }

  /// Whether there is anything to save.
  var isEmpty: Bool { changed.isEmpty && !isMemoryMarked }

  /// Whether there are only removals to save, or none, of keys that are not in the file.
  func isSaved(in contents: PreferencesContents) -> Bool {
    !isMemoryMarked && changed.allSatisfy { $1 == nil && contents[$0] == nil }
  }

  /// Returns the changes to save, with those that a token holds.
  mutating func take(with token: Token? = nil) -> Objects {
    changed.merge(taken) { newer, _ in newer }
    (taken, changed) = (changed, [:])
    return token.map { taken.merging(objects(heldBy: $0)) { $1 } } ?? taken
  }

  /// Notes that the changes are saved which were taken.
  mutating func settle(with token: Token? = nil) {
    taken = [:]
    if let token { forget(token) }
  }

  /// Takes back the changes that could not be saved, except for keys that have changed again.
  mutating func putBack() {
    changed.merge(taken) { newer, _ in newer }
    taken = [:]
  }

  /// Returns those changes of another process that are to be put into memory: an unsaved change of
  /// this process wins.
  mutating func admit(_ news: Objects) -> Objects {
    news.filter { key, object in
      let isFree = !begun.contains(key) && changed[key] == nil && taken[key] == nil
      if isFree, held[key] != nil { held[key]?.news = .some(object) }
      return isFree && held[key] == nil
    }
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
