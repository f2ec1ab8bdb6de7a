public import Foundation
public import NIOSSL

/// Where the settings are, and how to reach them.
public struct EtcdOptions: Sendable {
  /// The addresses of the members, such as `http://10.0.0.1:2379`.
  public var endpoints: [URL]

  /// The settings are the keys `PREFIX/KEY`.
  public var prefix: String

  /// The name and password of etcd's user; nil if the cluster asks for none.
  public var credentials: (user: String, password: String)?

  /// Which certificates to trust and to show, for addresses that begin with `https`.
  public var tls: TLSConfiguration?

  /// The suite on this machine's disk that keeps a copy of the settings; nil for no copy.
  ///
  /// With a copy, ``EtcdDefaults/open(_:within:)`` also succeeds if no member answers.
  public var localCopy: String?

  /// How long etcd may give no answer until this is reported.
  ///
  /// `flush()` and `withLock` wait for as long.
  public var patience = Duration.seconds(5)

  /// Creates options with defaults for all but the place of the settings.
  ///
  /// - Parameters:
  ///   - endpoints: The addresses of the members. One is enough; with more, any of them may fail.
  ///   - prefix: The settings are the keys `PREFIX/KEY`.
  public init(endpoints: [URL], prefix: String) {
    self.endpoints = endpoints
    self.prefix = prefix
  }
}
