public import Foundation

// Strings, and types that are stored as text.

extension String: PropertyListValue {
  /// Returns the object of a property list, which is the same string.
  ///
  /// - Returns: The string.
  public func propertyListObject() -> Any { self }

  /// Creates a string from an object of a property list.
  ///
  /// Reads a string, and a number or a Boolean as its text. Returns `nil` for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let string = object as? String {
      self = string
    } else if let number = object as? NSNumber {
      self = number.stringValue
    } else if case .number(let text)? = object as? JSON {
      self = text
    } else {
      return nil
    }
  }
}

extension String: JSONConvertible {
  var json: JSON? { .string(self) }
}

/// Stored as a string of a property list.
extension String: UserDefaultsSerializable {}

/// Stored as the UUID's text.
extension UUID: UserDefaultsSerializable {
  /// The text, such as "E621E1F8-C36C-495A-93FC-0C247A3E6E5F".
  public var storedValue: String { uuidString }

  /// Creates a UUID from its text.
  ///
  /// Returns `nil` if the string is not the text of a UUID.
  ///
  /// - Parameter storedValue: The text.
  public init?(storedValue: String) { self.init(uuidString: storedValue) }
}

/// Stored as the time zone's identifier, such as "Europe/Paris" or "GMT+0100".
extension TimeZone: UserDefaultsSerializable {
  /// The identifier.
  public var storedValue: String { identifier }

  /// Creates a time zone from its identifier.
  ///
  /// Returns `nil` if there is no time zone with this identifier.
  ///
  /// - Parameter storedValue: The identifier.
  public init?(storedValue: String) { self.init(identifier: storedValue) }
}

/// Stored as the locale's identifier, such as "pt_BR".
extension Locale: UserDefaultsSerializable {
  /// The identifier.
  public var storedValue: String { identifier }

  /// Creates a locale from its identifier.
  ///
  /// - Parameter storedValue: The identifier, which may be any string.
  public init(storedValue: String) { self.init(identifier: storedValue) }
}

/// Stored as a string of the character.
extension Character: UserDefaultsSerializable {
  /// The character as a string.
  public var storedValue: String { String(self) }

  /// Creates a character from a string.
  ///
  /// Returns `nil` unless the string is one character.
  ///
  /// - Parameter storedValue: The string.
  public init?(storedValue: String) {
    guard storedValue.count == 1, let character = storedValue.first else { return nil }
    self = character
  }
}
