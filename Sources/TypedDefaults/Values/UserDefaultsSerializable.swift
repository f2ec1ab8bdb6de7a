/// A type whose values can be kept in `UserDefaults`.
///
/// An enum with a raw value, or a `Codable` type, conforms by its declaration:
///
/// ```swift
/// enum Theme: String, UserDefaultsSerializable {
///   case light, dark
/// }
///
/// struct User: Codable, UserDefaultsSerializable {
///   var name: String
/// }
/// ```
///
/// Give an enum without raw values a raw type, or make it `Codable`. Any other type defines its
/// stored form:
///
/// ```swift
/// struct Hue: UserDefaultsSerializable {
///   var degrees: Double
///   var storedValue: Double { degrees }
///   init?(storedValue: Double) {
///     guard 0..<360 ~= storedValue else { return nil }
///     degrees = storedValue
///   }
/// }
/// ```
///
/// > Important: If the conformance is in another file than the type, declare the type `Sendable` in
/// its own file: `enum Theme: String, Sendable { … }`, then `extension Theme:
/// UserDefaultsSerializable {}`.
public protocol UserDefaultsSerializable: Sendable {
  /// The type of the stored form, which a property list can hold.
  ///
  /// The compiler infers this type, unless the declaration says too little about the values.
  /// Give an enum a raw value, as in `enum Theme: String`, or make the type `Codable`.
  associatedtype StoredValue: PropertyListValue

  /// The value in its stored form.
  ///
  /// Any thread may ask for it, when a value is declared, assigned or compared.
  var storedValue: StoredValue { get }

  /// Creates a value from its stored form.
  ///
  /// Returns `nil` if no value has this stored form, so that the library reports a
  /// ``DefaultsIssue/Kind/undecodableValue`` and leaves the stored value alone. Any thread may call
  /// this initializer.
  ///
  /// - Parameter storedValue: The stored form.
  init?(storedValue: StoredValue)

  /// The values that the type accepts, in words, or `nil` if you give none.
  ///
  /// Reports and errors of ``DeclaredSetting/set(text:)`` quote them after "expected":
  ///
  /// ```swift
  /// static var expectation: String? { "a percentage" }
  /// ```
  static var expectation: String? { get }
}

extension UserDefaultsSerializable {
  /// No words, so that the library describes the values itself.
  public static var expectation: String? { nil }
}

// A type that a property list holds directly is its own stored form.
extension PropertyListValue where Self: UserDefaultsSerializable {
  /// The type of the stored form, because a property list holds this type directly.
  public typealias StoredValue = Self
}

extension UserDefaultsSerializable where Self: PropertyListValue, StoredValue == Self {
  /// The same value, because a property list holds this type directly.
  public var storedValue: Self { self }

  /// Creates a value from its stored form, which is of the same type.
  ///
  /// - Parameter storedValue: The stored form.
  public init(storedValue: Self) { self = storedValue }
}

/// A name for the compiler's error where ``WrappedDefault`` is declared with an optional type.
///
/// No type conforms to this protocol. Declare the setting with ``WrappedDefaultOptional`` instead.
/// A property list holds no `nil`, so `[Int?]` is no type of a setting either. Leave out missing
/// elements, or give them a type with a case for a missing value.
@_documentation(visibility: internal)
public protocol UseWrappedDefaultOptionalInstead: Sendable {}

// Without the requirement, the compiler would infer `T` as `URL?` in `let url: URL? =
// fetch("url")`, where `fetch` returns any serializable `T`.

@available(
  *, unavailable,
  message:
    "declare an optional setting with @WrappedDefaultOptional, without '?' in its key or elements"
)
extension Optional: UserDefaultsSerializable where Wrapped: UseWrappedDefaultOptionalInstead {
  public var storedValue: Bool { fatalError("unavailable") }
  public init?(storedValue: Bool) { fatalError("unavailable") }
}
