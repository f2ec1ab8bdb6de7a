public import Foundation

// Strings, and what is stored as its text.

extension String: PropertyListValue {
  /// The string itself.
  public func propertyListObject() -> Any { self }

  /// If the object is a number, its text; if it is neither that nor a string, nil.
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

  /// If the string is not a UUID's text, nil.
  public init?(storedValue: String) { self.init(uuidString: storedValue) }
}

/// The stored form is the time zone's identifier, such as "Europe/Paris" or "GMT+0100".
extension TimeZone: UserDefaultsSerializable {
  /// The identifier.
  public var storedValue: String { identifier }

  /// If the string is not the identifier of a time zone, nil.
  public init?(storedValue: String) { self.init(identifier: storedValue) }
}

/// The stored form is the locale's identifier, such as "pt_BR".
extension Locale: UserDefaultsSerializable {
  /// The identifier.
  public var storedValue: String { identifier }

  /// Creates the locale of the identifier, which may be any string.
  public init(storedValue: String) { self.init(identifier: storedValue) }
}
