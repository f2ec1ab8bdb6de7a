public import Foundation

/// A value that a property list can hold: the stored form of a ``UserDefaultsSerializable`` type.
///
/// These are the Boolean, integer and floating-point types, `String`, `Data`, `Date`, `URL`, and
/// arrays, dictionaries with `String` keys, and JSON text of `Codable` values. A type of yours
/// conforms to ``UserDefaultsSerializable``, not to this.
///
/// What is read need not be what was written: a person may have edited it, a launch argument is
/// always a string, and a file forgets whether a number was an `Int8` or a `UInt64`. So each type
/// reads everything that means one of its values exactly, and nothing else.
public protocol PropertyListValue: Sendable {
  /// The object that a property list holds for the value: a Boolean, a number, a string, data, a
  /// date, an array or a dictionary.
  ///
  /// - Throws: An error if the value, though of this type, cannot be held.
  func propertyListObject() throws -> Any

  /// Creates the value from any object that a property list may hold; nil if it does not mean one.
  init?(propertyListObject object: Any)
}

// MARK: - Numbers

extension Bool: PropertyListValue {
  /// The Boolean itself.
  public func propertyListObject() -> Any { self }

  /// Reads a number or one of six words.
  ///
  /// If the object is a number, whether it is not zero. If it is a string, parses yes, no, true,
  /// false, 1 and 0 in any case; otherwise nil.
  public init?(propertyListObject object: Any) {
    if let bool = object as? Bool {
      self = bool
    } else if let number = object as? NSNumber {
      self = number.doubleValue != 0
    } else {
      switch (object as? String)?.lowercased() {
      case "yes", "true", "1": self = true
      case "no", "false", "0": self = false
      default: return nil
      }
    }
  }
}

extension FixedWidthInteger where Self: PropertyListValue {
  /// The number as an `Int`, or as a `UInt64` where it is greater than `Int.max`.
  public func propertyListObject() -> Any {
    // A number that fits is an `Int`, which is what the raw accessors look for on Linux.
    Int(exactly: self) ?? UInt64(self)
  }

  /// Reads a number that the type represents exactly.
  ///
  /// If the object is a number, it must be exactly representable. If it is a string, parses it;
  /// otherwise nil.
  public init?(propertyListObject object: Any) {
    if let integer = object as? Int {
      self.init(exactly: integer)
    } else if let number = object as? NSNumber {
      if let integer = Int64(exactly: number) {
        self.init(exactly: integer)
      } else if let integer = UInt64(exactly: number) {
        self.init(exactly: integer)
      } else {
        return nil
      }
    } else if let string = object as? String {
      self.init(string)
    } else {
      return nil
    }
  }
}

extension Int: PropertyListValue {}
extension Int8: PropertyListValue {}
extension Int16: PropertyListValue {}
extension Int32: PropertyListValue {}
extension Int64: PropertyListValue {}
extension UInt: PropertyListValue {}
extension UInt8: PropertyListValue {}
extension UInt16: PropertyListValue {}
extension UInt32: PropertyListValue {}
extension UInt64: PropertyListValue {}

extension BinaryFloatingPoint where Self: PropertyListValue & LosslessStringConvertible {
  /// The number as a `Double`.
  public func propertyListObject() -> Any {
    // A file holds no other floating-point numbers, so memory does not either.
    Double(self)
  }

  /// Reads a number in the type's range.
  ///
  /// If the object is a number, rounds it as the type rounds. If it is a string, parses it. A finite
  /// number beyond the type's range is none of its values, so nil; otherwise nil, too.
  public init?(propertyListObject object: Any) {
    if let double = object as? Double {
      self.init(double)
      if isInfinite && double.isFinite { return nil }
    } else if let number = object as? NSNumber {
      if let integer = Int64(exactly: number) {
        self.init(integer)
      } else if let integer = UInt64(exactly: number) {
        self.init(integer)
      } else {
        self.init(propertyListObject: number.doubleValue)
      }
    } else if let string = object as? String {
      self.init(string)
      if isInfinite && string.contains(where: \.isNumber) { return nil }
    } else {
      return nil
    }
  }
}

extension Float: PropertyListValue {}
extension Double: PropertyListValue {}

// MARK: - Strings, data, dates

extension String: PropertyListValue {
  /// The string itself.
  public func propertyListObject() -> Any { self }

  /// If the object is a number, its text; if it is neither that nor a string, nil.
  public init?(propertyListObject object: Any) {
    if let string = object as? String {
      self = string
    } else if let number = object as? NSNumber {
      self = number.stringValue
    } else {
      return nil
    }
  }
}

extension Data: PropertyListValue {
  /// The data itself.
  public func propertyListObject() -> Any { self }

  /// If the object is not data, nil.
  public init?(propertyListObject object: Any) {
    guard let data = object as? Data else { return nil }
    self = data
  }
}

extension Date: PropertyListValue {
  /// The XML format writes a year as a 32-bit number, and a date that is none makes the whole file
  /// unreadable; this is 31 million years.
  private static let range = -1e15...1e15

  /// The date itself.
  ///
  /// - Throws: An error if it is no date at all, or more than 31 million years away.
  public func propertyListObject() throws -> Any {
    guard Self.range.contains(timeIntervalSinceReferenceDate) else {
      throw Unencodable(reason: "a property list cannot hold a date so far away, or no date at all")
    }
    return self
  }

  /// If the object is a string, parses it as an ISO 8601 date with time and zone
  /// (2026-01-31T12:00:00Z, with or without a fraction of the second), or as a date alone, which is
  /// midnight UTC; if it is neither that nor a date, nil.
  public init?(propertyListObject object: Any) {
    if let date = object as? Date {
      self = date
    } else if let string = object as? String, let date = Self(iso8601: string) {
      self = date
    } else {
      return nil
    }
  }

  /// The toolchain's own parser takes the 30th of February and ignores what follows the date, so the
  /// shape and the calendar are looked at first.
  private init?(iso8601 string: String) {
    let shape = /(\d{4})-(\d\d)-(\d\d)(T(\d\d):(\d\d):(\d\d)([.]\d+)?(Z|[+-]\d\d:?\d\d))?/
    guard let match = string.wholeMatch(of: shape)?.output,
      DateComponents(
        calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: Int(match.1),
        month: Int(match.2), day: Int(match.3), hour: match.5.flatMap { Int($0) },
        minute: match.6.flatMap { Int($0) }, second: match.7.flatMap { Int($0) }
      ).isValidDate
    else { return nil }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: match.8 != nil)
    let text = match.4 == nil ? string + "T00:00:00Z" : string
    guard let date = try? Date(text, strategy: style) else { return nil }
    self = date
  }
}

// MARK: - URLs

extension URL: PropertyListValue {
  /// A file's path, or the archive of any other URL.
  ///
  /// This is what `UserDefaults.set(_: URL?, forKey:)` stores on Apple platforms, so that
  /// `url(forKey:)` reads it on all.
  public func propertyListObject() throws -> Any {
    if isFileURL, let path = filePathForm { return path }
    return try ArchivedURL.data(of: self)
  }

  /// The path, if it says all there is: not which base it is relative to, which host it is on, or
  /// that it is a directory which does not exist.
  private var filePathForm: String? {
    let path = path(percentEncoded: false)
    return Self(pathForm: path) == self ? path : nil
  }

  private init(pathForm path: String) {
    self.init(fileURLWithPath: NSString(string: path).expandingTildeInPath)
  }

  /// Reads what `url(forKey:)` reads, and a string with a scheme.
  ///
  /// If the object is data, the `NSURL` that it is the archive of. If it is a string with a scheme,
  /// parses it; any other string is the path of a file, unless it is empty or JSON text; otherwise
  /// nil.
  public init?(propertyListObject object: Any) {
    if let data = object as? Data {
      guard let url = ArchivedURL.url(from: data) else { return nil }
      self = url
    } else if let string = object as? String, !string.isEmpty, !string.hasPrefix("\"") {
      if string.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/) != nil {
        self.init(string: string)
      } else {
        self.init(pathForm: string)
      }
    } else {
      return nil
    }
  }
}

// MARK: - Collections

extension Array: PropertyListValue where Element: PropertyListValue {
  /// An array of the elements' objects.
  ///
  /// - Throws: What an element throws.
  public func propertyListObject() throws -> Any {
    try map { try $0.propertyListObject() }
  }

  /// If the object is an array and every element means an `Element`, those; otherwise nil.
  public init?(propertyListObject object: Any) {
    // The whole at once, where the objects are elements as they are.
    if let elements = object as? Self {
      self = elements
      return
    }
    // The element type that Foundation on Linux uses, and the quickest to cast to.
    guard let objects = object as? [Any?] else { return nil }
    self.init()
    reserveCapacity(objects.count)
    for object in objects {
      guard let object, let element = Element(propertyListObject: object) else { return nil }
      append(element)
    }
  }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
  /// A dictionary of the values' objects.
  ///
  /// - Throws: What a value throws, and an error if there is the key "CF$UID".
  public func propertyListObject() throws -> Any {
    // In a file, this key makes a dictionary a reference of NSKeyedArchiver's, and the whole file
    // unreadable.
    guard self["CF$UID"] == nil else {
      throw Unencodable(reason: "a property list cannot hold the dictionary key CF$UID")
    }
    return try mapValues { try $0.propertyListObject() }
  }

  /// If the object is a dictionary and every value in it means a `Value`, those; otherwise nil.
  public init?(propertyListObject object: Any) {
    if let values = object as? Self {
      self = values
      return
    }
    guard let objects = object as? [String: Any] else { return nil }
    self.init(minimumCapacity: objects.count)
    for (key, object) in objects {
      guard let value = Value(propertyListObject: object) else { return nil }
      self[key] = value
    }
  }
}
