/// Stored as an array of the lower and the upper bound.
extension Range: UserDefaultsSerializable, Described where Bound: UserDefaultsSerializable {
  static var noun: String { Bound.nounOfRanges }

  /// The stored forms of the lower and the upper bound, in this order.
  public var storedValue: [Bound.StoredValue] { [lowerBound.storedValue, upperBound.storedValue] }

  /// Creates a range from its stored form.
  ///
  /// Returns `nil` unless the array holds two bounds in ascending order.
  ///
  /// - Parameter storedValue: The stored forms of the lower and the upper bound.
  public init?(storedValue: [Bound.StoredValue]) {
    guard let bounds = Bound.bounds(storedValue) else { return nil }
    self = bounds.lower..<bounds.upper
  }
}

/// Stored as an array of the lower and the upper bound.
extension ClosedRange: UserDefaultsSerializable, Described where Bound: UserDefaultsSerializable {
  static var noun: String { Bound.nounOfRanges }

  /// The stored forms of the lower and the upper bound, in this order.
  public var storedValue: [Bound.StoredValue] { [lowerBound.storedValue, upperBound.storedValue] }

  /// Creates a range from its stored form.
  ///
  /// Returns `nil` unless the array holds two bounds in ascending order.
  ///
  /// - Parameter storedValue: The stored forms of the lower and the upper bound.
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

  fileprivate static var nounOfRanges: String {
    "a range in brackets, each bound \(Expectation.words(for: Self.self))"
  }
}
