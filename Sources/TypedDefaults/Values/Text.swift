public import Foundation

// Strings, and types that are stored as text.

extension String: PropertyListValue {
  /// Returns the string itself.
  ///
  /// - Returns: The string.
  public func propertyListObject() -> Any { self }

  /// Creates a string from a string, or from the text of a number.
  ///
  /// Returns `nil` for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let string = object as? String {
      self = string
    } else if let number = object as? NSNumber {
      self = number.stringValue
    } else {
      return nil
    }
  }
}

extension String: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

/// The stored form is the UUID's text.
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

/// The stored form is the time zone's identifier, such as "Europe/Paris" or "GMT+0100".
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

/// The stored form is the locale's identifier, such as "pt_BR".
extension Locale: UserDefaultsSerializable {
  /// The identifier.
  public var storedValue: String { identifier }

  /// Creates a locale from its identifier.
  ///
  /// - Parameter storedValue: The identifier, which may be any string.
  public init(storedValue: String) { self.init(identifier: storedValue) }
}
