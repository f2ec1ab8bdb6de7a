public import Logging
public import TypedDefaults

/// The colors of the settings page.
public enum Theme: String, CaseIterable, UserDefaultsSerializable {
  case system, light, dark
}

// The raw value is stored, and the cases are the choices. Neither package knows the other, so that
// neither will ever have this conformance itself.
// swift-format-ignore: AvoidRetroactiveConformances
extension Logger.Level: @retroactive UserDefaultsSerializable {}

/// What a client may take up. Stored as JSON text.
public struct Limits: Codable, Equatable, Sendable {
  /// The size of a request's body.
  public var bodyBytes = 1_048_576

  /// The time to send a request's body.
  public var bodySeconds = 10

  /// The time after which a connection without any traffic is closed. It holds for new connections.
  public var idleSeconds = 60

  public init() {}
}

extension Limits: UserDefaultsSerializable {
  public static var expectation: String? {
    "bodyBytes from 1024 to 100000000, bodySeconds from 1 to 3600, and idleSeconds from 30 to 3600"
  }

  public init?(storedValue: JSONText<Self>) {
    self = storedValue.value
    guard (1_024...100_000_000).contains(bodyBytes), (1...3_600).contains(bodySeconds),
      (30...3_600).contains(idleSeconds)
    else { return nil }
  }
}

/// A text that the program sends to nobody and prints nowhere.
public struct Secret: UserDefaultsSerializable, CustomStringConvertible, CustomReflectable {
  let text: String

  public init(storedValue: String) { text = storedValue }

  public var storedValue: String { text }

  public static var expectation: String? { "any text" }

  public var description: String { "(secret)" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
