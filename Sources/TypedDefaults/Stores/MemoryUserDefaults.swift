internal import Foundation

/// A `UserDefaults` with its own memory.
final class MemoryUserDefaults: UserDefaults {
  private let memory: MemoryBackend
  private let domain: String
  let store: Store

  /// - Parameters:
  ///   - domain: The name of the suite for the persistent-domain calls.
  ///   - arguments: The launch arguments, which override stored values.
  init(_ memory: MemoryBackend, domain: String, arguments: [String: Any]) {
    self.memory = memory
    self.domain = domain
    store = Store(memory, keys: memory.keys)
    // An unused name, so that accessors which are not overridden find nothing.
    super.init(suiteName: "TypedDefaults.\(UUID())")!
    // `super.init` has set the arguments of the process.
    memory.setObjects(Self.objects(in: arguments), at: .argument)
  }

  /// - Parameter memory: That of a copy, with its launch arguments.
  convenience init(_ memory: MemoryBackend) {
    self.init(memory, domain: "", arguments: memory.objects(at: .argument).mapValues(\.object))
  }

  /// Creates a store that touches no disk and sees no launch arguments.
  ///
  /// - Parameters:
  ///   - managed: The objects of an administrator, which nobody overrides.
  ///   - system: The defaults of an administrator.
  convenience init(managed: [String: Any] = [:], system: [String: Any] = [:]) {
    let memory = MemoryBackend(layers: [.managed, .argument, .stored, .system, .registered])
    memory.setObjects(Self.objects(in: managed), at: .managed)
    memory.setObjects(Self.objects(in: system), at: .system)
    self.init(memory, domain: "", arguments: [:])
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    /// Creates a store that is kept in the file of a suite; nil is the standard suite.
    ///
    /// - Parameter directories: Those in which an administrator's files are.
    convenience init(
      savedIn suite: String?, directories: [String] = AdministratorFiles.directories
    ) {
      let file = PreferencesFile(suite: suite)
      self.init(
        MemoryBackend(layers: Layer.ofFile),
        domain: suite ?? file.name,
        arguments: UserDefaults.standard.volatileDomain(forName: Self.argumentDomain))
      memory.load(from: file, directories: directories, for: self)
    }
  #endif

  // MARK: Reading

  override func object(forKey key: String) -> Any? { memory.object(key) }

  // All are overridden: it is not documented whether Foundation's call `object(forKey:)`.

  override func bool(forKey key: String) -> Bool {
    let object = object(forKey: key)
    if let bool = object as? Bool { return bool }
    // `boolValue` of a number ignores the fraction.
    if let number = object as? NSNumber { return number.doubleValue != 0 }
    return (object as? String).map(NSString.init(string:))?.boolValue ?? false
  }

  override func integer(forKey key: String) -> Int {
    let object = object(forKey: key)
    return object as? Int ?? (object as? NSNumber)?.intValue ?? (object as? String).map(
      NSString.init(string:))?.integerValue ?? 0
  }

  override func double(forKey key: String) -> Double {
    let object = object(forKey: key)
    return (object as? NSNumber)?.doubleValue ?? (object as? String).map(NSString.init(string:))?
      .doubleValue ?? 0
  }

  override func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  override func string(forKey key: String) -> String? {
    object(forKey: key).flatMap(String.init(propertyListObject:))
  }

  override func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

  override func url(forKey key: String) -> URL? {
    object(forKey: key).flatMap(URL.init(propertyListObject:))
  }

  override func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }

  override func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }

  override func dictionary(forKey key: String) -> [String: Any]? {
    object(forKey: key) as? [String: Any]
  }

  override func dictionaryRepresentation() -> [String: Any] {
    memory.visibleObjects.mapValues(\.object)
  }

  // MARK: Writing

  override func set(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(forKey: key) }
    do {
      let mostLevels = PropertyListObject.mostLevels
      change(key, to: try PropertyListObject(validating: value, mostLevels: mostLevels))
    } catch {
      // Foundation ends the process here.
      DefaultsIssue.unencodable(type(of: value), key: key, error)
        .report()
    }
  }

  override func set(_ value: Bool, forKey key: String) { set(value as Any, forKey: key) }

  override func set(_ value: Int, forKey key: String) { set(value as Any, forKey: key) }

  override func set(_ value: Double, forKey key: String) { set(value as Any, forKey: key) }

  override func set(_ value: Float, forKey key: String) { set(Double(value), forKey: key) }

  override func set(_ url: URL?, forKey key: String) { set(url as Any?, forKey: key) }

  override func removeObject(forKey key: String) { change(key, to: nil) }

  private func change(_ key: String, to object: PropertyListObject?) {
    store.change(store.state(of: key), to: object, in: self)
  }

  override func register(defaults: [String: Any]) {
    memory.register(Self.objects(in: defaults).mapValues(\.object), in: self)
  }

  private static func objects(in dictionary: [String: Any]) -> [String: PropertyListObject] {
    dictionary.compactMapValues { try? PropertyListObject(validating: $0) }
  }

  // MARK: Domains

  override func persistentDomain(forName name: String) -> [String: Any]? {
    guard name == domain else { return super.persistentDomain(forName: name) }
    return memory.objects(at: .stored).mapValues(\.object)
  }

  override func setPersistentDomain(_ domain: [String: Any], forName name: String) {
    guard name == self.domain else { return super.setPersistentDomain(domain, forName: name) }
    transaction {
      for key in Set(memory.objects(at: .stored).keys).union(domain.keys) {
        set(domain[key], forKey: key)
      }
    }
  }

  override func removePersistentDomain(forName name: String) {
    guard name == domain else { return super.removePersistentDomain(forName: name) }
    setPersistentDomain([:], forName: name)
  }

  override func volatileDomain(forName name: String) -> [String: Any] {
    guard name == Self.argumentDomain else { return super.volatileDomain(forName: name) }
    return memory.objects(at: .argument).mapValues(\.object)
  }

  override func setVolatileDomain(_ domain: [String: Any], forName name: String) {
    guard name == Self.argumentDomain else {
      return super.setVolatileDomain(domain, forName: name)
    }
    memory.setObjects(Self.objects(in: domain), at: .argument)
  }

  override func removeVolatileDomain(forName name: String) {
    guard name == Self.argumentDomain else { return super.removeVolatileDomain(forName: name) }
    memory.setObjects([:], at: .argument)
  }

  // MARK: Saving

  @discardableResult
  override func synchronize() -> Bool {
    guard memory.path != nil else { return true }
    do {
      try store.flush(in: self)
      return true
    } catch {
      return false
    }
  }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension MemoryUserDefaults: @unchecked Sendable {}
#endif
