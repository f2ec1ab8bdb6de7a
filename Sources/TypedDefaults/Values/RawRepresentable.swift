extension UserDefaultsSerializable
where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates a value from the stored form of its raw value.
  ///
  /// Returns `nil` if the raw value cannot be decoded, or is the raw value of no case.
  ///
  /// - Parameter storedValue: The stored form of the raw value.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

// If a type is both, its raw value is stored, which is the plainer form.
extension UserDefaultsSerializable
where Self: RawRepresentable & Codable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// Creates a value from the stored form of its raw value.
  ///
  /// Returns `nil` if the raw value cannot be decoded, or is the raw value of no case.
  ///
  /// - Parameter storedValue: The stored form of the raw value.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
