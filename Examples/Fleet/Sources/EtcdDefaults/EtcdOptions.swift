public import Foundation
public import NIOSSL
public import RemoteDefaults

/// The place of the settings in etcd, and the way to reach it.
public struct EtcdOptions: Sendable {
  /// The addresses of the members, such as `http://10.0.0.1:2379`. One is enough; with more, any may fail.
  public var endpoints: [URL]
  /// The prefix of the settings, which are the keys `PREFIX/KEY`.
  public var prefix: String
  /// The name and password of etcd's user, or `nil` if the cluster asks for none.
  public var credentials: (user: String, password: String)?
  /// The certificates to trust and to show, for addresses that begin with `https`.
  public var tls = TLSConfiguration.makeClientConfiguration()
  /// The suite on this machine's disk that keeps a copy of the settings as plain text, or `nil`.
  public var localCopy: String?
  /// The time without an answer after which calls give up and an outage is reported.
  public var patience = Duration.seconds(5)

  public init(endpoints: [URL], prefix: String) {
    self.endpoints = endpoints
    self.prefix = prefix
  }
}

/// Stores in etcd. Each setting is the key `PREFIX/KEY`, which you can edit with `etcdctl put`.
///
/// ```swift
/// let options = EtcdOptions(endpoints: [URL(string: "http://10.0.0.1:2379")!], prefix: "app")
/// let settings = AppSettings(in: try EtcdDefaults.open(options, within: .seconds(3)))
/// ```
public enum EtcdDefaults {
  /// Opens a store as `RemoteDefaults.open` does.
  public static func open(_ options: EtcdOptions, within time: Duration) throws -> RemoteDefaults {
    try RemoteDefaults.open(
      EtcdServer(options), within: time, patience: options.patience, localCopy: options.localCopy)
  }

  /// Opens a store as above, and suspends the task meanwhile.
  public static func open(
    _ options: EtcdOptions, within time: Duration, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RemoteDefaults {
    try await RemoteDefaults.open(
      EtcdServer(options), within: time, patience: options.patience, localCopy: options.localCopy)
  }
}
