public import Foundation

// The numbers and Booleans: each is its own stored form, except two that property lists do not hold.

extension Bool: PropertyListValue {
  /// The Boolean itself.
  public func propertyListObject() -> Any { self }

  /// Reads a number or one of six words.
  ///
  /// If the object is a number, whether it is not zero. If it is a string, parses yes, no, true,
  /// false, 1 and 0 in any case; otherwise nil.
  public init?(propertyListObject object: Any) {
    if let bool = object as? Bool {
      self = bool
    } else if let number = object as? NSNumber {
      self = number.doubleValue != 0
    } else {
      switch (object as? String)?.lowercased() {
      case "yes", "true", "1": self = true
      case "no", "false", "0": self = false
      default: return nil
      }
    }
  }
}

extension FixedWidthInteger where Self: PropertyListValue {
  /// The number as an `Int`, or as an `Int64` or a `UInt64` where an `Int` does not hold it.
  public func propertyListObject() -> Any {
    // A number that fits is an `Int`, which is what the raw accessors look for on Linux.
    if let integer = Int(exactly: self) { return integer }
    // An `Int` of a watch has 32 bits.
    if let integer = Int64(exactly: self) { return integer }
    return UInt64(self)
  }

  /// Reads a number that the type represents exactly.
  ///
  /// If the object is a number, it must be exactly representable. If it is a string, parses it;
  /// otherwise nil.
  public init?(propertyListObject object: Any) {
    if let integer = object as? Int {
      self.init(exactly: integer)
    } else if let number = object as? NSNumber {
      if let integer = Int64(exactly: number) {
        self.init(exactly: integer)
      } else if let integer = UInt64(exactly: number) {
        self.init(exactly: integer)
      } else {
        return nil
      }
    } else if let string = object as? String {
      self.init(string)
    } else {
      return nil
    }
  }
}

extension Int: PropertyListValue {}
extension Int8: PropertyListValue {}
extension Int16: PropertyListValue {}
extension Int32: PropertyListValue {}
extension Int64: PropertyListValue {}
extension UInt: PropertyListValue {}
extension UInt8: PropertyListValue {}
extension UInt16: PropertyListValue {}
extension UInt32: PropertyListValue {}
extension UInt64: PropertyListValue {}

extension BinaryFloatingPoint where Self: PropertyListValue & LosslessStringConvertible {
  /// The number as a `Double`.
  public func propertyListObject() -> Any {
    // A file holds no other floating-point numbers, so memory does not either.
    Double(self)
  }

  /// Reads a number in the type's range.
  ///
  /// If the object is a number, rounds it as the type rounds. If it is a string, parses it. A finite
  /// number beyond the type's range is none of its values, so nil; otherwise nil, too.
  public init?(propertyListObject object: Any) {
    if let double = object as? Double {
      self.init(double)
      if isInfinite && double.isFinite { return nil }
    } else if let number = object as? NSNumber {
      if let integer = Int64(exactly: number) {
        self.init(integer)
      } else if let integer = UInt64(exactly: number) {
        self.init(integer)
      } else {
        self.init(propertyListObject: number.doubleValue)
      }
    } else if let string = object as? String {
      self.init(string)
      if isInfinite && string.contains(where: \.isNumber) { return nil }
    } else {
      return nil
    }
  }
}

extension Float: PropertyListValue {}
extension Double: PropertyListValue {}

// MARK: - Conformances

extension Bool: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Int: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Int8: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Int16: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Int32: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Int64: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension UInt: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension UInt8: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension UInt16: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension UInt32: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension UInt64: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Float: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

extension Double: UserDefaultsSerializable {
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
