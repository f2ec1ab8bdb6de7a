public import Foundation
public import NIOSSL

/// The place of the settings in etcd, and the way to reach it.
public struct EtcdOptions: Sendable {
  /// The addresses of the members, such as `http://10.0.0.1:2379`.
  public var endpoints: [URL]

  /// The prefix of the settings, which are the keys `PREFIX/KEY`.
  public var prefix: String

  /// The name and password of etcd's user, or `nil` if the cluster asks for none.
  public var credentials: (user: String, password: String)?

  /// The certificates to trust and to show, for addresses that begin with `https`.
  public var tls: TLSConfiguration?

  /// The suite on this machine's disk that keeps a copy of the settings, or `nil` for no copy.
  ///
  /// With a copy, ``EtcdDefaults/open(_:within:)`` succeeds even if no member answers.
  public var localCopy: String?

  /// The time without an answer from etcd until an issue is reported.
  ///
  /// `flush()` and `withLock` wait for the same time.
  public var patience = Duration.seconds(5)

  /// Creates options from the addresses of the members and the prefix of the settings.
  ///
  /// - Parameters:
  ///   - endpoints: The addresses. One is enough; with more, any of them may fail.
  ///   - prefix: The prefix of the settings, which are the keys `PREFIX/KEY`.
  public init(endpoints: [URL], prefix: String) {
    self.endpoints = endpoints
    self.prefix = prefix
  }
}
