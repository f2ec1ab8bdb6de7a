internal import Foundation

/// A suite of Foundation's own class that the platform saves, or whose name is unknown.
struct SystemSuite: StoreKind {
  /// Whether this is the standard suite, the only one whose name is known.
  let isStandard: Bool

  func object(_ key: String, at layer: Layer, in userDefaults: UserDefaults) -> PropertyListObject?
  {
    switch layer {
    case .argument: userDefaults.argument(key)
    case .environment: nil
    case .stored: storedObject(key, in: userDefaults)
    case .registered: UserDefaults.registeredObject(key)
    }
  }

  private func storedObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    storedObject(key, in: userDefaults) {
      #if canImport(Darwin)
        if isStandard {
          return CFPreferencesCopyValue(
            key as CFString, kCFPreferencesCurrentApplication, kCFPreferencesCurrentUser,
            kCFPreferencesAnyHost
          ).map(PropertyListObject.init)
        }
      #endif
      // The stored object is unknown here. The visible one may be it.
      return userDefaults.object(forKey: key).map(PropertyListObject.init)
    }
  }

  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
    inside transaction: Transaction.ID?
  ) {
    userDefaults.put(object, forKey: key)
    #if !canImport(Darwin)
      Self.synchronizesAtExit
    #endif
  }

  #if !canImport(Darwin)
    /// One instance saves the changes of all.
    private static let synchronizesAtExit: Void = {
      atexit { UserDefaults.standard.synchronize() }
    }()
  #endif
}
