internal import Foundation

/// Where an object that a read finds is from. An upper layer hides those beneath it.
enum Layer: CaseIterable {
  case argument, environment, stored, registered
}

/// What differs between the kinds of store. What they share is in `Store`.
///
/// The instance of `UserDefaults` is the caller's own, because several may stand for one suite, each with
/// launch arguments of its own.
protocol StoreKind: Sendable {
  /// Whether it is a subclass of the user's, which alone knows what it does.
  var isCustom: Bool { get }

  /// Whether launch arguments and environment variables win over what is stored.
  var seesOverrides: Bool { get }

  /// Called before the first read.
  func load(_ userDefaults: UserDefaults)

  /// Has the accessors of `UserDefaults` find defaults.
  func register(_ defaults: [String: Any], in userDefaults: UserDefaults)

  /// What the accessors of `UserDefaults` find.
  ///
  /// - Parameter layer: Set to the object's layer where that costs nothing to tell.
  func visibleObject(_ key: String, in userDefaults: UserDefaults, layer: inout Layer?) -> Any?

  /// What one layer holds.
  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?

  /// What is stored, if the program has not assigned the key yet: asked once, before it does.
  func firstStoredObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject?

  /// Changes what is stored, and has the change saved. The caller holds the key's lock.
  ///
  /// - Parameter transaction: Until whose end to save it is to wait.
  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
    inside transaction: Transaction.ID?)

  /// A number that another one replaces with each change; nil if the key's lock keeps everybody else from
  /// changing it.
  func revision(_ key: String) -> Int64?

  /// Changes what is stored, if it is still at a revision. The caller holds the key's lock.
  ///
  /// - Returns: Whether it was.
  func change(_ key: String, to object: PropertyListObject?, ifStillAt revision: Int64) -> Bool

  /// Called on the thread of a transaction, before its first change.
  func begin(_ transaction: Transaction.ID, in userDefaults: UserDefaults)

  /// Called on the thread of a transaction, to have its changes saved.
  func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults)

  /// Returns when every change is saved.
  func flush(_ userDefaults: UserDefaults) throws
}

// What all do whose truth is in `UserDefaults` itself.
extension StoreKind {
  var isCustom: Bool { false }

  var seesOverrides: Bool { true }

  func firstStoredObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    object(key, at: .stored, in: userDefaults)
  }

  func revision(_ key: String) -> Int64? { nil }

  func change(_ key: String, to object: PropertyListObject?, ifStillAt revision: Int64) -> Bool {
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

  /// What is stored, where that shows: not beneath an argument, or a registered default that equals it.
  /// Only then what lies beneath is asked for.
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

  /// Sets or removes what is stored under a key.
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
  /// The registered default of a key, whoever has registered it: there is one table for the process.
  static func registeredObject(_ key: String) -> PropertyListObject? {
    #if canImport(Darwin)
      standard.volatileDomain(forName: registrationDomain)[key].map(PropertyListObject.init)
    #else
      withoutStoredValues.instance.object(forKey: key).map(PropertyListObject.init)
    #endif
  }

  #if !canImport(Darwin)
    /// A suite in which nothing is ever stored and which looks past launch arguments: what it returns
    /// is registered. The registration domain itself cannot be asked.
    private static let withoutStoredValues: SharedUserDefaults = {
      let userDefaults = UserDefaults(suiteName: "TypedDefaults.empty")!
      userDefaults.removeVolatileDomain(forName: argumentDomain)
      _ = userDefaults.object(forKey: "")
      return SharedUserDefaults(userDefaults)
    }()
  #endif
}
