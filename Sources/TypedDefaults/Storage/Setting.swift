internal import Foundation

/// One key of one store, as one declaration sees it: the only way in which the library reads or
/// writes a setting.
///
/// Unchecked because `UserDefaults`, though its documentation calls it thread-safe, is not declared so.
@usableFromInline
final class Setting: @unchecked Sendable {
  private enum Role {
    /// A typed key: reads whatever the accessors of `UserDefaults` read, registered defaults too.
    case accessor
    /// A declaration, with the form in which its default is registered, if it has one.
    case declaration(registered: PropertyListObject?)
  }

  let key: String
  private let userDefaults: UserDefaults
  private let role: Role
  private let state: KeyState
  private let source: ChangeSource

  private init(_ key: String, in userDefaults: UserDefaults, role: Role) {
    self.key = key
    self.userDefaults = userDefaults
    self.role = role
    let store = Store.of(userDefaults)
    state = store.state(of: key)
    source = ChangeSource(key: key, userDefaults: userDefaults, store: store, state: state)
  }

  convenience init<V>(_ key: UserDefaults.Key<V>, in userDefaults: UserDefaults) {
    self.init(key.name, in: userDefaults, role: .accessor)
  }

  convenience init<V: UserDefaultsSerializable>(
    _ key: UserDefaults.Key<V>, in userDefaults: UserDefaults, declaredWithDefault defaultValue: V?
  ) {
    var registered: PropertyListObject?
    do {
      registered = try Self.encode(defaultValue)
    } catch {
      DefaultsIssue.unencodable(V.self, key: key.name, error, kept: "it is not registered").report()
    }
    self.init(key.name, in: userDefaults, role: .declaration(registered: registered))
    if let registered {
      userDefaults.register(defaults: [key.name: registered.object])
    }
    state.declare(type: V.self, default: registered, key: key.name)
  }

  private var hasDefault: Bool {
    if case .declaration(.some) = role { true } else { false }
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
    guard let object = storedObject() else { return nil }
    if let storedValue = V.StoredValue(propertyListObject: object),
      let value = V(storedValue: storedValue)
    {
      return value
    }
    return readAround(undecodable: object)
  }

  /// What is stored; nil if there is nothing, or a declaration finds but a registered default.
  @usableFromInline
  func storedObject() -> Any? {
    // A declaration stays, as a source must that tells an observer. A typed key is gone after this.
    if case .declaration = role { source.start() }
    state.listeners.noteAccess()
    let known = state.known
    guard let object = userDefaults.object(forKey: key) else {
      state.noteRead(nil)
      return nil
    }
    state.noteRead(object)
    if case .declaration(let registered) = role {
      guard isStored(object, registered: registered, known) else { return nil }
    }
    return object
  }

  /// Whether an object that `UserDefaults` returned is a stored one, not a registered default: which
  /// is one table for the whole process, so that it may be another suite's.
  private func isStored(
    _ object: Any, registered: PropertyListObject?, _ known: KeyState.Knowledge
  ) -> Bool {
    if state.isKnownToBeStored(since: known) { return true }
    let object = PropertyListObject(object)
    if object == registered { return false }
    let isStored = Store.of(userDefaults).isStored(object, key: key, in: userDefaults)
    if isStored { state.noteStored(since: known) }
    return isStored
  }

  /// Reports what cannot be decoded. Beneath a launch argument that is ignored lies what is stored.
  @usableFromInline
  func readAround<V: UserDefaultsSerializable>(undecodable object: Any) -> V? {
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
    guard let stored = Store.of(userDefaults).storedObject(key: key, in: userDefaults) else {
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
      return (value, try? Self.encode(value))
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
      if old != .some(object) { put(object) }
    } catch {
      DefaultsIssue.unencodable(type, key: key, error, kept: "the old value stays").report()
    }
  }

  /// Every change of a setting comes by here.
  private func put(_ object: PropertyListObject?) {
    state.exclusively {
      Store.of(userDefaults).change(key, to: object) {
        state.change(isStored: object != nil) { userDefaults.put(object, forKey: key) }
      }
      state.forgetUndecodable()
      state.listeners.announceChange()
    }
  }

  private static func encode<V: UserDefaultsSerializable>(_ value: V?) throws -> PropertyListObject?
  {
    try value.map { PropertyListObject(try $0.storedValue.propertyListObject()) }
  }
}
