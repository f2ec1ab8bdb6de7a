internal import Foundation

/// A property-list object, which `UserDefaults` holds for a key.
struct PropertyListObject: @unchecked Sendable {  // Property-list objects are immutable.
  let object: Any

  init(_ object: Any) {
    self.object = object
  }

  /// Whether the object can be compared quickly, because it is no collection.
  var isScalar: Bool { isEqualScalar(self) != nil }
}

/// Two objects are equal if they read back the same. `NSDictionary.isEqual` would not do: on Linux
/// it returns false for equal integers.
extension PropertyListObject: Equatable {
  static func == (left: Self, right: Self) -> Bool { left.isEqual(right, levels: mostLevelsOfFile) }

  /// Returns whether two objects are equal and of one type, or both missing. The text of a number of
  /// another type differs.
  static func areSame(_ left: Self?, _ right: Self?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    let isSameType = type(of: left.object) == type(of: right.object)
    return left == right && (isSameType || right.object is any Collection)
  }

  private func isEqual(_ right: Self, levels: Int) -> Bool {
    let left = self
    if let isEqual = left.isEqualScalar(right) { return isEqual }
    // To cast a collection takes as long as to read it.
    if let left = left.object as? any Collection, let right = right.object as? any Collection,
      left.count != right.count
    {
      return false
    }
    // What lies deeper cannot be stored.
    if levels < 0 { return false }
    return switch (left.object, right.object) {
    case (let left as String, let right as String): left == right
    case (let left as Bool, let right as Bool): left == right
    case (let left as Double, let right as Double):
      left == right || left.isNaN && right.isNaN
    case (let left as Data, let right as Data):
      left == right || Self.isSameArchivedURL(left, right)
    case (let left as Date, let right as Date): left == right
    case (let left as [Any], let right as [Any]):
      left.count == right.count
        && zip(left, right).allSatisfy { Self($0).isEqual(Self($1), levels: levels - 1) }
    case (let left as [String: Any], let right as [String: Any]):
      left.count == right.count
        && left.allSatisfy { key, value in
          right[key].map { Self($0).isEqual(Self(value), levels: levels - 1) } ?? false
        }
    // A cast to a number takes the elements of a collection, too, however deep they lie.
    case (is any Collection, _), (_, is any Collection): false
    case (let left as NSNumber, let right as NSNumber):
      Int64(exactly: left) == Int64(exactly: right)
        && UInt64(exactly: left) == UInt64(exactly: right)
        && Self(left.doubleValue) == Self(right.doubleValue)
    default: false
    }
  }

  /// Returns whether two objects of a common type are equal; nil for other types.
  ///
  /// Each read of Foundation's class compares so. To open both existentials takes 20 ns for an `Int`, 30 for
  /// a `String`; `as?` in a switch takes 145 and 205, and metatypes with a cast 135 and 160.
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
      if Left.self == Date.self { return isEqual(as: Date.self) }
      if Left.self == Data.self { return isEqual(as: Data.self) ? true : nil }
      guard Left.self is AnyObject.Type else { return nil }
      return Self.isSame(
        unsafeBitCast(left, to: AnyObject.self), unsafeBitCast(right, to: AnyObject.self))
    }
    func open<Left>(_ left: Left) -> Bool? {
      func open<Right>(_ right: Right) -> Bool? { compare(left, right) }
      return _openExistential(other.object, do: open)
    }
    return _openExistential(object, do: open)
  }

  /// Compares two objects of one class of Foundation's, as `UserDefaults` returns them on Apple
  /// platforms. A collection does not look at its elements: a number may equal a Boolean there.
  private static func isSame(_ left: AnyObject, _ right: AnyObject) -> Bool? {
    if left === right { return true }
    let isCollection = left is NSArray || left is NSDictionary
    return !isCollection && (left as? NSObject)?.isEqual(right) == true ? true : nil
  }

  /// Returns whether two archives hold the same URL: the archiver writes their keys in any order.
  private static func isSameArchivedURL(_ left: Data, _ right: Data) -> Bool {
    guard left.count == right.count, let url = ArchivedURL.url(from: left) else { return false }
    return url == ArchivedURL.url(from: right)
  }
}

/// The object in a message: its kind, and its value if that is short.
extension PropertyListObject: CustomStringConvertible {
  var description: String {
    switch object {
    case let string as String: "the string \(string.quotedInBrief)"
    case let bool as Bool where isBoolean: "the Boolean \(bool)"
    case let data as Data: "data of \(counted(data.count, "byte"))"
    // Foundation ends the process where it formats a date that is not a number.
    case let date as Date where !date.isOfPropertyList:
      "the date @\(date.timeIntervalSinceReferenceDate)"
    case let date as Date: "the date \(date.ISO8601Format())"
    case let array as [Any]: "an array of \(counted(array.count, "element"))"
    case let dictionary as [AnyHashable: Any]: "a dictionary of \(counted(dictionary.count, "key"))"
    case let number as NSNumber: "the number \(number.stringValue)"
    default: "an object of type \(type(of: object))"
    }
  }

  private func counted(_ count: Int, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  /// Whether the object is a Boolean. A cast would also turn a number into one.
  var isBoolean: Bool {
    #if canImport(Darwin)
      CFGetTypeID(object as AnyObject) == CFBooleanGetTypeID()
    #else
      [ObjectIdentifier(Bool.self), ObjectIdentifier(Swift.type(of: NSNumber(value: true)))]
        .contains(ObjectIdentifier(type(of: object)))
    #endif
  }
}

/// What is wrong with a value, a text or a file, and where.
struct Fault: Error, CustomStringConvertible {
  let description: String

  static func tooDeep(_ mostLevels: Int = PropertyListObject.mostLevels) -> Self {
    Self(description: "its arrays and dictionaries are nested deeper than \(mostLevels) levels")
  }
  static let date = Self(description: "it is no date, or more than 31 million years away")
  static let reference = Self(description: "a property list cannot hold the dictionary key CF$UID")

  /// Refuses the key that makes a dictionary a reference of NSKeyedArchiver, and the whole file unreadable
  /// to `UserDefaults`.
  static func check(_ keys: some Sequence<String>) throws {
    if keys.contains("CF$UID") { throw reference }
  }
}

extension Fault {
  /// The fault in the words of Foundation's parser.
  init(of error: any Error) {
    description = "\((error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? error)"
  }
}

extension String {
  /// The string in quotation marks, cut after 20 characters.
  var quotedInBrief: String {
    String(unicodeScalars.prefix(20)).debugDescription
      + (unicodeScalars.dropFirst(20).isEmpty ? "" : "…")
  }
}
