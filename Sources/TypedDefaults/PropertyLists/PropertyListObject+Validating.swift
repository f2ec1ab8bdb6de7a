internal import Foundation

extension PropertyListObject {
  /// Creates an object from any value, with numbers as a file gives them back.
  ///
  /// - Parameters:
  ///   - mostLevels: How many arrays and dictionaries may lie in each other; in a value fewer than in a
  ///     file.
  ///   - date: What takes the place of a date.
  /// - Throws: A `Fault` if a property list cannot hold the value.
  init(
    validating value: Any, mostLevels: Int = mostLevelsOfFile, date: (Date) -> Any = { $0 }
  ) throws {
    if Self(value).isDeeper(than: mostLevels) { throw Fault.tooDeep(mostLevels) }
    try self.init(validatingElement: value, date)
  }

  private init(validatingElement value: Any, _ date: (Date) -> Any) throws {
    func element(_ value: Any) throws -> Any {
      try Self(validatingElement: value, date).object
    }
    // Some of Foundation's classes are mutable: a cast to a type of Swift's copies them.
    switch value {
    case let string as String: self.init(string)
    case let data as Data: self.init(data)
    case let value as Date:
      guard value.isOfPropertyList else { throw Fault.date }
      self.init(date(value))
    case let array as [Any]: self.init(try array.map(element))
    case let dictionary as [String: Any]:
      try Fault.check(dictionary.keys)
      self.init(try dictionary.mapValues(element))
    // Last, because the cast of a collection to a class takes its elements, too.
    case let url as NSURL:
      // Bridging would lose the base on Linux.
      let parts = URL(relative: url.relativeString, base: url.baseURL)
      self.init(try ArchivedURL.object(of: parts ?? url as URL))
    case let number as NSNumber:
      if Self(number).isBoolean {
        self.init(number.boolValue)
      } else if "fd".utf8.contains(UInt8(bitPattern: number.objCType.pointee)) {
        self.init(number.doubleValue)
      } else {
        self.init(number.integer ?? number as Any)
      }
    default: throw Fault(description: "a property list cannot hold it")
    }
  }
}

extension NSNumber {
  /// The integer that the number is, as an `Int` if it fits; nil if the number is none.
  var integer: (any FixedWidthInteger)? {
    Int(exactly: self) ?? Int64(exactly: self) ?? UInt64(exactly: self)
  }
}

extension Date {
  /// The date without its fraction of a second, as the XML format holds it.
  var inWholeSeconds: Self {
    Self(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
  }

  /// 31 million years: the XML format writes a year as a 32-bit number. A date that is not a number
  /// would make the whole file unreadable.
  static let propertyListRange = -1e15...1e15

  var isOfPropertyList: Bool { Self.propertyListRange.contains(timeIntervalSinceReferenceDate) }
}
