internal import Foundation

/// What `UserDefaults` holds for a key: a property-list object of any kind.
struct PropertyListObject: @unchecked Sendable {  // Property-list objects are immutable.
  let object: Any

  init(_ object: Any) {
    self.object = object
  }
}

/// Equal are objects that read back the same. `NSDictionary.isEqual` would not do: on Linux it finds
/// equal integers different.
extension PropertyListObject: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    // The usual types first, and without casts, of which those that fail are slow.
    if let isEqual = left.isEqual(to: right, as: Bool.self) ?? left.isEqual(to: right, as: Int.self)
      ?? left.isEqual(to: right, as: String.self)
    {
      return isEqual
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

  /// Whether two objects of a type are equal; nil if they are not both of it.
  private func isEqual<V: Equatable>(to other: Self, as type: V.Type) -> Bool? {
    guard Swift.type(of: object) == type, Swift.type(of: other.object) == type else { return nil }
    return object as! V == other.object as! V
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
}

extension PropertyListObject {
  /// Whether it is a Boolean, and not a number that could be taken for one.
  private var isBoolean: Bool {
    let type = type(of: object)
    return type == Bool.self || type == Swift.type(of: NSNumber(value: true) as Any)
  }

  /// Creates an object from any value; throws if a property list cannot hold it.
  init(validating value: Any) throws {
    if let url = value as? URL {
      self.init(try url.propertyListObject())
    } else if PropertyListSerialization.propertyList(value, isValidFor: .xml) {
      self.init(value)
    } else {
      throw Unencodable(reason: "a property list cannot hold it")
    }
  }
}

/// Why a value has no form that a property list can hold.
struct Unencodable: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}

extension String {
  /// The string in quotation marks; of a long one, the first 20 characters.
  var quotedInBrief: String {
    String(unicodeScalars.prefix(20)).debugDescription
      + (unicodeScalars.dropFirst(20).isEmpty ? "" : "…")
  }
}
