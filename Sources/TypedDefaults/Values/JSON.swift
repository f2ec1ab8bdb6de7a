internal import Foundation

/// A JSON value.
indirect enum JSON {
  case null
  case bool(Bool)
  /// The number's text, so that no digit is lost.
  case number(String)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Foundation's coders refuse deeper values, too.
  static let greatestDepth = 512
}

// MARK: - Text

extension JSON: CustomStringConvertible {
  /// The JSON text, with the members sorted by name.
  var description: String { text(spacing: "") }

  /// Returns the JSON text.
  ///
  /// - Parameter spacing: What follows each comma and colon.
  func text(spacing: String) -> String {
    var text = ""
    write(to: &text, spacing)
    return text
  }

  private func write(to text: inout String, _ spacing: String) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += "\(bool)"
    case .number(let number): text += number
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ",\(spacing)" }
        element.write(to: &text, spacing)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += ",\(spacing)" }
        Self.write(member.key, to: &text)
        text += ":\(spacing)"
        member.value.write(to: &text, spacing)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case ..<" ": text += "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// Creates a value from JSON text.
  ///
  /// - Throws: A `Malformed` if the text is not JSON, is nested too deep, or has two members of one
  ///   name in one object.
  init(parsing text: some Sequence<UInt8>) throws {
    var parser = JSONParser(text)
    self = try parser.whole()
  }
}

// MARK: - Property lists

extension JSON {
  /// Creates a value from JSON text or data; nil if the object is neither.
  init?(textObject object: Any) {
    if let json = object as? JSON {
      self = json
    } else if let string = object as? String, let json = try? JSON(parsing: string.utf8) {
      self = json
    } else if let data = object as? Data, let json = try? JSON(parsing: data) {
      self = json
    } else {
      return nil
    }
  }

  /// Creates the value of an object of a property list, with dates and data in the form of
  /// Foundation's coders; nil if JSON cannot hold the object.
  init?(object: Any, depth: Int = 0) {
    guard depth < Self.greatestDepth else { return nil }
    switch object {
    case let json as JSON: self = json
    case let string as String: self = .string(string)
    case let data as Data: self = .string(data.base64EncodedString())
    case let date as Date: self.init(object: date.timeIntervalSinceReferenceDate)
    case let array as [Any]:
      let elements = array.compactMap { JSON(object: $0, depth: depth + 1) }
      guard elements.count == array.count else { return nil }
      self = .array(elements)
    case let dictionary as [String: Any]:
      let members = dictionary.compactMapValues { JSON(object: $0, depth: depth + 1) }
      guard members.count == dictionary.count else { return nil }
      self = .object(members)
    case let number as NSNumber:
      if PropertyListObject(number).isBoolean {
        self = .bool(number.boolValue)
      } else if let integer = Int64(exactly: number) {
        self = .number("\(integer)")
      } else if let integer = UInt64(exactly: number) {
        self = .number("\(integer)")
      } else {
        guard number.doubleValue.isFinite else { return nil }
        self = .number("\(number.doubleValue)")
      }
    default: return nil
    }
  }

  /// The value as an object of a property list, or as `NSNull`. A number may be rounded.
  var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let bool): bool
    case .number(let text):
      if let integer = Int(text) {
        integer
      } else if let integer = UInt64(text) {
        integer
      } else if let double = Double(text), double.isFinite {
        double
      } else {
        text
      }
    case .string(let string): string
    case .array(let elements): elements.map(\.object)
    case .object(let members): members.mapValues(\.object)
    }
  }

  /// The value in a message.
  static func words(for object: Any) -> String {
    if case .null? = object as? JSON { return "null" }
    return "\(PropertyListObject((object as? JSON)?.object ?? object))"
  }

  /// Returns the elements of an array, or of JSON of one: objects, or JSON values.
  static func elements(of object: Any) -> [Any]? {
    if let objects = object as? [Any] { return objects }
    guard case .array(let elements)? = JSON(textObject: object) else { return nil }
    return elements
  }

  /// Returns the members of a dictionary, or of JSON of one: objects, or JSON values.
  ///
  /// The JSON may be an array of alternating names and values: `JSONEncoder` writes such an array
  /// for a dictionary whose keys are no strings or integers.
  static func members(of object: Any) -> [String: Any]? {
    if let objects = object as? [String: Any] { return objects }
    switch JSON(textObject: object) {
    case .object(let members): return members
    case .array(let elements):
      var members: [String: Any] = [:]
      for index in stride(from: 0, to: elements.count - 1, by: 2) {
        guard let name = String(json: elements[index]) else { return nil }
        members[name] = elements[index + 1]
      }
      return elements.count == 2 * members.count ? members : nil
    default: return nil
    }
  }
}

extension JSON {
  /// Adds a member that another value has at a path through objects.
  ///
  /// - Returns: Whether the other value has such a member, and this one had none.
  mutating func add(_ path: ArraySlice<String>, of other: JSON) -> Bool {
    guard case .object(var members) = self, case .object(let others) = other,
      let name = path.first, let new = others[name]
    else { return false }
    if path.count == 1 {
      guard members.updateValue(new, forKey: name) == nil else { return false }
    } else {
      guard members[name]?.add(path.dropFirst(), of: new) == true else { return false }
    }
    self = .object(members)
    return true
  }
}

// MARK: - Values

/// A stored form that reads and writes JSON in a way of its own.
protocol JSONConvertible: PropertyListValue {
  /// Creates a value from JSON; nil if the JSON is no value of this type.
  init?(json: JSON)
  /// The value as a person writes it in JSON; nil if JSON cannot hold the value.
  var json: JSON? { get }
}

extension JSONConvertible {
  init?(json: JSON) { self.init(propertyListObject: json.object) }
  var json: JSON? { (try? propertyListObject()).flatMap { JSON(object: $0) } }
}

extension PropertyListValue {
  /// Creates a value from an object of a property list, or from a JSON value.
  init?(reading object: Any) {
    guard let json = object as? JSON else {
      self.init(propertyListObject: object)
      return
    }
    // The JSON is exact. The object may be a rounded number, or a string of JSON.
    if let value = (Self.self as? any JSONConvertible.Type)?.init(json: json) as? Self {
      self = value
    } else {
      self.init(propertyListObject: json.object)
    }
  }
}

extension JSON {
  /// Creates the value as a person writes it.
  init?(value: some PropertyListValue) {
    let json =
      if let value = value as? any JSONConvertible {
        value.json
      } else {
        (try? value.propertyListObject()).flatMap { JSON(object: $0) }
      }
    guard let json else { return nil }
    self = json
  }
}
