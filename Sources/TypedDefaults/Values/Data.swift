public import Foundation

extension Data: PropertyListValue {
  /// The data itself.
  public func propertyListObject() -> Any { self }

  /// If the object is not data, nil.
  public init?(propertyListObject object: Any) {
    guard let data = object as? Data else { return nil }
    self = data
  }
}

extension Data: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}
