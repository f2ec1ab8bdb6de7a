internal import Foundation
internal import Synchronization

/// The part of a store that differs from kind to kind: where objects are kept, and who saves them.
///
/// The methods receive the caller's instance of `UserDefaults`: a suite may have several instances,
/// each with its own launch arguments.
protocol Backend: Sendable {
  /// The layers, the uppermost first.
  var layers: [Layer] { get }

  /// Whether each change comes through the library, so that a decoded value holds until the next
  /// change.
  var hearsEveryChange: Bool { get }

  /// Called before the first read.
  func load(_ userDefaults: UserDefaults)

  /// Whether each read in a body of `exclusively` must ask the store, which notes it.
  var notesReads: Bool { get }

  // MARK: Reading

  /// Registers defaults, which the accessors of `UserDefaults` then return.
  func register(_ defaults: [String: Any], in userDefaults: UserDefaults)

  /// Returns the object that the accessors of `UserDefaults` return.
  func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any?

  /// Whether the object that the accessors return is that of the uppermost layer which has one. Called
  /// before it is decoded.
  ///
  /// - Parameter isDefault: Whether it equals the default of the declaration.
  func isPlain(
    _ visible: PropertyListObject?, _ key: String, isDefault: Bool, in userDefaults: UserDefaults
  ) -> Bool

  /// Returns the objects of a key in one layer. The first that can be decoded counts.
  func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]

  /// Returns all stored objects.
  func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject]

  /// Returns the stored object, as far as it is known without a costly search.
  func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject?

  /// Returns a copy of all layers in memory, of one moment where the library hears of each change.
  ///
  /// - Parameters:
  ///   - keys: The keys that the copy must have. It may have others.
  ///   - tokens: The transactions of this thread, whose changes are in it.
  func copy(of keys: Set<String>, with tokens: [Token], in userDefaults: UserDefaults)
    -> MemoryBackend

  // MARK: Changing

  /// The stored values, where the library keeps them. Elsewhere only what undone transactions need.
  var memory: StoreMemory { get }

  typealias Token = StoredValues.Token

  /// Changes the stored object in memory, and saves it in the background. The caller holds the key's
  /// lock.
  ///
  /// - Parameter token: The transaction to whose end the save is deferred.
  /// - Returns: Whether the object differs from the one before; nil if that is unknown.
  func change(
    _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
    in userDefaults: UserDefaults
  ) -> Bool?

  /// Changes the object that `UserDefaults` keeps.
  ///
  /// - Returns: As of a change.
  func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults) -> Bool?

  /// Returns the revision of a key; nil in a store without revisions.
  func revision(_ key: String) throws -> Int64?

  /// Changes the stored object if the key is still at a revision.
  ///
  /// - Returns: Whether it was.
  func change(_ key: String, to object: PropertyListObject?, ifStillAt revision: Int64) throws
    -> Bool

  // MARK: Transactions

  /// Called before an outermost transaction begins, and after it has ended.
  func begin()
  func finish()

  /// Makes the changes of a transaction part of another one, or saves them.
  func end(_ token: Token, into outer: Token?)

  /// Forgets the changes of a transaction: what lies beneath shows again.
  ///
  /// - Parameter keys: Those of the store.
  /// - Returns: The keys that show another object.
  func drop(_ token: Token, of keys: KeyTable, in userDefaults: UserDefaults) -> [String]

  /// Runs a body while nobody else makes a change.
  ///
  /// - Parameter body: Runs a transaction, which is given its way to commit.
  /// - Throws: `HeldByAnotherThread` if another thread does not let it.
  func exclusively(_ body: (_ commit: Transaction.Commit) throws -> Void) throws

  // MARK: Saving

  /// Returns when every change is saved.
  func flush(in userDefaults: UserDefaults) throws

  /// The same for a task, which waits for it.
  func flush(in userDefaults: UserDefaults, isolation: isolated (any Actor)?) async throws

  /// The path of the file that the library saves; nil if there is none.
  var path: String? { get }

  /// Looks at the file, and returns what is wrong with it.
  func fileIssue() -> DefaultsIssue?

  /// Returns the path of the file that gives a key an object in one layer, if a file does.
  func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String?
}

// The behavior of a store that `UserDefaults` itself keeps.
extension Backend {
  var layers: [Layer] { [.argument, .environment, .stored, .registered] }

  var hearsEveryChange: Bool { false }

  var notesReads: Bool { false }

  func load(_ userDefaults: UserDefaults) {}

  func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
    userDefaults.register(defaults: defaults)
  }

  func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
    userDefaults.object(forKey: key)
  }

  func isPlain(_: PropertyListObject?, _: String, isDefault: Bool, in _: UserDefaults) -> Bool {
    // If several keys have changed in one step, this one may have been read within it.
    memory.waitForStep()
    return true
  }

  func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    objects(key, at: .stored, in: userDefaults).first
  }

  func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
    let keys = userDefaults.dictionaryRepresentation().keys
    return Dictionary(
      keys.compactMap { key in
        objects(key, at: .stored, in: userDefaults).first.map { (key, $0) }
      }, uniquingKeysWith: { $1 })
  }

  func copy(of keys: Set<String>, with tokens: [Token], in userDefaults: UserDefaults)
    -> MemoryBackend
  {
    copy(of: keys) { objects($0, at: $1, in: userDefaults).first }
  }

  func copy(
    of keys: Set<String>, _ object: (String, Layer) -> PropertyListObject?
  ) -> MemoryBackend {
    var values = StoredValues()
    for key in keys { values.set(key, to: object(key, .stored)) }
    return MemoryBackend(layers: layers, values) { layer in
      [keys.reduce(into: [:]) { $0[$1] = object($1, layer) }]
    }
  }

  // MARK: Changing

  func change(
    _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
    in userDefaults: UserDefaults
  ) -> Bool? {
    if let token {
      let present = objects(state.key, at: .stored, in: userDefaults).first
      memory.values.withLock { values in
        if !values.isHeld(state.key) { values.show(present, for: state.key) }
        values.set(state.key, to: object, heldBy: token)
      }
    } else {
      memory.values.withLock { if $0.isHeld(state.key) { $0.set(state.key, to: object) } }
    }
    return put(object, state.key, in: userDefaults)
  }

  func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults) -> Bool? {
    userDefaults.put(object, forKey: key)
    return nil
  }

  func revision(_ key: String) throws -> Int64? { nil }

  func change(_ key: String, to object: PropertyListObject?, ifStillAt revision: Int64) throws
    -> Bool
  { false }

  func begin() {}

  func finish() {}

  func end(_ token: Token, into outer: Token?) {
    memory.values.withLock { $0.end(token, into: outer) }
    memory.forgetUnheld()
  }

  func drop(_ token: Token, of keys: KeyTable, in userDefaults: UserDefaults) -> [String] {
    let (shown, values) = memory.values.withLock { ($0.drop(token), $0) }
    for key in shown {
      keys.state(of: key).locked {
        _ = put(values[key]?.settable, key, in: userDefaults)
      }
    }
    memory.forgetUnheld()
    return shown
  }

  func exclusively(_ body: (_ commit: Transaction.Commit) throws -> Void) throws {
    try memory.exclusively { try body { end($0, into: nil) } }
  }

  // MARK: Saving

  func flush(in userDefaults: UserDefaults) throws {
    try userDefaults.synchronizeOrThrow()
  }

  func flush(in userDefaults: UserDefaults, isolation: isolated (any Actor)?) async throws {
    let shared = SendableDefaults(userDefaults)
    try await AwaitedWork.wait(isolation: isolation, without: DefaultsIssue.noThread) {
      try self.flush(in: shared.instance)
    }
  }

  var path: String? { nil }

  func fileIssue() -> DefaultsIssue? { nil }

  func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String? { nil }
}
