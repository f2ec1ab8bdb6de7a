internal import Foundation

/// One key of one store, as one declaration sees it: the only way in which the library reads or
/// writes a setting.
///
/// Unchecked because `UserDefaults`, though its documentation calls it thread-safe, is not declared so.
@usableFromInline
final class Setting: @unchecked Sendable {
  let key: String
  private let userDefaults: UserDefaults
  private let store: Store
  private let state: KeyState
  private let source: ChangeSource

  /// Whether this is a declaration, not a typed key: that reads whatever the accessors of
  /// `UserDefaults` read, ownDefault defaults too.
  private let isDeclaration: Bool

  /// The form in which a declaration's default is ownDefault, if it has one.
  private let ownDefault: PropertyListObject?
  // Asked at every read, a twentieth of which it would cost to look into `ownDefault`.
  private let hasDefault: Bool

  private init(
    _ key: String, in userDefaults: UserDefaults, isDeclaration: Bool,
    ownDefault: PropertyListObject?
  ) {
    self.key = key
    self.userDefaults = userDefaults
    self.isDeclaration = isDeclaration
    self.ownDefault = ownDefault
    hasDefault = ownDefault != nil
    store = Store.of(userDefaults)
    state = store.state(of: key)
    source = ChangeSource(key: key, userDefaults: userDefaults, store: store, state: state)
  }

  convenience init<V>(_ key: UserDefaults.Key<V>, in userDefaults: UserDefaults) {
    self.init(key.name, in: userDefaults, isDeclaration: false, ownDefault: nil)
  }

  /// The default comes encoded and in a box, not as a `V?`, a type that would be looked up while the
  /// program runs.
  convenience init<V: UserDefaultsSerializable>(
    _ key: UserDefaults.Key<V>, in userDefaults: UserDefaults,
    declaredWithDefault defaultValue: (any Sendable)?,
    encoded encodeDefault: @autoclosure () throws -> PropertyListObject?
  ) {
    var ownDefault: PropertyListObject?
    do {
      ownDefault = try encodeDefault()
    } catch {
      DefaultsIssue.unencodable(V.self, key: key.name, error, kept: "it is not registered").report()
    }
    self.init(key.name, in: userDefaults, isDeclaration: true, ownDefault: ownDefault)
    if let ownDefault {
      userDefaults.register(defaults: [key.name: ownDefault.object])
    }
    state.declare(
      Declaration(type: V.self, defaultValue: defaultValue, default: ownDefault), key: key.name)
  }
}

extension Setting {
  /// What all declarations of one key of one store have in common.
  struct Identity: Hashable {
    let key: String
    let store: ObjectIdentifier
  }

  var identity: Identity { Identity(key: key, store: ObjectIdentifier(store)) }
}

// MARK: - Reading

extension Setting {
  /// The value; nil if there is none, or none that can be decoded.
  ///
  /// Inlinable, so that for a user's type it is compiled as if written for that type: looking up
  /// generic types while the program runs would cost a third of a read.
  @inlinable
  func read<V: UserDefaultsSerializable>() -> V? {
    guard let object = visibleObject() else { return nil }
    if let storedValue = V.StoredValue(propertyListObject: object),
      let value = V(storedValue: storedValue)
    {
      return value
    }
    return fallBack(fromUndecodable: object)
  }

  /// What is stored; nil if there is nothing, or a declaration finds but a ownDefault default.
  @usableFromInline
  func visibleObject() -> Any? {
    // A declaration stays, as a source must that tells an observer. A typed key is gone after this.
    if isDeclaration { source.start() }
    state.listeners.noteAccess()
    guard let object = userDefaults.object(forKey: key) else {
      state.forgetReports(unlessStill: nil)
      return nil
    }
    state.forgetReports(unlessStill: object)
    return isDeclaration && !isStored(object) ? nil : object
  }

  /// Whether an object that `UserDefaults` returned is a stored one, not a ownDefault default: which
  /// is one table for the whole process, so that it may be another suite's.
  private func isStored(_ object: Any) -> Bool {
    if state.isKnownToBeStored(hasOwnDefault: hasDefault) { return true }
    let object = PropertyListObject(object)
    if object == ownDefault { return false }
    let isStored = store.isStored(object, key: key, in: userDefaults)
    if isStored { state.noteStored() }
    return isStored
  }

  /// Reports what cannot be decoded. Beneath a launch argument that is ignored lies what is stored.
  @usableFromInline
  func fallBack<V: UserDefaultsSerializable>(fromUndecodable object: Any) -> V? {
    let object = PropertyListObject(object)
    let argument = userDefaults.volatileDomain(forName: UserDefaults.argumentDomain)[key]
    guard let argument, PropertyListObject(argument) == object else {
      state.reportUndecodable(object) {
        .undecodable(object, as: V.self, key: key, hasDefault: hasDefault)
      }
      return nil
    }
    state.reportUndecodable(object) {
      .undecodableArgument(object, as: V.self, key: key)
    }
    guard let stored = store.storedObject(key: key, in: userDefaults) else {
      return nil
    }
    if let value = V.StoredValue(propertyListObject: stored.object).flatMap(V.init(storedValue:)) {
      return value
    }
    state.reportUndecodable(stored) {
      .undecodable(stored, as: V.self, key: key, hasDefault: hasDefault)
    }
    return nil
  }
}

// MARK: - Listening

extension Setting {
  /// The value, or nil, now and after each change.
  func updates<V: UserDefaultsSerializable>() -> DefaultUpdates<V?> {
    source.start()
    return DefaultUpdates(state.listeners) { [self] in
      let value: V? = read()
      return (value, try? Self.encode(value))
    }
  }

  /// The value, or the default, now and after each change.
  func updates<V: UserDefaultsSerializable>(default defaultValue: V) -> DefaultUpdates<V> {
    source.start()
    return DefaultUpdates(state.listeners) { [self] in
      let value = read() ?? defaultValue
      return (value, try? Self.encode(value) as PropertyListObject)
    }
  }
}

// MARK: - Writing

extension Setting {
  /// Stores a value; nil removes what is stored.
  func write<V: UserDefaultsSerializable>(_ value: V?) {
    write(V.self) { try Self.encode(value) }
  }

  /// Reads, lets the body change, and writes if it did, as one step.
  func withLock<V: UserDefaultsSerializable, R>(
    default defaultValue: V? = nil, _ body: (inout V?) throws -> R
  ) rethrows -> R {
    try state.exclusively {
      var value = read() ?? defaultValue
      let before = try? Self.encode(value)
      let result = try body(&value)
      write(V.self, unlessEqualTo: .some(before)) { try Self.encode(value) }
      return result
    }
  }

  /// Removes what is stored.
  func reset() {
    put(nil)
  }

  private func write(
    _ type: Any.Type, unlessEqualTo old: PropertyListObject?? = nil,
    encode: () throws -> PropertyListObject?
  ) {
    do {
      let object = try encode()
      if let old, old == object { return }
      put(object)
    } catch {
      DefaultsIssue.unencodable(type, key: key, error, kept: "the old value stays").report()
    }
  }

  /// Every change of a setting comes by here.
  private func put(_ object: PropertyListObject?) {
    state.exclusively {
      store.willChange(key)
      userDefaults.put(object, forKey: key)
      store.didChange(key, to: object)
      state.announceChange()
      state.noteWritten(isStored: object != nil)
    }
  }

  private static func encode<V: UserDefaultsSerializable>(_ value: V?) throws -> PropertyListObject?
  {
    try value.map(encode)
  }

  static func encode<V: UserDefaultsSerializable>(_ value: V) throws -> PropertyListObject {
    PropertyListObject(try value.storedValue.propertyListObject())
  }
}
