/// A value that a property list can hold: the stored form of a ``UserDefaultsSerializable`` type.
///
/// These are the Boolean, integer and floating-point types, `String`, `Data`, `Date`, `URL`, and
/// arrays, dictionaries with `String` keys, and JSON text of `Codable` values. A type of yours
/// conforms to ``UserDefaultsSerializable``, not to this.
///
/// What is read need not be what was written: a person may have edited it, a launch argument is
/// always a string, and a file forgets whether a number was an `Int8` or a `UInt64`. So each type
/// reads everything that means one of its values exactly, and nothing else.
public protocol PropertyListValue: Sendable {
  /// The object that a property list holds for the value: a Boolean, a number, a string, data, a
  /// date, an array or a dictionary.
  ///
  /// - Throws: An error if the value, though of this type, cannot be held.
  func propertyListObject() throws -> Any

  /// Creates the value from any object that a property list may hold; nil if it does not mean one.
  init?(propertyListObject object: Any)
}
