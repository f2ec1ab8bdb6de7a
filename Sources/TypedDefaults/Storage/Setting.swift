internal import Foundation

/// One key of one store, as one declaration sees it: the only way in which the library reads or
/// writes a setting.
struct Setting<Value: UserDefaultsSerializable>: Sendable {
  let key: String

  private enum Role {
    /// A typed key: reads whatever the accessors of `UserDefaults` read, registered defaults too.
    case accessor
    /// A declaration, with the form in which its default is registered, if it has one.
    case declaration(registered: PropertyListObject?)
  }

  private let role: Role
  private let state: KeyState

  // Safe to use from several threads, which `UserDefaults` is, though on Linux it does not say so.
  private nonisolated(unsafe) let userDefaults: UserDefaults

  init(_ key: UserDefaults.Key<Value>, in userDefaults: UserDefaults) {
    self.init(key, in: userDefaults, role: .accessor)
  }

  init(
    _ key: UserDefaults.Key<Value>, in userDefaults: UserDefaults,
    declaredWithDefault defaultValue: Value?
  ) {
    var registered: PropertyListObject?
    do {
      registered = try Self.encode(defaultValue)
    } catch {
      DefaultsIssue.unencodable(Value.self, key: key.name, error, kept: "it is not registered")
        .report()
    }
    self.init(key, in: userDefaults, role: .declaration(registered: registered))
    if let registered {
      userDefaults.register(defaults: [key.name: registered.object])
    }
    state.declare(type: Value.self, default: registered, key: key.name)
  }

  private init(_ key: UserDefaults.Key<Value>, in userDefaults: UserDefaults, role: Role) {
    self.key = key.name
    self.userDefaults = userDefaults
    self.role = role
    state = Store.of(userDefaults).state(of: key.name)
  }

  // MARK: Reading

  /// The value; nil if there is none, or none that can be decoded.
  func read() -> Value? {
    guard let object = userDefaults.object(forKey: key).map(PropertyListObject.init) else {
      state.forgetUndecodable()
      return nil
    }
    if case .declaration(let registered) = role {
      guard isStored(object, registered: registered) else { return nil }
    }
    if let value = Self.decode(object) {
      state.forgetUndecodable(unlessEqualTo: object)
      return value
    }
    return readAround(undecodable: object)
  }

  /// Whether an object that `UserDefaults` returned is a stored one, not a registered default: which
  /// is one table for the whole process, so that it may be another suite's.
  private func isStored(_ object: PropertyListObject, registered: PropertyListObject?) -> Bool {
    if state.isKnownToBeStored { return true }
    if object == registered { return false }
    let isStored = Store.of(userDefaults).isStored(object, key: key, in: userDefaults)
    if isStored { state.noteStored() }
    return isStored
  }

  /// Reports what cannot be decoded. Beneath a launch argument that is ignored lies what is stored.
  private func readAround(undecodable object: PropertyListObject) -> Value? {
    let argument = userDefaults.volatileDomain(forName: UserDefaults.argumentDomain)[key]
    guard let argument, PropertyListObject(argument) == object else {
      state.reportUndecodable(object) {
        .undecodable(object, as: Value.self, key: key, hasDefault: hasDefault)
      }
      return nil
    }
    state.reportUndecodableArgument {
      .undecodableArgument(object, as: Value.self, key: key)
    }
    guard let stored = Store.of(userDefaults).storedObject(key: key, in: userDefaults) else {
      return nil
    }
    if let value = Self.decode(stored) { return value }
    state.reportUndecodable(stored) {
      .undecodable(stored, as: Value.self, key: key, hasDefault: hasDefault)
    }
    return nil
  }

  private var hasDefault: Bool {
    if case .declaration(.some) = role { true } else { false }
  }

  // MARK: Writing

  /// Stores a value; nil removes what is stored.
  func write(_ value: Value?) {
    do {
      put(try Self.encode(value))
    } catch {
      reportUnencodable(error)
    }
  }

  /// Reads, lets the body change, and writes if it did, as one step.
  func withLock<R>(
    default defaultValue: Value? = nil, _ body: (inout Value?) throws -> R
  ) rethrows -> R {
    try state.exclusively {
      var value = read() ?? defaultValue
      let before = try? Self.encode(value)
      let result = try body(&value)
      do {
        let after = try Self.encode(value)
        if after != before { put(after) }
      } catch {
        reportUnencodable(error)
      }
      return result
    }
  }

  /// Every change of a setting comes by here.
  private func put(_ object: PropertyListObject?) {
    state.exclusively {
      Store.of(userDefaults).change(key, to: object) {
        userDefaults.put(object, forKey: key)
        state.noteWritten(isStored: object != nil)
      }
      state.announceChange()
    }
  }

  private func reportUnencodable(_ error: any Error) {
    DefaultsIssue.unencodable(Value.self, key: key, error, kept: "the old value stays").report()
  }

  // MARK: Between the user's value and the property list's object

  private static func encode(_ value: Value?) throws -> PropertyListObject? {
    try value.map { PropertyListObject(try $0.storedValue.propertyListObject()) }
  }

  private static func decode(_ object: PropertyListObject) -> Value? {
    Value.StoredValue(propertyListObject: object.object).flatMap(Value.init(storedValue:))
  }
}
