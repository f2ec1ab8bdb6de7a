internal import Foundation
internal import Synchronization

/// The part of a store that differs from kind to kind: where objects are kept, and who saves them.
///
/// There are two kinds. This class is a store that does not own its values: `UserDefaults` itself keeps them, and
/// others change them without a sign. `MemoryBackend` overrides what a store does that owns them.
///
/// The methods receive the caller's instance of `UserDefaults`: a suite may have several instances,
/// each with its own launch arguments.
class Backend: @unchecked Sendable {  // All that changes is behind a lock.
  typealias Token = StoredValues.Token

  /// The layers, the uppermost first.
  final let layers: [Layer]

  /// The stored values, where the library owns them. Elsewhere only what undone transactions need.
  final let memory = StoreMemory()
  /// The subclass of `UserDefaults`, if it works with the library. Unowned, because the caller of each
  /// method retains the instance.
  final unowned(unsafe) let subclass: (any DefaultsStore)?

  init(layers: [Layer], subclass: (any DefaultsStore)? = nil) {
    self.layers = layers
    self.subclass = subclass
  }

  /// Whether each change comes through the library, so that a decoded value holds until the next
  /// change.
  var hearsEveryChange: Bool { subclass != nil }

  /// Called before the first read, by several threads if they come at once. Each waits for the end.
  func load(_ userDefaults: UserDefaults) {}

  // MARK: What was seen last

  /// What is known of a key whose stored object others may change.
  private struct Seen {
    /// What the library has set.
    var set: PropertyListObject?
    /// A collection that a read has found since then, which it would take too long to compare.
    var found: PropertyListObject?
  }

  private let seen = Mutex<[String: Seen]>([:])

  /// Notes what the library sets.
  ///
  /// - Returns: Whether it differs from what was set or found last, or whether that is unknown.
  private func noteSet(_ new: PropertyListObject?, _ key: String) -> Bool {
    seen.withLock { seen in
      defer { seen[key] = Seen(set: new) }
      guard let last = seen[key] else { return true }
      return last.set != new || last.found != nil && last.found != new
    }
  }

  /// Notes what a read has found, with which the next change is compared.
  ///
  /// - Parameter isDefault: Whether it may be the registered default, where nothing is stored.
  final func noteFound(_ object: PropertyListObject?, _ key: String, isDefault: Bool = false) {
    seen.withLock { seen in
      guard let last = seen[key], !(isDefault && last.set == nil) else { return }
      if let object, !object.isScalar {
        seen[key]?.found = object
      } else if last.set != object {
        seen[key] = nil
      }
    }
  }

  // MARK: Reading

  /// Registers defaults, which the accessors of `UserDefaults` then return.
  func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
    userDefaults.register(defaults: defaults)
  }

  /// Returns the object that the accessors of `UserDefaults` return.
  func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
    userDefaults.object(forKey: key)
  }

  /// Whether the object that the accessors return is what a setting reads that has its key only. Called
  /// before it is decoded, in a store that does not own its values.
  ///
  /// - Parameter isDefault: Whether it equals the default of the declaration.
  func isPlain(
    _ visible: PropertyListObject?, _ key: String, isDefault: Bool, in userDefaults: UserDefaults
  ) -> Bool {
    // If several keys have changed in one step, this one may have been read within it.
    memory.waitForStep()
    noteFound(visible, key, isDefault: isDefault)
    guard let visible, !isDefault else { return true }
    return visible != objects(key, at: .registered, in: userDefaults).first
      || visible == objects(key, at: .stored, in: userDefaults).first
  }

  /// Returns the objects of a key in one layer. The first that can be decoded counts.
  func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]
  { [] }

  /// Returns all stored objects.
  func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
    let keys = userDefaults.dictionaryRepresentation().keys
    return Dictionary(
      keys.compactMap { key in
        objects(key, at: .stored, in: userDefaults).first.map { (key, $0) }
      }, uniquingKeysWith: { $1 })
  }

  /// Returns the stored object, as far as it is known without a costly search.
  func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    objects(key, at: .stored, in: userDefaults).first
  }

  /// Returns a copy of all layers in memory, of one moment where the library hears of each change.
  ///
  /// - Parameters:
  ///   - keys: The keys that the copy must have. It may have others.
  ///   - tokens: The transactions of this thread, whose changes are in it.
  func copy(of keys: Set<String>, with tokens: [Token], in userDefaults: UserDefaults)
    -> MemoryBackend
  {
    copy(of: keys) { objects($0, at: $1, in: userDefaults).first }
  }

  final func copy(
    of keys: Set<String>, _ object: (String, Layer) -> PropertyListObject?
  ) -> MemoryBackend {
    var values = StoredValues()
    for key in keys { values.set(key, to: object(key, .stored)) }
    return MemoryBackend(layers: layers, values) { layer in
      [keys.reduce(into: [:]) { $0[$1] = object($1, layer) }]
    }
  }

  // MARK: Changing

  /// Changes the stored object in memory, and saves it in the background. The caller holds the key's
  /// lock.
  ///
  /// - Parameter token: The transaction to whose end the save is deferred.
  /// - Returns: Whether the object differs from the one before, or whether that is unknown.
  func change(
    _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
    in userDefaults: UserDefaults
  ) -> Bool {
    let key = state.key
    if let token {
      let present = objects(key, at: .stored, in: userDefaults).first
      memory.values.withLock { values in
        if !values.isHeld(key) { values.show(present, for: key) }
        values.set(key, to: object, heldBy: token)
      }
    } else {
      memory.values.withLock { if $0.isHeld(key) { $0.set(key, to: object) } }
    }
    let isDifferent = noteSet(object, key)
    return put(object, key, in: userDefaults) ?? isDifferent
  }

  /// Changes the object that `UserDefaults` keeps.
  ///
  /// - Returns: Whether it differs from the one before; nil if the store does not tell.
  func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults) -> Bool? {
    userDefaults.put(object, forKey: key)
    return nil
  }

  // MARK: Transactions

  /// Makes the changes of a transaction part of another one, or saves them.
  func end(_ token: Token, into outer: Token?) {
    memory.values.withLock { $0.end(token, into: outer) }
    memory.forgetUnheld()
  }

  /// Forgets the changes of a transaction: what lies beneath shows again.
  ///
  /// - Parameter keys: Those of the store.
  /// - Returns: The keys that show another object.
  func drop(_ token: Token, of keys: KeyTable, in userDefaults: UserDefaults) -> [String] {
    let (shown, values) = memory.values.withLock { ($0.drop(token), $0) }
    for key in shown {
      keys.state(of: key).locked {
        _ = put(values[key]?.settable, key, in: userDefaults)
        seen.withLock { $0[key] = nil }
      }
    }
    memory.forgetUnheld()
    return shown
  }

  /// Runs a body while nobody else makes a change.
  ///
  /// - Parameter body: Runs a transaction, which is given its way to commit.
  /// - Throws: The error of the body, or an issue if another thread does not let it.
  func exclusively(_ body: (_ commit: Transaction.Commit) throws -> Void) throws {
    guard let subclass else { return try memory.exclusively { try body { end($0, into: nil) } } }
    try subclass.runExclusively { try body { end($0, into: nil) } }
  }

  // MARK: Saving

  /// Returns when every change is saved.
  func flush(in userDefaults: UserDefaults) throws {
    if let subclass { try subclass.saveChanges() } else { try userDefaults.synchronizeOrThrow() }
  }

  /// The path of the file that the library saves; nil if there is none.
  var path: String? { nil }

  /// Looks at the file, and returns what is wrong with it.
  func fileIssue() -> DefaultsIssue? { nil }

  /// Returns the path of the file that gives a key an object in one layer, if a file does.
  func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String? { nil }
}
