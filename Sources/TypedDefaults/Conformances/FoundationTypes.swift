public import Foundation

extension Data: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

/// On Linux, a file holds whole seconds: the fraction is gone when another process reads the date.
extension Date: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

/// The stored form is that of `UserDefaults.url(forKey:)`: a file's path, or the archive of any other
/// URL.
extension URL: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

/// The stored form is a floating-point number.
extension CGFloat: UserDefaultsSerializable {
  /// The number as a `Double`.
  public var storedValue: Double { Double(self) }

  /// Creates the number from a `Double`.
  public init(storedValue: Double) { self.init(storedValue) }
}

/// The stored form is the decimal number's text, because a property list's numbers are binary ones.
extension Decimal: UserDefaultsSerializable {
  /// The number's digits, with a point where it has a fraction.
  public var storedValue: String { description }

  /// If the string is not wholly a decimal number, nil.
  public init?(storedValue: String) {
    if storedValue == "NaN" {
      self = .nan
      return
    }
    // The parser itself stops at what it does not understand.
    let shape = /[+-]?(\d+([.]\d*)?|[.]\d+)([eE][+-]?\d+)?/
    guard storedValue.wholeMatch(of: shape) != nil, let decimal = Decimal(string: storedValue)
    else { return nil }
    self = decimal
  }
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
