/// What the file of a store holds, and what this process has changed since. A change hides the file.
///
/// A change is held by a transaction, or due; then taken to be saved, and settled, or put back if the
/// save fails. A store that no file keeps has an empty one.
struct StoredValues {
  typealias Objects = [String: PropertyListObject?]
  /// What holds changes back until it ends: a transaction.
  typealias Token = ObjectIdentifier

  /// The contents of the file as they were read or saved last.
  private(set) var file = PreferencesContents()
  /// The changes that wait for the end of their token, the latest last.
  private var held: [String: [(object: PropertyListObject?, token: Token)]] = [:]
  /// What raw calls have changed in Foundation's memory, which shows and is not saved.
  private var raw: Objects = [:]
  /// What the file cannot hold as it is, which goes on to show.
  private var unsavable: Objects = [:]
  /// The changes that are due to be saved.
  private var due: Objects = [:]
  /// The changes that are being saved.
  private var taken: Objects = [:]

  // MARK: Reading

  /// The stored object of a key; nil if nothing is stored.
  subscript(key: String) -> PropertyListObject? {
    held[key]?.last.map(\.object) ?? released(key)
  }

  /// The object beneath the changes that are held.
  private func released(_ key: String) -> PropertyListObject? {
    raw[key] ?? unsavable[key] ?? due[key] ?? taken[key] ?? file[key]
  }

  /// All stored objects.
  var objects: [String: PropertyListObject] {
    var objects = file.objects
    for changes in [taken, due, unsavable, raw, held.mapValues { $0.last?.object }] {
      for (key, object) in changes { objects[key] = object }
    }
    return objects
  }

  /// Whether a key shows an object that the file holds, or will.
  func isOfFile(_ object: PropertyListObject, _ key: String) -> Bool {
    raw[key] == nil && unsavable[key] == nil && self[key] == object
  }

  /// Returns a copy without the changes that others hold.
  ///
  /// - Parameter tokens: Those whose changes are in it.
  func committed(with tokens: [Token]) -> Self {
    var copy = self
    (copy.held, copy.holders) = ([:], [])
    copy.putBack()
    for (key, changes) in held {
      if let last = changes.last(where: { tokens.contains($0.token) }) {
        copy.raw[key] = .some(last.object)
      }
    }
    return copy
  }

  // MARK: Changing

  /// Sets or removes the object of a key. The latest change counts, whoever holds it.
  ///
  /// - Parameter token: What holds the change back.
  /// - Returns: Whether the object differs from the one before.
  @discardableResult
  mutating func set(
    _ key: String, to object: PropertyListObject?, heldBy token: Token? = nil
  ) -> Bool {
    let old = self[key]
    if let token {
      holders.insert(token)
      held[key, default: []].removeAll { $0.token == token }
      held[key]?.append((object, token))
    } else {
      forgetEarlier(key)
      due[key] = .some(object)
    }
    return old != object
  }

  private mutating func forgetEarlier(_ key: String) {
    // An empty dictionary hashes the key to remove.
    if !held.isEmpty { held[key] = nil }
    if !raw.isEmpty { raw[key] = nil }
    if !unsavable.isEmpty { unsavable[key] = nil }
  }

  /// Shows an object that came by no call of the library. It is not saved by itself.
  mutating func show(_ object: PropertyListObject?, for key: String) {
    if let last = held[key]?.popLast() {
      held[key]?.append((object, last.token))
    } else {
      raw[key] = .some(object)
    }
  }

  /// The tokens that hold changes.
  private(set) var holders: Set<Token> = []

  /// Whether a token, or any, holds a change of a key.
  func isHeld(_ key: String, by token: Token? = nil) -> Bool {
    held[key]?.contains { token == nil || $0.token == token } ?? false
  }

  /// Makes the changes due that a token has held, or lets another token hold them. A change that came
  /// later by another token waits for that one.
  mutating func end(_ token: Token, into outer: Token? = nil) {
    guard let outer else {
      for (key, object) in takeHeld(by: token) { due[key] = .some(object) }
      return
    }
    if holders.remove(token) != nil { holders.insert(outer) }
    for (key, changes) in held where changes.contains(where: { $0.token == token }) {
      held[key] = changes.filter { $0.token != outer }
        .map { ($0.object, $0.token == token ? outer : $0.token) }
    }
  }

  /// Takes out the changes that a token has held, and what they replace.
  private mutating func takeHeld(by token: Token?) -> Objects {
    var objects: Objects = [:]
    guard let token, holders.remove(token) != nil else { return objects }
    for (key, changes) in held {
      guard let index = changes.firstIndex(where: { $0.token == token }) else { continue }
      let later = Array(changes[(index + 1)...])
      forgetEarlier(key)
      held[key] = later.isEmpty ? nil : later
      objects[key] = .some(changes[index].object)
    }
    return objects
  }

  /// Forgets the changes that a token has held: what lies beneath shows again.
  ///
  /// - Returns: The keys that show another change or the file.
  mutating func drop(_ token: Token) -> [String] {
    var shown: [String] = []
    guard holders.remove(token) != nil else { return shown }
    for (key, changes) in held where changes.contains(where: { $0.token == token }) {
      let rest = changes.filter { $0.token != token }
      held[key] = rest.isEmpty ? nil : rest
      if changes.last?.token == token { shown.append(key) }
    }
    return shown
  }

  // MARK: Saving

  /// Takes in what another process has saved.
  ///
  /// - Parameter stale: The keys of which Foundation has written what it took last, in place of what
  ///   they show. That is due again.
  /// - Returns: The keys that show the file: a change of this process hides it.
  mutating func adopt(_ new: PreferencesContents, stale: [String] = []) -> [String] {
    let differences = file.differences(in: new)
    for key in stale where differences[key] != nil && due[key] == nil && taken[key] == nil {
      // What raw calls have removed stays in the file.
      if raw[key] != .some(nil) { due[key] = .some(released(key)) }
    }
    file.adopt(differences)
    let released = differences.keys.filter { due[$0] == nil && taken[$0] == nil }
    for key in released { (raw[key], unsavable[key]) = (nil, nil) }
    return released.filter { held[$0] == nil }
  }

  /// Whether there is anything to save.
  var isDue: Bool { !due.isEmpty }

  /// Whether there are only removals to save, or nothing.
  var areRemovals: Bool { due.allSatisfy { $1 == nil } }

  /// Whether there are only removals to save, or nothing, of keys that are not in the file.
  var areSaved: Bool { areRemovals && due.allSatisfy { file[$0.key] == nil } }

  /// Returns the changes to save, with those that a token holds.
  @discardableResult
  mutating func take(with token: Token? = nil) -> Objects {
    (taken, due) = (due, [:])
    return taken(with: token)
  }

  /// Returns the changes that are taken, with those that a token holds.
  func taken(with token: Token?) -> Objects {
    var objects = taken
    for (key, changes) in held {
      if let change = changes.first(where: { $0.token == token }) { objects[key] = change.object }
    }
    return objects
  }

  /// Makes the changes that are due the contents, where no file keeps them.
  mutating func settle() {
    file.adopt(due)
    due = [:]
  }

  /// Notes that the changes are saved which were taken.
  ///
  /// - Parameter contents: The contents of the file with them, as far as it can hold them.
  mutating func settle(_ contents: PreferencesContents, with token: Token? = nil) {
    file = contents
    let saved = taken.merging(takeHeld(by: token)) { $1 }
    taken = [:]
    for (key, object) in saved where due[key] == nil {
      if !file.holds(object, for: key) { unsavable[key] = .some(object) }
    }
  }

  /// Takes back the changes that could not be saved, except for keys that have changed again.
  mutating func putBack() {
    due.merge(taken) { newer, _ in newer }
    taken = [:]
  }

  // MARK: Raw changes

  /// The keys that are set, and not in the file yet.
  var unsavedKeys: [String] {
    due.merging(taken) { due, _ in due }
      .filter { $1 != nil && file[$0] == nil && held[$0] == nil }.map(\.key)
  }

  /// The keys that raw calls have removed.
  var rawRemovals: [String] { raw.filter { $1 == nil }.map(\.key) }

  /// Makes what raw calls have set due. What they have removed stays in the file.
  mutating func makeRawSetsDue() {
    for case (let key, let object?) in raw where held[key] == nil {
      raw.removeValue(forKey: key)
      // A save that is under way replaces what the file holds.
      let isSaved = taken[key] == nil && file.holds(object, for: key)
      due[key] = isSaved ? nil : .some(object)
    }
  }

  /// Makes what the file held due, except for what is changed.
  mutating func makeFileDue() {
    due = file.objects.mapValues(Optional.some).merging(taken) { $1 }.merging(due) { $1 }
  }

  /// Forgets the changes of a key that is removed from the file, too.
  mutating func forgetRemoved(_ key: String) {
    guard held[key] == nil, file[key] == nil else { return }
    for changes in [\StoredValues.raw, \.unsavable, \.due, \.taken] {
      self[keyPath: changes][key] = nil
    }
  }
}
