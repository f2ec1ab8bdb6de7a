public import Foundation
internal import Synchronization
public import TypedDefaults

/// Settings that many machines share, kept in etcd.
///
///     let options = EtcdOptions(endpoints: [URL(string: "http://10.0.0.1:2379")!], prefix: "app")
///     let settings = AppSettings(userDefaults: try EtcdDefaults.open(options, within: .seconds(3)))
///
/// Reads come from memory. A change is in memory at once, and sent in the background; a change by another
/// machine is in memory as soon as etcd tells of it.
///
/// Each setting is a key of etcd, `PREFIX/KEY`, whose value is text: JSON, or an XML property list for what
/// JSON cannot hold. `etcdctl put` is an edit like any other.
public final class EtcdDefaults: UserDefaults, DefaultsStore {
  private let connection: EtcdConnection
  private let arguments: [String: StoredText]
  private let registered = Mutex<[String: StoredText]>([:])

  /// Loads the settings, and hears of their changes from now on.
  ///
  /// - Parameters:
  ///   - options: Where the settings are.
  ///   - time: How long to wait for an answer.
  /// - Throws: A `DefaultsIssue` if no member answers within the time and there is no local copy, if
  ///   the certificates, the user or the password are wrong, or if the user may not read the prefix.
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
    // A name of its own, so that what is not overridden finds nothing.
    super.init(suiteName: "EtcdDefaults.\(UUID())")!
    let weak = Weak(self)
    connection.start { keys, perform in
      weak.userDefaults?.announceChange(of: keys, telling: perform)
    }
  }

  deinit { connection.close() }

  /// All that the connection needs of the instance, which may be freed.
  private final class Weak: @unchecked Sendable {  // It is only ever read.
    weak var userDefaults: EtcdDefaults?

    init(_ userDefaults: EtcdDefaults) {
      self.userDefaults = userDefaults
    }
  }

  // MARK: Reading

  /// Returns what is set as a launch argument, else what is stored, else the registered default.
  public override func object(forKey key: String) -> Any? {
    arguments[key]?.object ?? connection.object(key)
      ?? registered.withLock { $0[key] }?.object
  }

  /// Returns what is stored, and nothing else.
  public func storedObject(forKey key: String) -> Any? { connection.object(key) }

  /// Returns everything that `object(forKey:)` finds, as of one moment.
  public override func dictionaryRepresentation() -> [String: Any] {
    registered.withLock { $0 }.mapValues(\.object)
      .merging(connection.objects) { $1 }
      .merging(arguments.mapValues(\.object)) { $1 }
  }

  // MARK: Writing

  /// Changes the memory, and has the change sent.
  public override func set(_ value: Any?, forKey key: String) {
    if let value = stored(value, key) { connection.set([key: value]) }
  }

  /// Removes what is stored.
  public override func removeObject(forKey key: String) { connection.set([key: nil]) }

  public override func set(_ value: Bool, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Int, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Float, forKey key: String) { set(value as Any?, forKey: key) }
  public override func set(_ value: Double, forKey key: String) { set(value as Any?, forKey: key) }

  /// Keeps a default that shows where nothing is stored.
  public override func register(defaults: [String: Any]) {
    let texts = defaults.compactMapValues { try? StoredText($0) }
    registered.withLock { $0.merge(texts) { $1 } }
    announceChange(of: Array(texts.keys))
  }

  /// The form in which an object is stored, `.some(nil)` for none; nil, and reported, if it has no form.
  private func stored(_ object: Any?, _ key: String) -> StoredText?? {
    do {
      return .some(try object.map(StoredText.init))
    } catch {
      DefaultsIssue(
        .unencodableValue, key: key,
        """
        An object of type \(object.map { "\(type(of: $0))" } ?? "nil") for "\(key)" is not a property \
        list, and the old value stays: \(error)
        """
      ).report()
      return nil
    }
  }

  // MARK: What the library asks for

  public func beginTransaction() { connection.beginTransaction() }

  public func endTransaction() { connection.endTransaction() }

  public func revision(forKey key: String) -> Int64? { connection.revision(of: key) }

  public func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) -> Bool {
    guard let value = stored(object, key) else { return true }
    return connection.set(value, key, ifStillAt: revision)
  }

  public func saveChanges() throws { try connection.flush() }

  /// Waits until etcd has confirmed each change made so far, and returns whether it has.
  @discardableResult
  public override func synchronize() -> Bool { (try? connection.flush()) != nil }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension EtcdDefaults: @unchecked Sendable {}
#endif
