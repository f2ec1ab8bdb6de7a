public import Foundation

// Each is its own stored form, except for `CGFloat` and `Decimal`, which property lists do not
// hold.

extension Bool: PropertyListValue {
  /// Returns the object of a property list, which is the same Boolean.
  ///
  /// - Returns: The Boolean.
  public func propertyListObject() -> Any { self }

  /// Creates a Boolean from an object of a property list.
  ///
  /// Reads a Boolean, and a number, which is `true` unless it is zero. The strings that it reads are yes, y, true, t and 1, and no, n, false,
  /// f and 0, in any case. Returns `nil` for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let bool = object as? Bool {
      self = bool
    } else if let number = object as? NSNumber {
      self = number.doubleValue != 0
    } else {
      switch (object as? String)?.lowercased() {
      case "yes", "y", "true", "t", "1": self = true
      case "no", "n", "false", "f", "0": self = false
      default: return nil
      }
    }
  }
}

/// The form of an integer in a property list.
extension FixedWidthInteger where Self: PropertyListValue {
  /// Returns the number as an `Int`, or as an `Int64` or a `UInt64` if an `Int` cannot hold it.
  ///
  /// - Returns: The number.
  public func propertyListObject() -> Any {
    // A number that fits is an `Int`, which is what the raw accessors look for on Linux. An `Int` of
    // a watch has 32 bits.
    Int(exactly: self) ?? Int64(exactly: self) ?? UInt64(self) as Any
  }

  /// Creates an integer from an object of a property list.
  ///
  /// Reads a number, a Boolean as 1 or 0, and a string that parses as an integer. Returns `nil` if the type cannot represent the number exactly, and for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let integer = object as? Int {
      self.init(exactly: integer)
    } else if let number = object as? NSNumber {
      guard let integer = number.integer else { return nil }
      self.init(exactly: integer)
    } else if let string = object as? String {
      self.init(string)
    } else {
      return nil
    }
  }
}

/// The form of a floating-point number in a property list.
extension BinaryFloatingPoint where Self: PropertyListValue & LosslessStringConvertible {
  /// Returns the number as a `Double`.
  ///
  /// - Returns: The number.
  public func propertyListObject() -> Any {
    // A file holds no other floating-point numbers, and memory is to equal the file.
    Double(self)
  }

  /// Creates a floating-point number from an object of a property list.
  ///
  /// Reads a number, rounded to the type's precision, a Boolean as 1 or 0, and a string that parses as
  /// a number. Returns `nil` if a finite number is beyond the type's range, and for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let double = object as? Double {
      self.init(double)
      if isInfinite && double.isFinite { return nil }
    } else if let number = object as? NSNumber {
      if let integer = number.integer {
        self.init(integer)
      } else {
        self.init(propertyListObject: number.doubleValue)
      }
    } else if let string = object as? String {
      self.init(string)
      // Not its name.
      if isInfinite && string.utf8.contains(where: \.isDigit) { return nil }
    } else {
      return nil
    }
  }

  /// The number, or its name if it is not finite. The bits of a NaN are left out: they equal all
  /// others, and the parser refuses some.
  var json: JSON? { isFinite ? .number("\(self)") : .string(isNaN ? "nan" : "\(self)") }
}

// MARK: - Conformances

/// Stored as a Boolean of a property list.
extension Bool: UserDefaultsSerializable {}

/// Stored as an integer of a property list.
extension Int: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension Int8: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension Int16: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension Int32: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension Int64: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension UInt: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension UInt8: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension UInt16: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension UInt32: PropertyListValue, UserDefaultsSerializable {}
/// Stored as an integer of a property list.
extension UInt64: PropertyListValue, UserDefaultsSerializable {}
/// Stored as a floating-point number of a property list.
extension Float: PropertyListValue, UserDefaultsSerializable, JSONConvertible {}
/// Stored as a floating-point number of a property list.
extension Double: PropertyListValue, UserDefaultsSerializable, JSONConvertible {}

/// Stored as a floating-point number.
extension CGFloat: UserDefaultsSerializable {
  /// The number as a `Double`.
  public var storedValue: Double { Double(self) }

  /// Creates the number from a `Double`.
  ///
  /// - Parameter storedValue: The number as a `Double`.
  public init(storedValue: Double) { self.init(storedValue) }
}

/// Stored as the decimal number's text, because the numbers of a property list are binary.
extension Decimal: UserDefaultsSerializable {
  /// The number's digits, with a point where it has a fraction.
  public var storedValue: String { description }

  /// Creates a decimal number from its text.
  ///
  /// Returns `nil` if the whole string is not a decimal number.
  ///
  /// - Parameter storedValue: The text.
  public init?(storedValue: String) {
    if storedValue == "NaN" {
      self = .nan
      return
    }
    // The parser ignores what follows the number.
    var scanner = TextScanner(storedValue)
    _ = scanner.take("+-")
    var hasDigits = scanner.digits() != nil
    if scanner.take("."), scanner.digits() != nil { hasDigits = true }
    if scanner.take("eE") {
      _ = scanner.take("+-")
      hasDigits = hasDigits && scanner.digits() != nil
    }
    guard hasDigits, scanner.isAtEnd, let decimal = Decimal(string: storedValue) else { return nil }
    self = decimal
  }
}
