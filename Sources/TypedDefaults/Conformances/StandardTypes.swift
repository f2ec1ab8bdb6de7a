// The types that a property list holds as they are: each is its own stored form.

extension UserDefaultsSerializable where Self: PropertyListValue, StoredValue == Self {
  /// The value, which is its own stored form.
  public var storedValue: Self { self }

  /// Creates the value from its stored form, which is itself.
  public init(storedValue: Self) { self = storedValue }
}

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

extension String: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}

/// The stored form is an array of the lower and the upper bound.
extension Range: UserDefaultsSerializable where Bound: UserDefaultsSerializable {
  /// The stored forms of the lower and the upper bound, in this order.
  public var storedValue: [Bound.StoredValue] { [lowerBound.storedValue, upperBound.storedValue] }

  /// If the array is not of two bounds in order, nil.
  public init?(storedValue: [Bound.StoredValue]) {
    guard let bounds = Bound.bounds(storedValue) else { return nil }
    self = bounds.lower..<bounds.upper
  }
}

/// The stored form is an array of the lower and the upper bound.
extension ClosedRange: UserDefaultsSerializable where Bound: UserDefaultsSerializable {
  /// The stored forms of the lower and the upper bound, in this order.
  public var storedValue: [Bound.StoredValue] { [lowerBound.storedValue, upperBound.storedValue] }

  /// If the array is not of two bounds in order, nil.
  public init?(storedValue: [Bound.StoredValue]) {
    guard let bounds = Bound.bounds(storedValue) else { return nil }
    self = bounds.lower...bounds.upper
  }
}

extension Comparable where Self: UserDefaultsSerializable {
  fileprivate static func bounds(_ storedValues: [StoredValue]) -> (lower: Self, upper: Self)? {
    guard storedValues.count == 2,
      let lower = Self(storedValue: storedValues[0]),
      let upper = Self(storedValue: storedValues[1]),
      lower <= upper
    else { return nil }
    return (lower, upper)
  }
}
