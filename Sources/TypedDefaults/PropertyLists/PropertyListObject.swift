internal import Foundation

/// What `UserDefaults` holds for a key: a property-list object of any kind.
struct PropertyListObject: @unchecked Sendable {  // Property-list objects are immutable.
  let object: Any

  init(_ object: Any) {
    self.object = object
  }

  /// Whether it is no collection, so that it is compared quickly.
  var isScalar: Bool {
    let type = type(of: object)
    return type == Bool.self || type == Int.self || type == String.self || type == Double.self
      || type == Date.self || type == Data.self
  }
}

/// Equal are objects that read back the same. `NSDictionary.isEqual` would not do: on Linux it finds
/// equal integers different.
extension PropertyListObject: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    if let isEqual = left.isEqualScalar(right) { return isEqual }
    // To cast a collection takes as long as to read it.
    if let left = left.object as? any Collection, let right = right.object as? any Collection,
      left.count != right.count
    {
      return false
    }
    return switch (left.object, right.object) {
    case (let left as String, let right as String): left == right
    case (let left as Bool, let right as Bool): left == right
    case (let left as Double, let right as Double):
      left == right || left.isNaN && right.isNaN
    case (let left as Data, let right as Data):
      left == right || isSameArchivedURL(left, right)
    case (let left as Date, let right as Date): left == right
    case (let left as [Any], let right as [Any]):
      left.count == right.count && zip(left, right).allSatisfy { Self($0) == Self($1) }
    case (let left as [String: Any], let right as [String: Any]):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map { Self($0) == Self(value) } ?? false }
    case (let left as NSNumber, let right as NSNumber):
      Int64(exactly: left) == Int64(exactly: right)
        && UInt64(exactly: left) == UInt64(exactly: right)
        && Self(left.doubleValue) == Self(right.doubleValue)
    default: false
    }
  }

  /// Whether two objects of one of the usual types are equal; nil if they are none. To open what holds an
  /// object costs a twentieth of a cast.
  func isEqualScalar(_ other: Self) -> Bool? {
    func compare<Left, Right>(_ left: Left, _ right: Right) -> Bool? {
      func isEqual<V: Equatable>(as _: V.Type) -> Bool {
        unsafeBitCast(left, to: V.self) == unsafeBitCast(right, to: V.self)
      }
      if Left.self != Right.self { return nil }
      if Left.self == Bool.self { return isEqual(as: Bool.self) }
      if Left.self == Int.self { return isEqual(as: Int.self) }
      if Left.self == String.self { return isEqual(as: String.self) }
      if Left.self == Double.self { return isEqual(as: Double.self) ? true : nil }
      return nil
    }
    func open<Left>(_ left: Left) -> Bool? {
      func open<Right>(_ right: Right) -> Bool? { compare(left, right) }
      return _openExistential(other.object, do: open)
    }
    return _openExistential(object, do: open)
  }

  /// The archiver writes the keys of a URL's archive in any order.
  private static func isSameArchivedURL(_ left: Data, _ right: Data) -> Bool {
    guard left.count == right.count, let url = ArchivedURL.url(from: left) else { return false }
    return url == ArchivedURL.url(from: right)
  }
}

/// How a message names the object: its kind, and its value where that is short.
extension PropertyListObject: CustomStringConvertible {
  var description: String {
    switch object {
    case let string as String: "the string \(string.quotedInBrief)"
    case let bool as Bool where isBoolean: "the Boolean \(bool)"
    case let number as NSNumber: "the number \(number.stringValue)"
    case let data as Data: "data of \(data.count) bytes"
    case let date as Date: "the date \(date.ISO8601Format())"
    case let array as [Any]: "an array of \(array.count)"
    case let dictionary as [AnyHashable: Any]: "a dictionary of \(dictionary.count)"
    default: "an object of type \(type(of: object))"
    }
  }

  /// Whether it is a Boolean, and not a number that a cast turns into one.
  private var isBoolean: Bool {
    #if canImport(Darwin)
      CFGetTypeID(object as AnyObject) == CFBooleanGetTypeID()
    #else
      [ObjectIdentifier(Bool.self), ObjectIdentifier(Swift.type(of: NSNumber(value: true)))]
        .contains(ObjectIdentifier(type(of: object)))
    #endif
  }
}

extension PropertyListObject {
  /// Creates an object from any value, with numbers as a file gives them back.
  ///
  /// - Throws: `Unencodable` if a property list cannot hold it.
  init(validating value: Any) throws {
    switch value {
    case let value as any PropertyListValue: self.init(try value.propertyListObject())
    case let array as [Any]: self.init(try array.map { try Self(validating: $0).object })
    case let dictionary as [String: Any]:
      try Unencodable.check(dictionary.keys)
      self.init(try dictionary.mapValues { try Self(validating: $0).object })
    // Foundation's own classes, some of which can be changed.
    case let string as String: self.init(string)
    case let data as Data: self.init(data)
    case let date as Date: self.init(try date.propertyListObject())
    case let number as NSNumber:
      self.init(type(of: value) == CGFloat.self ? number.doubleValue : number)
    default: throw Unencodable(reason: "a property list cannot hold it")
    }
  }
}

/// Why a value has no form that a property list can hold.
struct Unencodable: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }

  /// In a file, one key makes a dictionary a reference of NSKeyedArchiver's, and the whole file unreadable.
  static func check(_ keys: some Sequence<String>) throws {
    guard !keys.contains("CF$UID") else {
      throw Self(reason: "a property list cannot hold the dictionary key CF$UID")
    }
  }
}

extension String {
  /// The string in quotation marks; of a long one, the first 20 characters.
  var quotedInBrief: String {
    String(unicodeScalars.prefix(20)).debugDescription
      + (unicodeScalars.dropFirst(20).isEmpty ? "" : "…")
  }
}
