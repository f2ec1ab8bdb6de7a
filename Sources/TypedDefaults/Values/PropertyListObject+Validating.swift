internal import Foundation

extension PropertyListObject {
  /// Creates an object from any value, with numbers as a file gives them back.
  ///
  /// - Throws: An `Unencodable` if a property list cannot hold the value.
  init(validating value: Any) throws {
    switch value {
    case let value as any PropertyListValue: self.init(try value.propertyListObject())
    case let array as [Any]: self.init(try array.map { try Self(validating: $0).object })
    case let dictionary as [String: Any]:
      try Unencodable.check(dictionary.keys)
      self.init(try dictionary.mapValues { try Self(validating: $0).object })
    // Classes of Foundation, of which some are mutable.
    case let string as String: self.init(string)
    case let data as Data: self.init(data)
    case let date as Date: self.init(try date.propertyListObject())
    case let url as NSURL:
      // Bridging would lose the base on Linux.
      let parts = URL(string: url.relativeString, relativeTo: url.baseURL)
      self.init(try (parts ?? url as URL).propertyListObject())
    case let number as NSNumber where Self(number).isBoolean: self.init(number.boolValue)
    case let number as NSNumber:
      self.init(type(of: value) == CGFloat.self ? number.doubleValue : number)
    default: throw Unencodable(reason: "a property list cannot hold it")
    }
  }
}
