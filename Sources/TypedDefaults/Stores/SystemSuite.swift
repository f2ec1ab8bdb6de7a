internal import Foundation
internal import Synchronization

/// A suite of Foundation's own class that the platform saves, or whose name is unknown.
final class SystemSuite: Backend, @unchecked Sendable {  // As its superclass is.
  enum Name {
    case standard
    case named(String)
    case unknown
  }

  private let name: Name

  init(name: Name) {
    self.name = name
    super.init(layers: [.managed, .argument, .environment, .stored, .registered])
  }

  /// Foundation elsewhere than on Apple platforms knows no stored object beneath an argument before
  /// the first read.
  override func load(_ userDefaults: UserDefaults) {
    memory.values.withLock { _ in _ = userDefaults.object(forKey: "") }
  }

  override func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
    -> [PropertyListObject]
  {
    let visible = userDefaults.object(forKey: key)
    let objects = objects(key, at: layer, in: userDefaults, visible: visible)
    if layer == .stored { noteFound(objects.first, key) }
    return objects
  }

  override func copy(of keys: Set<String>, with _: [Token], in userDefaults: UserDefaults)
    -> MemoryBackend
  {
    // One read, because other processes may change what is stored between two.
    let visible = userDefaults.dictionaryRepresentation()
    return copy(of: keys) { key, layer in
      objects(key, at: layer, in: userDefaults, visible: visible[key]).first
    }
  }

  /// - Parameter visible: The object that the accessors of `UserDefaults` return.
  private func objects(
    _ key: String, at layer: Layer, in userDefaults: UserDefaults,
    visible: Any?
  ) -> [PropertyListObject] {
    let managed = managed(key, in: userDefaults, visible: visible)
    if layer == .managed { return managed.map { [$0] } ?? [] }
    return userDefaults.objects(key, at: layer) {
      let visible = visible.map(PropertyListObject.init)
      let isHidden = managed != nil || userDefaults.mayHide(key, visible)
      return isHidden ? stored(key, in: userDefaults) : visible
    }
  }

  /// Returns the object that an administrator forces, which the accessors of `UserDefaults` return.
  private func managed(
    _ key: String, in userDefaults: UserDefaults, visible: Any?
  ) -> PropertyListObject? {
    #if canImport(Darwin)
      guard userDefaults.objectIsForced(forKey: key) else { return nil }
      return visible.map(PropertyListObject.init)
    #else
      nil
    #endif
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

  override func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults)
    -> Bool?
  {
    userDefaults.put(object, forKey: key)
    Self.synchronizesAtExit
    Self.changed.withLock {
      $0[ObjectIdentifier(userDefaults)] = SendableDefaults(userDefaults)
    }
    return nil
  }

  /// The instances by which stores were changed.
  private static let changed = Mutex<[ObjectIdentifier: SendableDefaults]>([:])

  private static let synchronizesAtExit: Void = { atexit { SystemSuite.synchronizeChanged() } }()

  /// Saves what was changed. The system does so by itself only in an app, and Foundation elsewhere
  /// never.
  static func synchronizeChanged() {
    for changed in changed.withLock({ Array($0.values) }) { changed.instance.synchronize() }
  }
}
