public import Foundation

/// One key of one store, as one declaration or typed key sees it: the only way in which the library
/// reads or writes a setting.
///
/// Unchecked because `UserDefaults`, though its documentation calls it thread-safe, is not declared so.
@usableFromInline
struct Setting: @unchecked Sendable {
  private let userDefaults: UserDefaults
  private let store: Store
  private let state: KeyState

  /// What was decoded last, where that can be told to hold still.
  @usableFromInline let last: LastDecoded?

  /// What a declaration says; nil for a typed key, which reads whatever the accessors of `UserDefaults`
  /// read, registered defaults too.
  private let declaration: Declaration?

  private final class Declaration: Sendable {
    /// The form in which the default is registered, if there is one.
    let ownDefault: PropertyListObject?

    init(ownDefault: PropertyListObject?) {
      self.ownDefault = ownDefault
    }
  }

  var key: String { state.key }

  private init<V: UserDefaultsSerializable>(
    _ key: UserDefaults.Key<V>, in userDefaults: UserDefaults, _ declaration: Declaration?
  ) {
    self.userDefaults = userDefaults
    self.declaration = declaration
    store = Store.of(userDefaults)
    state = store.state(of: key.name)
    last = state.lastDecoded(V.self, isShared: declaration == nil)
  }

  @usableFromInline
  init<V: UserDefaultsSerializable>(_ key: UserDefaults.Key<V>, in userDefaults: UserDefaults) {
    self.init(key, in: userDefaults, nil)
  }

  /// The default comes encoded, not as a `V?`, a type that would be looked up while the program runs.
  init<V: UserDefaultsSerializable>(
    _ key: UserDefaults.Key<V>, in userDefaults: UserDefaults,
    declaredWithDefault encodeDefault: @autoclosure () throws -> PropertyListObject?
  ) {
    var ownDefault: PropertyListObject?
    do {
      ownDefault = try encodeDefault()
    } catch {
      DefaultsIssue.unencodable(V.self, key: key.name, error, kept: "it is not registered").report()
    }
    self.init(key, in: userDefaults, Declaration(ownDefault: ownDefault))
    if let ownDefault {
      userDefaults.register(defaults: [key.name: ownDefault.object])
    }
    state.declare(type: V.self, default: ownDefault)
  }
}

// MARK: - Reading

extension Setting {
  /// The value; nil if there is none, or none that can be decoded.
  ///
  /// Inlinable, so that for a user's type it is compiled as if written for that type: looking up
  /// generic types while the program runs would cost a third of a read.
  @inlinable
  func read<V: UserDefaultsSerializable>() -> V? {
    noteAccess()
    guard let last else { return decoded(visibleObject()) }
    // Before the object is read: one that changes meanwhile is read again the next time.
    let version = version
    if let kept = last.value(ofVersion: version) {
      return unsafeDowncast(kept, to: DecodedValue<V>.self).value
    }
    let object = visibleObject()
    if let object, let kept = last.value(of: object) {
      return unsafeDowncast(kept, to: DecodedValue<V>.self).value
    }
    let value: V? = decoded(object)
    last.keep(DecodedValue(value), of: object, version: version)
    return value
  }

  @inlinable
  func decoded<V: UserDefaultsSerializable>(_ object: Any?) -> V? {
    guard let object else { return nil }
    if let storedValue = V.StoredValue(propertyListObject: object),
      let value = V(storedValue: storedValue)
    {
      return value
    }
    return fallBack(fromUndecodable: object)
  }

  @usableFromInline
  func noteAccess() {
    if declaration != nil { listen() }
    state.listeners.noteAccess()
  }

  @usableFromInline var version: Int { state.version }

  /// What is stored, or given as a launch argument; nil if there is nothing, or a declaration finds but a
  /// registered default.
  @usableFromInline
  func visibleObject() -> Any? {
    var layer: Layer?
    let object = store.kind.visibleObject(key, in: userDefaults, layer: &layer)
    if state.hasReports { state.forgetReports(unlessStill: object) }
    guard declaration != nil, let object else { return object }
    return isStored(object, layer) ? object : nil
  }

  private func isStored(_ object: Any, _ layer: Layer?) -> Bool {
    if let layer { return layer != .registered }
    let object = PropertyListObject(object)
    if state.isKnownToBeStored(object) { return true }
    if object == declaration?.ownDefault { return false }
    if object != store.kind.object(key, at: .registered, in: userDefaults) {
      state.noteStored(object)
      return true
    }
    return store.isStoredToo(object, key, in: userDefaults)
  }

  /// Reports what cannot be decoded, and reads what lies beneath it.
  @usableFromInline
  func fallBack<V: UserDefaultsSerializable>(fromUndecodable object: Any) -> V? {
    let object = PropertyListObject(object)
    let argument = store.kind.object(key, at: .argument, in: userDefaults)
    report(object, as: V.self, isArgument: argument == object)
    guard argument == object,
      let stored = store.kind.object(key, at: .stored, in: userDefaults),
      stored != object
    else { return nil }
    let value: V? = Self.decode(stored)
    if value == nil { report(stored, as: V.self, isArgument: false) }
    return value
  }

  private func report<V>(_ object: PropertyListObject, as type: V.Type, isArgument: Bool) {
    state.reportUndecodable(object) {
      isArgument
        ? .undecodableArgument(object, as: type, key: key)
        : .undecodable(object, as: type, key: key, hasDefault: declaration?.ownDefault != nil)
    }
  }

  private static func decode<V: UserDefaultsSerializable>(_ object: PropertyListObject) -> V? {
    V.StoredValue(propertyListObject: object.object).flatMap(V.init(storedValue:))
  }
}

// MARK: - Listening

extension Setting {
  private func listen() {
    ChangeSource(key: key, userDefaults: userDefaults, store: store, state: state).start()
  }

  /// The value, or nil, now and after each change.
  func updates<V: UserDefaultsSerializable>() -> DefaultUpdates<V?> {
    listen()
    return DefaultUpdates(state.listeners) {
      let value: V? = read()
      return (value, (try? Self.encode(value))?.object)
    }
  }

  /// The value, or the default, now and after each change.
  func updates<V: UserDefaultsSerializable>(default defaultValue: V) -> DefaultUpdates<V> {
    listen()
    return DefaultUpdates(state.listeners) {
      let value = read() ?? defaultValue
      return (value, (try? Self.encode(value))?.object)
    }
  }
}

// MARK: - Writing

extension Setting {
  /// Stores a value; nil removes what is stored.
  func write<V: UserDefaultsSerializable>(_ value: V?) {
    if let stored = encoded(value) { put(stored) }
  }

  /// Reads, lets the body change, and writes if it did, as one step.
  func withLock<V: UserDefaultsSerializable, R>(
    default defaultValue: V? = nil, _ body: (inout V?) throws -> R
  ) rethrows -> R {
    try state.exclusively {
      var value = read() ?? defaultValue
      let old = try? Self.encode(value)
      let result = try body(&value)
      if let new = encoded(value), new != old { put(new) }
      return result
    }
  }

  /// Removes what is stored.
  func reset() {
    put(.nothing)
  }

  /// What is to be stored for a value; nil, and reported, if it has no such form.
  private func encoded<V: UserDefaultsSerializable>(_ value: V?) -> Stored? {
    do {
      return try Self.encode(value)
    } catch {
      DefaultsIssue.unencodable(V.self, key: key, error, kept: "the old value stays").report()
      return nil
    }
  }

  private func put(_ new: Stored) {
    store.change(state, to: new.object, in: userDefaults)
  }

  private static func encode<V: UserDefaultsSerializable>(_ value: V?) throws -> Stored {
    try value.map { .object(try encode($0)) } ?? .nothing
  }

  static func encode<V: UserDefaultsSerializable>(_ value: V) throws -> PropertyListObject {
    PropertyListObject(try value.storedValue.propertyListObject())
  }
}
