public import Foundation

extension Data: PropertyListValue {
  /// Returns the data itself.
  ///
  /// - Returns: The data.
  public func propertyListObject() -> Any { self }

  /// Creates data from data.
  ///
  /// Returns `nil` for any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    guard let data = object as? Data else { return nil }
    self = data
  }
}

extension Data: UserDefaultsSerializable, Described {
  /// The value itself.
  public typealias StoredValue = Self

  static var noun: String { "data" }
  static var examples: [Self] { [Self([1, 2, 255])] }
}
