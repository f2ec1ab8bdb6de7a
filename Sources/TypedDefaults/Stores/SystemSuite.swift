internal import Foundation

/// A suite of Foundation's own class that the platform saves, or whose name is unknown.
struct SystemSuite: Backend {
  enum Name {
    case standard
    case named(String)
    case unknown
  }

  let name: Name

  var isObservable: Bool { true }

  func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]
  {
    userDefaults.objects(key, at: layer) {
      userDefaults.storedObject(key, visible: userDefaults.object(forKey: key)) {
        stored(key, in: userDefaults)
      }
    }
  }

  /// Returns the stored object beneath others. In a suite whose name is unknown, an object that
  /// equals the registered default is not taken for a stored one.
  private func stored(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    #if canImport(Darwin)
      let application: CFString
      switch name {
      case .standard: application = kCFPreferencesCurrentApplication
      case .named(let name): application = name as CFString
      case .unknown: return nil
      }
      return CFPreferencesCopyValue(
        key as CFString, application, kCFPreferencesCurrentUser, kCFPreferencesAnyHost
      ).map(PropertyListObject.init)
    #else
      let domain =
        switch name {
        case .standard: "kCFPreferencesCurrentApplication"
        case .named(let name): name
        case .unknown: ""
        }
      return userDefaults.persistentDomain(forName: domain)?[key].map(PropertyListObject.init)
    #endif
  }

  #if !canImport(Darwin)
    func change(
      _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
      inside transaction: Transaction.Token?
    ) -> Bool? {
      userDefaults.put(object, forKey: key)
      Self.synchronizesAtExit
      return nil
    }

    /// One instance saves the changes of all.
    private static let synchronizesAtExit: Void = {
      atexit { UserDefaults.standard.synchronize() }
    }()
  #endif
}
