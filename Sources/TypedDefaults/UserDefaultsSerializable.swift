/// A type whose values can be kept in `UserDefaults`.
///
/// An enum with a raw value and a `Codable` type need only say so:
///
///     enum Theme: String, UserDefaultsSerializable { case light, dark }
///     struct User: Codable, UserDefaultsSerializable { var name: String }
///
/// An enum that has no raw value needs one, or it must be `Codable`. Any other type gives its stored
/// form itself:
///
///     struct Hue: UserDefaultsSerializable {
///       var degrees: Double
///       var storedValue: Double { degrees }
///       init?(storedValue: Double) {
///         guard (0..<360).contains(storedValue) else { return nil }
///         degrees = storedValue
///       }
///     }
/// A type that conforms in another file than its own is declared `Sendable` in its own:
/// `enum Theme: String, Sendable { … }`, then `extension Theme: UserDefaultsSerializable {}`.
public protocol UserDefaultsSerializable: Sendable {
  /// The type of the stored form: one that a property list can hold.
  associatedtype StoredValue: PropertyListValue

  /// The value in its stored form.
  var storedValue: StoredValue { get }

  /// Creates the value from its stored form; nil if that is not the form of any value.
  ///
  /// A nil makes what is stored *undecodable*: it is reported as
  /// ``DefaultsIssue/Kind/undecodableValue`` and left as it is.
  init?(storedValue: StoredValue)
}

// What a property list holds as it is is its own stored form.
extension UserDefaultsSerializable where Self: PropertyListValue, StoredValue == Self {
  /// The value, which is its own stored form.
  public var storedValue: Self { self }

  /// Creates the value from its stored form, which is itself.
  public init(storedValue: Self) { self = storedValue }
}

/// The name that the compiler gives when an optional type is declared with ``WrappedDefault``.
///
/// Nothing conforms to it. A conformance of `Optional` that asks for less would have `T` inferred as
/// `URL?` in `let url: URL? = fetch("url")`, where `fetch` returns any ``UserDefaultsSerializable`` `T`.
public protocol UseWrappedDefaultOptionalInstead {}

@available(
  *, unavailable,
  message: "declare an optional setting with @WrappedDefaultOptional, without the '?' in its key"
)
extension Optional: UserDefaultsSerializable where Wrapped: UseWrappedDefaultOptionalInstead {
  public var storedValue: Bool { fatalError("unavailable") }
  public init?(storedValue: Bool) { fatalError("unavailable") }
}
