extension UserDefaultsSerializable
where Self: RawRepresentable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// If the stored form is not that of a raw value, or the raw value that of no case, nil.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

// Where a type is both, the raw value is stored: it is the plainer of the two.
extension UserDefaultsSerializable
where Self: RawRepresentable & Codable, RawValue: UserDefaultsSerializable {
  /// The stored form of the raw value.
  public var storedValue: RawValue.StoredValue { rawValue.storedValue }

  /// If the stored form is not that of a raw value, or the raw value that of no case, nil.
  public init?(storedValue: RawValue.StoredValue) {
    guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
