/// The unsaved changes of this process in one suite. A key is begun, then changed, then taken to be
/// saved, and put back if the save fails.
struct StoredValues {
  typealias Objects = [String: PropertyListObject?]
  /// What holds changes back until it ends, such as a transaction.
  typealias Token = ObjectIdentifier

  /// The keys whose memory is being changed, one entry for each thread.
  private var begun: [String] = []
  /// The changes that wait for the end of their token, the latest last.
  private var held: [String: [(object: PropertyListObject?, token: Token)]] = [:]
  /// What other processes have stored under keys that are held, or begun.
  private var missed: Objects = [:]
  private var changed: Objects = [:]
  /// The changes that are being saved.
  private var taken: Objects = [:]
  /// The contents of the file as they were read or saved last.
  var saved = PreferencesContents()
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
      held[key, default: []].removeAll { $0.token == token }
      held[key]?.append((object, token))
    } else {
      (held[key], missed[key]) = (nil, nil)
      changed[key] = .some(object)
    }
  }

  /// Releases the changes that a token has held, or lets another token hold them. A change that came
  /// later by another token waits for that one.
  mutating func end(_ token: Token, into outer: Token? = nil) {
    guard let outer else { return changed.merge(takeHeld(by: token)) { $1 } }
    for (key, changes) in held where changes.contains(where: { $0.token == token }) {
      held[key] = changes.filter { $0.token != outer }
        .map { ($0.object, $0.token == token ? outer : $0.token) }
    }
  }

  /// Takes out the changes that a token has held, and what they replace.
  private mutating func takeHeld(by token: Token?) -> Objects {
    var objects: Objects = [:]
    for (key, changes) in held {
      guard let index = changes.firstIndex(where: { $0.token == token }) else { continue }
      let later = Array(changes[(index + 1)...])
      (held[key], missed[key]) = (later.isEmpty ? nil : later, nil)
      objects[key] = .some(changes[index].object)
    }
    return objects
  }

  /// Forgets the changes that a token has held.
  ///
  /// - Returns: What other processes have stored meanwhile, under keys that nothing holds any more.
  mutating func drop(_ token: Token) -> Objects {
    var others: Objects = [:]
    for (key, changes) in held where changes.contains(where: { $0.token == token }) {
      let rest = changes.filter { $0.token != token }
      held[key] = rest.isEmpty ? nil : rest
      if rest.isEmpty, let missed = missed.removeValue(forKey: key) { others[key] = missed }
    }
    return others
  }

  /// Returns the stored object of a key, as this process has set it or read it from the file.
  func object(_ key: String) -> PropertyListObject? {
    held[key]?.last.map(\.object) ?? changed[key] ?? taken[key] ?? saved[key]
  }

  /// Whether there is anything to save.
  var isEmpty: Bool { changed.isEmpty && !isMemoryMarked }

  /// Whether there are only removals to save, or none.
  var areRemovals: Bool { !isMemoryMarked && changed.allSatisfy { $1 == nil } }

  /// Whether there are only removals to save, or none, of keys that are not in the file.
  var areSaved: Bool { areRemovals && changed.allSatisfy { saved[$0.key] == nil } }

  /// Returns the changes to save, with those that a token holds.
  mutating func take(with token: Token? = nil) -> Objects {
    (taken, changed) = (changed, [:])
    var objects = taken
    for (key, changes) in held {
      if let change = changes.first(where: { $0.token == token }) { objects[key] = change.object }
    }
    return objects
  }

  func isHeld(_ key: String, by token: Token) -> Bool {
    held[key]?.contains { $0.token == token } ?? false
  }

  /// Notes that the changes are saved which were taken.
  mutating func settle(with token: Token? = nil) {
    taken = [:]
    _ = takeHeld(by: token)
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
      if changed[key] != nil || taken[key] != nil { return false }
      // What is begun may come to be held.
      let isOwn = held[key] != nil || begun.contains(key)
      if isOwn { missed[key] = .some(object) }
      return !isOwn
    }
  }

  // MARK: Changes of whole domains

  /// Notes that any key may have changed in memory.
  mutating func markMemory() {
    isMemoryMarked = true
  }

  /// If memory is marked, takes each difference between memory and the saved contents as a change.
  /// Memory wins over changes that are pending.
  mutating func addMarkedMemory(_ objects: @autoclosure () -> [String: PropertyListObject]) {
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
