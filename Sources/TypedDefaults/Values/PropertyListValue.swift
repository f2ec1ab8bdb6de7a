/// A value that a property list can hold, as the stored form of a ``UserDefaultsSerializable``
/// type.
///
/// The Boolean, integer and floating-point types conform, and `String`, `Data`, `Date`, `URL`,
/// arrays, dictionaries with `String` keys, and ``JSONText``. Conform your own types to
/// ``UserDefaultsSerializable`` instead, unless a value may be one of several kinds of objects.
///
/// A read may find another object than the one that was written. A person may have edited the file,
/// a launch argument is a string, and a file does not tell an `Int8` from a `UInt64`. Each type
/// therefore reads all objects that stand for exactly one of its values.
public protocol PropertyListValue: Sendable {
  /// Returns the object that a property list holds for the value.
  ///
  /// - Returns: A Boolean, a number, a string, data, a date, an array or a dictionary.
  /// - Throws: An error if a property list cannot hold this value of the type.
  func propertyListObject() throws -> Any

  /// Creates a value from an object of a property list.
  ///
  /// Returns `nil` if the object does not stand for a value of this type.
  ///
  /// - Parameter object: Any object that a property list can hold.
  init?(propertyListObject object: Any)
}
