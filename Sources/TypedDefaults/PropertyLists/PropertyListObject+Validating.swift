internal import Foundation

extension PropertyListObject {
  /// Creates an object from any value, with numbers as a file gives them back.
  ///
  /// - Parameters:
  ///   - inWholeSeconds: Whether dates lose their fractions, as in a file of the XML format.
  ///   - depth: The number of arrays and dictionaries around the value, with the dictionary of the
  ///     file.
  /// - Throws: An `Unencodable` if a property list cannot hold the value.
  init(validating value: Any, inWholeSeconds: Bool = false, depth: Int = 1) throws {
    func element(_ value: Any) throws -> Any {
      guard depth < Self.mostDepth else { throw Unencodable.tooDeep }
      return try Self(validating: value, inWholeSeconds: inWholeSeconds, depth: depth + 1).object
    }
    // Some of Foundation's classes are mutable: a cast to a type of Swift's copies them.
    switch value {
    case let string as String: self.init(string)
    case let data as Data: self.init(data)
    case let date as Date:
      let seconds = date.timeIntervalSinceReferenceDate
      guard Date.propertyListRange.contains(seconds) else { throw Unencodable.date }
      self.init(
        inWholeSeconds ? Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)) : date)
    case let array as [Any]: self.init(try array.map(element))
    case let dictionary as [String: Any]:
      try Unencodable.check(dictionary.keys)
      self.init(try dictionary.mapValues(element))
    // Last, because the cast of a collection to a class takes its elements, too.
    case let url as NSURL:
      // Bridging would lose the base on Linux.
      let parts = URL(string: url.relativeString, relativeTo: url.baseURL)
      self.init(try ArchivedURL.object(of: parts ?? url as URL))
    case let number as NSNumber:
      if Self(number).isBoolean {
        self.init(number.boolValue)
      } else if "fd".utf8.contains(UInt8(bitPattern: number.objCType.pointee)) {
        self.init(number.doubleValue)
      } else {
        self.init(Int(exactly: number) ?? UInt64(exactly: number) ?? number as Any)
      }
    default: throw Unencodable(reason: "a property list cannot hold it")
    }
  }
}

extension Date {
  /// 31 million years: the XML format writes a year as a 32-bit number. A date that is not a number
  /// would make the whole file unreadable.
  static let propertyListRange = -1e15...1e15
}
