internal import Foundation

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

  /// The part of the library that saves; nil if nobody does, or the platform.
  var saver: (any Saver)? { get }

  /// The program's own store, if it works with the library.
  var subclass: (any DefaultsStore)? { get }

  /// Called before the first read.
  func load(_ userDefaults: UserDefaults)

  /// Registers defaults, which the accessors of `UserDefaults` then return.
  func register(_ defaults: [String: Any], in userDefaults: UserDefaults)

  /// Returns the object that the accessors of `UserDefaults` return.
  func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any?

  /// Whether a layer may hide the object that the accessors of `UserDefaults` return.
  var hidesVisibleObjects: Bool { get }

  /// Returns the objects of a key in one layer. The first that can be decoded counts.
  func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]

  /// Returns all stored objects.
  func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject]

  /// Returns the stored object, as far as it is known without a costly search.
  func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject?

  /// The number of changes by other processes, where to look at one object after a change takes as
  /// long as to look at all; nil elsewhere.
  var foreignChanges: Int? { get }

  /// Called when memory may have changed by no call of the library.
  func noteForeignChange()

  /// Changes the stored object in memory. The caller holds the key's lock.
  ///
  /// - Returns: Whether the object differs from the one before; nil if that is unknown.
  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults
  ) -> Bool?
}

/// Saves the changes of a store in the background.
protocol Saver: Sendable {
  /// Called before any lock is taken for a change.
  func reportIfForked()

  /// Called before a flush, and before a body of `exclusively`.
  ///
  /// - Throws: An issue in a child of `fork`.
  func refuseChild() throws

  /// Called before memory changes. The caller holds the key's lock.
  func willChange(_ key: String)

  /// Called after memory has changed.
  ///
  /// - Parameter transaction: The transaction to whose end the save is deferred.
  func didChange(
    _ key: String, to object: PropertyListObject?, heldBy transaction: Transaction.Token?)

  /// Makes the changes of a transaction part of another one, or saves them.
  func end(_ transaction: Transaction.Token, into outer: Transaction.Token?)

  /// Forgets the changes of a transaction.
  ///
  /// - Returns: What other processes have stored meanwhile.
  func drop(_ transaction: Transaction.Token) -> [String: PropertyListObject?]

  /// Runs a body while no other process makes a change.
  ///
  /// - Parameter body: Runs a transaction, which is given its way to commit.
  func exclusively(_ body: (_ commit: Transaction.Commit) throws -> Void) throws

  /// Returns when every change is saved.
  func flush() throws

  /// The path of the file.
  var path: String { get }

  /// Looks at the file, and returns what is wrong with it.
  func fileIssue() -> DefaultsIssue?

  /// Returns the path of the file that gives a key an object in one layer, if a file does.
  func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String?
}

// The behavior of a store that `UserDefaults` itself keeps.
extension Backend {
  var layers: [Layer] { [.argument, .environment, .stored, .registered] }

  var hearsEveryChange: Bool { false }

  var saver: (any Saver)? { nil }

  var subclass: (any DefaultsStore)? { nil }

  var hidesVisibleObjects: Bool { false }

  func load(_ userDefaults: UserDefaults) {}

  func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
    userDefaults.register(defaults: defaults)
  }

  func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
    userDefaults.object(forKey: key)
  }

  func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    objects(key, at: .stored, in: userDefaults).first
  }

  var foreignChanges: Int? { nil }

  func noteForeignChange() {}

  func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
    let keys = userDefaults.dictionaryRepresentation().keys
    return Dictionary(
      keys.compactMap { key in
        objects(key, at: .stored, in: userDefaults).first.map { (key, $0) }
      }, uniquingKeysWith: { $1 })
  }

  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults
  ) -> Bool? {
    userDefaults.put(object, forKey: key)
    return nil
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

  /// Returns the object that a read finds, if it is the stored one. If an argument or an equal
  /// registered default may hide that, asks for it.
  func storedObject(
    _ key: String, visible: Any?, beneath: () -> PropertyListObject?
  ) -> PropertyListObject? {
    guard let visible = visible.map(PropertyListObject.init) else { return nil }
    let mayHide = argument(key) != nil || visible == Self.registeredObject(key)
    return mayHide ? beneath() : visible
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
