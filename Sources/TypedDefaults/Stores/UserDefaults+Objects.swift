internal import Foundation

extension PropertyListObject {
  /// The object to set again: on Linux, `set` traps for arrays that Foundation has returned.
  var settable: Self { (try? Self(validating: object)) ?? self }
}

extension UserDefaults {
  /// The launch argument of a key.
  func argument(_ key: String) -> PropertyListObject? {
    volatileDomain(forName: UserDefaults.argumentDomain)[key].map(PropertyListObject.init)
  }

  /// Synchronizes.
  ///
  /// - Throws: An issue if that fails.
  func synchronizeOrThrow() throws {
    if !synchronize() { throw DefaultsIssue.notSynchronized }
  }

  /// Sets or removes the stored object of a key.
  func put(_ object: PropertyListObject?, forKey key: String) {
    if let object {
      set(object.object, forKey: key)
    } else {
      removeObject(forKey: key)
    }
  }

  /// Sets or removes what the library keeps itself in Foundation's memory, too. What is nested too deep to
  /// be a value is left out: to set 400 levels takes Foundation half a minute.
  func mirror(_ object: PropertyListObject?, forKey key: String) {
    if object?.isDeeper() != true { put(object, forKey: key) }
  }

  /// Returns the objects of a layer that Foundation keeps in the same way for all its suites.
  func objects(
    _ key: String, at layer: Layer, stored: () -> PropertyListObject?
  ) -> [PropertyListObject] {
    let object =
      switch layer {
      case .argument: argument(key)
      case .stored: stored()
      case .registered: Self.registeredObject(key)
      default: nil as PropertyListObject?
      }
    return object.map { [$0] } ?? []
  }

  /// Whether the object that a read finds may be an argument, or a registered default that equals the
  /// stored one.
  func mayHide(_ key: String, _ visible: PropertyListObject?) -> Bool {
    visible != nil && (argument(key) != nil || visible == Self.registeredObject(key))
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
    private static let withoutStoredValues: SendableDefaults = {
      let userDefaults = UserDefaults(suiteName: "TypedDefaults.empty")!
      userDefaults.removeVolatileDomain(forName: argumentDomain)
      _ = userDefaults.object(forKey: "")
      return SendableDefaults(userDefaults)
    }()
  #endif
}
