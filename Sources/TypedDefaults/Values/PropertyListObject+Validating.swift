internal import Foundation

extension PropertyListObject {
  /// Creates an object from any value, with numbers as a file gives them back.
  ///
  /// - Parameter depth: The number of arrays and dictionaries around the value, with the dictionary
  ///   of the file.
  /// - Throws: An `Unencodable` if a property list cannot hold the value.
  init(validating value: Any, depth: Int = 1) throws {
    func element(_ value: Any) throws -> Any {
      guard depth < Self.mostDepth else { throw Unencodable.tooDeep }
      return try Self(validating: value, depth: depth + 1).object
    }
    switch value {
    case let value as any PropertyListValue: self.init(try value.propertyListObject())
    case let array as [Any]: self.init(try array.map(element))
    case let dictionary as [String: Any]:
      try Unencodable.check(dictionary.keys)
      self.init(try dictionary.mapValues(element))
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

  /// The object as an export holds it: a date with a fraction of the second, for which the XML
  /// format has no place, is text that is read as the same date.
  var withFractionsAsText: Self {
    func element(_ object: Any) -> Any { Self(object).withFractionsAsText.object }
    return switch object {
    case let date as Date: Self(date.fractionAsText)
    case let array as [Any]: Self(array.map(element))
    case let dictionary as [String: Any]: Self(dictionary.mapValues(element))
    default: self
    }
  }
}

extension Date {
  fileprivate var fractionAsText: Any {
    let second = timeIntervalSinceReferenceDate.rounded(.down)
    // A decimal number has no exponent in its text.
    guard Self.propertyListRange.contains(second), second != timeIntervalSinceReferenceDate,
      let fraction = Decimal(string: "\(timeIntervalSinceReferenceDate - second)")
    else { return self }
    let whole = Date(timeIntervalSinceReferenceDate: second).propertyListText.dropLast()
    let text = "\(whole)\("\(fraction)".dropFirst())Z"
    // Another calendar is used before 1582 to read it.
    guard let date = Date(propertyListObject: text), abs(date.timeIntervalSince(self)) < 1e-6
    else { return self }
    return text
  }
}
