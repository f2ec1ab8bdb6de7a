public import Foundation

/// A number that the server raises with each commit. 0 stands for a key without a value.
public typealias ServerVersion = Int64

/// A server that keeps texts for many programs.
///
/// ``RemoteDefaults`` does the rest: memory, order, batches, retries and reports. Each function may
/// throw a ``ServerError``. It returns or throws within seconds, unless bytes keep coming.
public protocol SettingsServer: Sendable {
  /// The words that messages use for the server and the place in it.
  var name: String { get }

  /// The most that one commit may hold: changes, and bytes of keys and texts.
  var limits: (operations: Int, bytes: Int) { get }

  /// Returns all texts at one moment.
  func load() async throws -> (entries: [String: ServerEntry], version: ServerVersion)

  /// Returns the commits after a version, in their order and each once.
  ///
  /// The stream begins with an empty change as soon as the server answers, and has one at least every
  /// two seconds. It throws if it can promise that no longer, and
  /// ``ServerError/Kind/compacted`` or ``ServerError/Kind/restored`` if the version is unknown.
  func changes(
    after version: ServerVersion
  ) async throws -> AsyncThrowingStream<ServerChange, any Error>

  /// Commits all changes or none, and at most once for each identifier.
  ///
  /// There is one call at a time. A call that throws ``ServerError/Kind/unavailable`` may have been
  /// committed, or may be until the next call returns; a call with the same identifier then tells.
  ///
  /// - Parameters:
  ///   - id: The identifier of the commit.
  ///   - values: The new texts, with `nil` for a key to remove.
  ///   - expected: The versions that keys must still have.
  func commit(
    id: UUID, _ values: [String: Data?], expected: [String: ServerVersion]
  ) async throws -> CommitResult

  /// Releases what the server holds.
  func close() async
}

/// A text, and the version of the commit that has stored it.
public struct ServerEntry: Sendable, Equatable {
  public var text: Data
  public var version: ServerVersion

  public init(text: Data, version: ServerVersion) {
    self.text = text
    self.version = version
  }
}

/// A commit, or a sign of life.
public struct ServerChange: Sendable {
  /// The new texts, with `nil` for a removed key. Empty in a sign of life.
  public var values: [String: Data?]
  /// The version of the commit; in a sign of life, the one before.
  public var version: ServerVersion

  public init(_ values: [String: Data?] = [:], version: ServerVersion) {
    self.values = values
    self.version = version
  }
}

/// The result of a commit.
public enum CommitResult: Sendable {
  case committed(ServerVersion)
  /// Nothing is changed, and nothing will be. These are the expected keys as they are now.
  case conflict(now: [String: ServerEntry?], ServerVersion)
}

/// The reason why a server does not do what it is asked.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The server does not answer. A later try may succeed.
    case unavailable
    /// The server refuses this one commit.
    case refused
    /// The server refuses this program, until somebody changes that.
    case denied
    /// Only another configuration of this program helps.
    case misconfigured
    /// The history no longer reaches back to a version.
    case compacted
    /// The history is another one, as after the restore of a snapshot.
    case restored
  }

  public var kind: Kind
  public var cause: String
  /// A sentence that says what a person can do.
  public var advice: String

  public init(_ kind: Kind, _ cause: String, advice: String) {
    self.kind = kind
    self.cause = cause
    self.advice = advice
  }

  public var description: String { cause }
}
