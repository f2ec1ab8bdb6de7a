public import Foundation
internal import Synchronization
public import TypedDefaults

/// A store on a server, whose settings many machines share.
///
/// Reads come from memory. A change is in memory at once, and is sent in the background. The change
/// of another machine is in memory as soon as the server announces it.
///
/// Each setting is one text on the server: JSON, or an XML property list where JSON cannot hold the
/// value.
public final class RemoteDefaults: UserDefaults, DefaultsStore {
  private let connection: RemoteConnection
  private let arguments: [String: StoredText]
  private let registered = Mutex<[String: StoredText]>([:])

  /// Loads the settings, and follows their changes from then on.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - time: The time to wait for an answer.
  ///   - patience: The time without an answer from the server until `flush()`, `withLock` and
  ///     `exclusively` give up, and until an outage is reported.
  ///   - localCopy: The suite on this machine's disk that keeps a copy of the settings as plain text,
  ///     or `nil` for no copy. With a copy, this function succeeds even if the server does not answer.
  /// - Returns: The store.
  /// - Throws: A `DefaultsIssue` if the server does not answer within the time and there is no copy, or
  ///   at once if it refuses this program.
  public static func open(
    _ server: some SettingsServer, within time: Duration, patience: Duration = .seconds(5),
    localCopy: String? = nil
  ) throws -> RemoteDefaults {
    let store = RemoteDefaults(server, patience, localCopy)
    try store.finishOpening { try store.connection.wait(store.connection.opening(within: time)) }
    return store
  }

  /// Loads the settings as above, and suspends the task meanwhile.
  public static func open(
    _ server: some SettingsServer, within time: Duration, patience: Duration = .seconds(5),
    localCopy: String? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RemoteDefaults {
    let store = RemoteDefaults(server, patience, localCopy)
    let result: Result<Void, any Error>
    do {
      result = .success(try await store.connection.wait(store.connection.opening(within: time)))
    } catch {
      result = .failure(error)
    }
    try store.finishOpening(result.get)
    return store
  }

  private func finishOpening(_ result: () throws -> Void) throws {
    do {
      try result()
    } catch {
      let isRefused = connection.monitor.withLock {
        connection.hearing.error.map { $0.kind != .unavailable } ?? false
      }
      if !isRefused, connection.loadCopy() { return }
      connection.close(within: .zero)
      throw error
    }
  }

  private init(_ server: some SettingsServer, _ patience: Duration, _ localCopy: String?) {
    arguments = UserDefaults.standard.volatileDomain(forName: Self.argumentDomain)
      .compactMapValues { try? StoredText($0) }
    let weak = Weak()
    connection = RemoteConnection(server, patience: patience, localCopy: localCopy) {
      weak.userDefaults?.announceChange(of: $0, telling: $1)
    }
    // An unused name, so that accessors which are not overridden find nothing.
    super.init(suiteName: "RemoteDefaults.\(UUID())")!
    weak.userDefaults = self
    connection.start()
  }

  /// Changes that are not sent yet are sent nevertheless, also at the end of the program.
  deinit { connection.release() }

  /// The instance as the connection knows it: it may be freed.
  private final class Weak: @unchecked Sendable {  // It is set before anybody reads it.
    weak var userDefaults: RemoteDefaults?
  }

  /// Sends what is left, and ends the connection. A key that could not be sent is reported.
  ///
  /// - Parameter time: The time to wait.
  public func close(within time: Duration = .seconds(3)) { connection.close(within: time) }

  /// The time since the server has last given a sign of life, or `nil` before the first one. In health,
  /// it is below four seconds.
  public var sinceHeard: Duration? {
    connection.monitor.withLock { connection.heard.map { .now - $0 } }
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

  /// Stores an object in memory, and sends the change in the background.
  ///
  /// - Parameters:
  ///   - value: The object, or `nil` to remove the stored object.
  ///   - key: The name of the key.
  public override func set(_ value: Any?, forKey key: String) {
    do {
      connection.set(try stored(value, key), key)
    } catch {
      (error as? DefaultsIssue)?.report()
    }
  }

  /// Removes the stored object of a key.
  ///
  /// - Parameter key: The name of the key.
  public override func removeObject(forKey key: String) { connection.set(nil, key) }

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

  private func stored(_ object: Any?, _ key: String) throws -> StoredText? {
    do {
      return try object.map(StoredText.init)
    } catch {
      throw DefaultsIssue.unstorable(type(of: object!), key: key)
    }
  }

  // MARK: Called by the library

  public func beginTransaction() { connection.beginTransaction() }

  public func endTransaction() { connection.endTransaction() }

  public func runExclusively(_ body: () throws -> Void) throws {
    try connection.exclusively(body)
  }

  public func revision(forKey key: String) throws -> Int64? {
    try connection.wait(connection.revision(of: key))
  }

  public func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) throws
    -> Bool
  {
    let value = try stored(object, key)
    if let issue = connection.tooMuch([key: value]) { throw issue }
    return try connection.wait(connection.commit([key: value], expected: [key: revision]))
  }

  public func saveChanges() throws { try connection.wait(connection.flushing()) }

  public func saveChanges(isolation: isolated (any Actor)?) async throws {
    try await connection.wait(connection.flushing())
  }

  /// Waits until the server has confirmed each change made so far.
  ///
  /// - Returns: Whether it has.
  @discardableResult
  public override func synchronize() -> Bool { (try? saveChanges()) != nil }
}

#if canImport(Darwin)
  // `UserDefaults` is `Sendable` in newer interfaces, which a subclass restates.
  extension RemoteDefaults: @unchecked Sendable {}
#endif
