internal import Foundation

/// The layer that an object comes from. An upper layer hides the lower ones.
enum Layer: CaseIterable {
  case argument, environment, stored, registered
}

/// The differences between the kinds of store. `Store` has what they share.
///
/// The methods receive the caller's instance of `UserDefaults`: a suite may have several instances,
/// each with its own launch arguments.
protocol StoreKind: Sendable {
  /// Whether the store is a subclass that the library does not know.
  var isCustom: Bool { get }

  /// Whether launch arguments and environment variables override stored values.
  var seesOverrides: Bool { get }

  /// Called before the first read.
  func load(_ userDefaults: UserDefaults)

  /// Registers defaults, which the accessors of `UserDefaults` then return.
  func register(_ defaults: [String: Any], in userDefaults: UserDefaults)

  /// Returns the object that the accessors of `UserDefaults` return.
  ///
  /// - Parameter layer: Set to the object's layer, if that is known without a search.
  func visibleObject(_ key: String, in userDefaults: UserDefaults, layer: inout Layer?) -> Any?

  /// Returns the object in one layer.
  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?

  /// Returns the object that is stored before the program's first assignment of a key.
  func firstStoredObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject?

  /// Changes the stored object, and schedules a save. The caller holds the key's lock.
  ///
  /// - Parameter transaction: The transaction to whose end the save is deferred.
  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
    inside transaction: Transaction.ID?)

  /// Returns a number that differs after each change; nil if nobody can change the key while it is
  /// locked. Throws if it cannot be had now.
  func revision(_ key: String) throws -> Int64?

  /// Changes the stored object, if the key is still at a revision. The caller holds the key's lock.
  ///
  /// - Returns: Whether the key was at the revision.
  /// - Throws: An issue if the object cannot be stored now.
  func change(
    _ key: String, to object: PropertyListObject?, ifStillAt revision: Int64
  ) throws -> Bool

  /// Called on the thread of a transaction, before its first change.
  func begin(_ transaction: Transaction.ID, in userDefaults: UserDefaults)

  /// Called on the thread of a transaction, to have its changes saved.
  func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults)

  /// Returns when every change is saved.
  func flush(_ userDefaults: UserDefaults) throws
}

// The behaviour of a store that `UserDefaults` itself keeps.
extension StoreKind {
  var isCustom: Bool { false }

  var seesOverrides: Bool { true }

  func firstStoredObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    object(key, at: .stored, in: userDefaults)
  }

  func revision(_ key: String) throws -> Int64? { nil }

  func change(
    _ key: String, to object: PropertyListObject?, ifStillAt revision: Int64
  ) throws -> Bool {
    false
  }

  func begin(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {}

  func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {}

  func load(_ userDefaults: UserDefaults) {}

  func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
    userDefaults.register(defaults: defaults)
  }

  func visibleObject(_ key: String, in userDefaults: UserDefaults, layer: inout Layer?) -> Any? {
    userDefaults.object(forKey: key)
  }

  /// Returns the stored object. It is the one that a read finds, unless an argument or an equal
  /// registered default may hide it. Only then `beneath` is called.
  func storedObject(
    _ key: String, in userDefaults: UserDefaults, beneath: () -> PropertyListObject?
  ) -> PropertyListObject? {
    guard let visible = userDefaults.object(forKey: key).map(PropertyListObject.init) else {
      return nil
    }
    let mayHide =
      userDefaults.argument(key) != nil || visible == UserDefaults.registeredObject(key)
    return mayHide ? beneath() : visible
  }

  func flush(_ userDefaults: UserDefaults) throws {
    guard userDefaults.synchronize() else { throw DefaultsIssue.notSynchronized }
  }
}

extension UserDefaults {
  /// The launch argument of a key.
  func argument(_ key: String) -> PropertyListObject? {
    volatileDomain(forName: UserDefaults.argumentDomain)[key].map(PropertyListObject.init)
  }

  /// Sets or removes the stored object of a key.
  func put(_ object: PropertyListObject?, forKey key: String) {
    if let object {
      set(object.object, forKey: key)
    } else {
      removeObject(forKey: key)
    }
  }
}

// MARK: - Registered defaults

extension UserDefaults {
  /// Returns the registered default of a key. There is one table for all suites of the process.
  static func registeredObject(_ key: String) -> PropertyListObject? {
    #if canImport(Darwin)
      standard.volatileDomain(forName: registrationDomain)[key].map(PropertyListObject.init)
    #else
      withoutStoredValues.instance.object(forKey: key).map(PropertyListObject.init)
    #endif
  }

  #if !canImport(Darwin)
    /// A suite without stored values and launch arguments, which returns only registered defaults.
    /// On Linux the registration domain itself cannot be read.
    private static let withoutStoredValues: SharedUserDefaults = {
      let userDefaults = UserDefaults(suiteName: "TypedDefaults.empty")!
      userDefaults.removeVolatileDomain(forName: argumentDomain)
      _ = userDefaults.object(forKey: "")
      return SharedUserDefaults(userDefaults)
    }()
  #endif
}
