// If one element of a collection cannot be read, the whole collection cannot.

/// Stored as an array of the elements' stored forms.
extension Array: UserDefaultsSerializable, Described
where Element: UserDefaultsSerializable {
  /// The stored forms of the elements, in their order.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// Creates an array from its stored form.
  ///
  /// Returns `nil` if an element cannot be decoded.
  ///
  /// - Parameter storedValue: The stored forms of the elements.
  public init?(storedValue: [Element.StoredValue]) {
    if Element.StoredValue.self == Element.self {
      self = storedValue as! Self
      return
    }
    guard let elements = storedValue.mapAll(Element.init(storedValue:)) else { return nil }
    self = elements
  }

  static var noun: String {
    "a list in brackets, each \(Expectation.words(for: Element.self))"
  }
}

/// Stored as an array of the elements' stored forms, sorted by their text.
///
/// Equal sets therefore have equal stored forms.
extension Set: UserDefaultsSerializable, Described
where Element: UserDefaultsSerializable {
  /// The stored forms of the elements, sorted by their text.
  public var storedValue: [Element.StoredValue] {
    // Not by its description: Foundation ends the process at that of a date that is not a number.
    map { ($0.storedValue, text: $0.text ?? "") }.sorted { $0.text < $1.text }.map(\.0)
  }

  /// Creates a set from its stored form.
  ///
  /// Returns `nil` if an element cannot be decoded.
  ///
  /// - Parameter storedValue: The stored forms of the elements, in any order.
  public init?(storedValue: [Element.StoredValue]) {
    guard let elements = [Element](storedValue: storedValue) else { return nil }
    self.init(elements)
  }

  static var noun: String { "a set in brackets, each \(Expectation.words(for: Element.self))" }
}

/// Stored as a dictionary of the values' stored forms, by the text of the keys' stored
/// forms.
extension Dictionary: UserDefaultsSerializable, Described
where
  Key: UserDefaultsSerializable, Key.StoredValue: LosslessStringConvertible,
  Value: UserDefaultsSerializable
{
  /// The stored forms of the values, by the text of the stored forms of their keys.
  public var storedValue: [String: Value.StoredValue] {
    // Two keys may have one stored form, such as two NaNs. That must not trap.
    .init(map { ($0.storedValue.description, $1.storedValue) }, uniquingKeysWith: { $1 })
  }

  /// Creates a dictionary from its stored form.
  ///
  /// Returns `nil` if a key or value cannot be decoded, or if two entries decode to the same key.
  ///
  /// - Parameter storedValue: The stored forms of the values, by the text of the keys' stored
  ///   forms.
  public init?(storedValue: [String: Value.StoredValue]) {
    if Key.self == String.self, Value.StoredValue.self == Value.self {
      self = storedValue as! Self
      return
    }
    self.init(minimumCapacity: storedValue.count)
    for (text, storedValue) in storedValue {
      guard let key = Key.StoredValue(text).flatMap(Key.init(storedValue:)),
        let value = Value(storedValue: storedValue),
        updateValue(value, forKey: key) == nil
      else { return nil }
    }
  }

  static var noun: String {
    "a dictionary in braces, each value \(Expectation.words(for: Value.self))"
  }
}

// MARK: - Stored forms

extension Array: PropertyListValue, JSONConvertible where Element: PropertyListValue {
  /// Returns an array of the elements' objects.
  ///
  /// - Returns: The array.
  /// - Throws: The error of the first element that a property list cannot hold.
  public func propertyListObject() throws -> Any {
    try map { try $0.propertyListObject() }
  }

  /// Creates an array from an object of a property list.
  ///
  /// Reads an array, and JSON text or data of one. Returns `nil` for any other object, and if an element cannot be read as an `Element`.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    // Casts the whole array where the objects are elements already.
    guard
      let elements = object as? Self
        ?? JSON.elements(of: object)?.mapAll(Element.init(reading:))
    else { return nil }
    self = elements
  }

  var json: JSON? { mapAll { $0.asJSON() }.map { .array($0) } }
}

extension Dictionary: PropertyListValue, JSONConvertible
where Key == String, Value: PropertyListValue {
  /// Returns a dictionary of the values' objects.
  ///
  /// - Returns: The dictionary.
  /// - Throws: The error of a value that a property list cannot hold, or an error for the key
  ///   "CF$UID".
  public func propertyListObject() throws -> Any {
    try Fault.check(keys)
    return try mapValues { try $0.propertyListObject() }
  }

  /// Creates a dictionary from an object of a property list.
  ///
  /// Reads a dictionary, and JSON text or data of an object. Returns `nil` for any other object, and if a value cannot be read as a `Value`.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    guard
      let values = object as? Self ?? JSON.members(of: object)?.mapAll(Value.init(reading:))
    else { return nil }
    self = values
  }

  var json: JSON? { mapAll { $0.asJSON() }.map { .object($0) } }
}
