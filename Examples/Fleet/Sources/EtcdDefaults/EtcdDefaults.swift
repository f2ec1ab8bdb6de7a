public import Foundation
internal import Synchronization
public import TypedDefaults

/// A store in etcd, whose settings many machines share.
///
/// ```swift
/// let options = EtcdOptions(endpoints: [URL(string: "http://10.0.0.1:2379")!], prefix: "app")
/// let settings = AppSettings(in: try EtcdDefaults.open(options, within: .seconds(3)))
/// ```
///
/// Reads come from memory. A change is in memory at once, and is sent in the background. The change
/// of another machine is in memory as soon as etcd announces it.
///
/// Each setting is the key `PREFIX/KEY` of etcd. Its value is JSON text, or an XML property list
/// where JSON cannot hold the value. You can edit it with `etcdctl put`.
public final class EtcdDefaults: UserDefaults, DefaultsStore {
  private let connection: EtcdConnection
  private let arguments: [String: StoredText]
  private let registered = Mutex<[String: StoredText]>([:])

  /// Loads the settings, and follows their changes from then on.
  ///
  /// - Parameters:
  ///   - options: The addresses, the prefix and the credentials.
  ///   - time: The time to wait for an answer.
  /// - Returns: The store.
  /// - Throws: A `DefaultsIssue` if no member answers within the time and there is no local copy.
  ///   Also if the certificates, the user or the password are wrong, or if the user may not read
  ///   the prefix.
  public static func open(_ options: EtcdOptions, within time: Duration) throws -> EtcdDefaults {
    let connection = EtcdConnection(options)
    do {
      try connection.open(within: time)
    } catch {
      connection.close()
      throw error
    }
    return EtcdDefaults(connection)
  }

  private init(_ connection: EtcdConnection) {
    self.connection = connection
    arguments = UserDefaults.standard.volatileDomain(forName: Self.argumentDomain)
      .compactMapValues { try? StoredText($0) }
    // An unused name, so that accessors which are not overridden find nothing.
    super.init(suiteName: "EtcdDefaults.\(UUID())")!
    let weak = Weak(self)
    connection.start { keys, perform in
      weak.userDefaults?.announceChange(of: keys, telling: perform)
    }
  }

  deinit { connection.close() }

  /// The instance as the connection knows it: it may be freed.
  private final class Weak: @unchecked Sendable {  // It is only ever read.
    weak var userDefaults: EtcdDefaults?

    init(_ userDefaults: EtcdDefaults) {
      self.userDefaults = userDefaults
    }
  }

  // MARK: Reading

  /// Returns the launch argument of a key, else the stored object, else the registered default.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The object, or `nil` if there is none.
  public override func object(forKey key: String) -> Any? {
    arguments[key]?.object ?? connection.object(key)
      ?? registered.withLock { $0[key] }?.object
  }

  /// Returns the stored object of a key.
  ///
  /// - Parameter key: The name of the key.
  /// - Returns: The object, or `nil` if nothing is stored.
  public func storedObject(forKey key: String) -> Any? { connection.object(key) }

  /// Returns the objects that `object(forKey:)` finds, all at one moment.
  ///
  /// - Returns: The objects by their keys.
  public override func dictionaryRepresentation() -> [String: Any] {
    registered.withLock { $0 }.mapValues(\.object)
      .merging(connection.objects) { $1 }
      .merging(arguments.mapValues(\.object)) { $1 }
  }

  // MARK: Writing

  /// Stores an object in memory, and sends the change to etcd in the background.
  ///
  /// - Parameters:
  ///   - value: The object, or `nil` to remove the stored object.
  ///   - key: The name of the key.
  public override func set(_ value: Any?, forKey key: String) {
    if let value = stored(value, key) { connection.set([key: value]) }
  }

  /// Removes the stored object of a key.
  ///
  /// - Parameter key: The name of the key.
  public override func removeObject(forKey key: String) { connection.set([key: nil]) }

  public override func set(_ value: Bool, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Int, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Float, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Double, forKey key: String) { set(value as Any?, forKey: key) }

  /// Registers objects that reads return while nothing is stored.
  ///
  /// - Parameter defaults: The objects by their keys.
  public override func register(defaults: [String: Any]) {
    let texts = defaults.compactMapValues { try? StoredText($0) }
    registered.withLock { $0.merge(texts) { $1 } }
    announceChange(of: Array(texts.keys))
  }

  /// The stored form of an object, which is `.some(nil)` for no object. Nil, and reported, if there
  /// is no such form.
  private func stored(_ object: Any?, _ key: String) -> StoredText?? {
    do {
      return .some(try object.map(StoredText.init))
    } catch {
      if let object { DefaultsIssue.unstorable(type(of: object), key: key).report() }
      return nil
    }
  }

  // MARK: Called by the library

  public func beginTransaction() { connection.beginTransaction() }

  public func endTransaction() { connection.endTransaction() }

  public func revision(forKey key: String) -> Int64? { connection.revision(of: key) }

  public func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) -> Bool {
    guard let value = stored(object, key) else { return true }
    return connection.set(value, key, ifStillAt: revision)
  }

  public func saveChanges() throws { try connection.flush() }

  /// Waits until etcd has confirmed each change made so far.
  ///
  /// - Returns: Whether etcd has confirmed all changes.
  @discardableResult
  public override func synchronize() -> Bool { (try? connection.flush()) != nil }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension EtcdDefaults: @unchecked Sendable {}
#endif
