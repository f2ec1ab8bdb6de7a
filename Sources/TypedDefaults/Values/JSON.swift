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
}

// MARK: - Text

extension JSON {
  /// Returns the JSON text, with the members sorted by name.
  func text() -> String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Appends the text, because to join texts at each level would take the square of the depth.
  private func write(to text: inout String) {
    func writeItems<C: Collection>(_ items: C, _ write: (C.Element) -> Void) {
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        write(item)
      }
    }
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += "\(bool)"
    case .number(let number): text += number
    case .string(let string): text += Self.quoted(string)
    case .array(let elements):
      text += "["
      writeItems(elements) { $0.write(to: &text) }
      text += "]"
    case .object(let members):
      text += "{"
      writeItems(members.sorted { $0.key < $1.key }) { name, value in
        text += "\(Self.quoted(name)):"
        value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quoted(_ string: String) -> String {
    let isPlain = string.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    return isPlain ? "\"\(string)\"" : (try? JSONText(value: string).text()) ?? "\"\""
  }

  /// Creates the value of JSON text or data; nil if the object is neither.
  init?(text object: Any) {
    guard let data = object as? Data ?? (object as? String).map({ Data($0.utf8) }),
      let json = try? Self(parsing: data)
    else { return nil }
    self = json
  }

  /// Creates the value of JSON data.
  ///
  /// - Throws: A `Fault` if the data is not JSON, or is nested too deep.
  init(parsing data: Data) throws {
    do {
      // Foundation drops this character at the beginning of a string, unless it is escaped.
      let mark = Data("\u{FEFF}".utf8)
      let data =
        data.range(of: mark) == nil ? data : data.replacing(mark, with: Data(#"\ufeff"#.utf8))
      let object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      guard let json = JSON(object) else { throw Fault.tooDeep() }
      self = json
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(of: error)
    }
  }
}

// MARK: - Property lists

extension JSON {
  /// Creates the value of an object of a property list, with dates and data in the form of
  /// Foundation's coders; nil if JSON cannot hold the object, or it is nested too deep to be a value.
  init?(_ object: Any) {
    if PropertyListObject(object).isDeeper() { return nil }
    self.init(element: object)
  }

  private init?(element object: Any) {
    switch object {
    case let json as JSON: self = json
    case let string as String: self = .string(string)
    case let data as Data: self = .string(data.base64EncodedString())
    case let date as Date: self = .number("\(date.timeIntervalSinceReferenceDate)")
    case let array as [Any]:
      guard let elements = array.mapAll(JSON.init(element:)) else { return nil }
      self = .array(elements)
    case let dictionary as [String: Any]:
      guard let members = dictionary.mapAll(JSON.init(element:)) else { return nil }
      self = .object(members)
    // After the collections, of which a cast to a class takes all that is in them.
    case is NSNull: self = .null
    case let number as NSNumber where PropertyListObject(number).isBoolean:
      self = .bool(number.boolValue)
    case let number as NSDecimalNumber: self = .number(number.stringValue)
    case let number as NSNumber where number.doubleValue.isFinite:
      self = .number(number.integer?.description ?? number.doubleValue.description)
    default: return nil
    }
  }

  /// The value as an object of a property list, or as `NSNull`. A number may be rounded.
  var object: Any {
    switch self {
    case .null: return NSNull()
    case .bool(let bool): return bool
    case .number(let text):
      return Int(text) ?? UInt64(text) ?? Double(text).flatMap { $0.isFinite ? $0 : nil } ?? text
        as Any
    case .string(let string): return string
    case .array(let elements): return elements.map(\.object)
    case .object(let members): return members.mapValues(\.object)
    }
  }

  /// Returns the elements of an array, or of JSON of one: objects, or JSON values.
  static func elements(of object: Any) -> [Any?]? {
    // The element type that Foundation on Linux uses, and the quickest to cast to.
    if let objects = object as? [Any?] { return objects }
    guard case .array(let elements)? = object as? JSON ?? JSON(text: object) else { return nil }
    return elements
  }

  /// Returns the members of a dictionary, or of JSON of one: objects, or JSON values.
  ///
  /// The JSON may be an array of alternating names and values: `JSONEncoder` writes such an array
  /// for a dictionary whose keys are no strings or integers.
  static func members(of object: Any) -> [String: Any]? {
    if let objects = object as? [String: Any] { return objects }
    switch object as? JSON ?? JSON(text: object) {
    case .object(let members): return members
    case .array(let elements):
      let names = stride(from: 0, to: elements.count - 1, by: 2)
      let members = names.reduce(into: [String: Any]()) { members, index in
        if let name = String(reading: elements[index]) { members[name] = elements[index + 1] }
      }
      return elements.count == 2 * members.count ? members : nil
    default: return nil
    }
  }

  /// Returns an object or a JSON value in the words of a message.
  static func words(for object: Any) -> String {
    if case .null? = object as? JSON { return "null" }
    return "\(PropertyListObject((object as? JSON)?.object ?? object))"
  }

  /// The member or element of a key.
  subscript(key: any CodingKey) -> JSON? {
    switch self {
    case .object(let members): members[key.stringValue]
    case .array(let elements):
      key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  /// Adds a member that another value has at a path through objects.
  ///
  /// - Returns: Whether the other value has such a member, and this one had none.
  mutating func add(_ path: ArraySlice<String>, of other: JSON) -> Bool {
    guard case .object(var members) = self, case .object(let others) = other,
      let name = path.first, let new = others[name]
    else { return false }
    if path.count > 1 {
      guard members[name]?.add(path.dropFirst(), of: new) == true else { return false }
    } else if members.updateValue(new, forKey: name) != nil {
      return false
    }
    self = .object(members)
    return true
  }
}

extension Sequence {
  /// Returns the results for all elements; nil if there is none for one of them.
  func mapAll<T>(_ transform: (Element) -> T?) -> [T]? {
    var results: [T] = []
    results.reserveCapacity(underestimatedCount)
    for element in self {
      guard let result = transform(element) else { return nil }
      results.append(result)
    }
    return results
  }
}

extension Dictionary {
  /// Returns the results for all values; nil if there is none for one of them.
  func mapAll<T>(_ transform: (Value) -> T?) -> [Key: T]? {
    var results = [Key: T](minimumCapacity: count)
    for (key, value) in self {
      guard let result = transform(value) else { return nil }
      results[key] = result
    }
    return results
  }
}

// MARK: - Values

/// A stored form that writes JSON in a way of its own, and may read a JSON value in place of an
/// object.
protocol JSONConvertible {
  /// The value as a person writes it in JSON; nil if JSON cannot hold the value.
  var json: JSON? { get }
}

extension PropertyListValue {
  /// Creates a value from an object of a property list, or from a JSON value.
  init?(reading object: Any?) {
    guard let object else { return nil }
    let json = object as? JSON
    // The JSON is exact. The object may be a rounded number, or a string of JSON.
    if let json, Self.self is any JSONConvertible.Type, let value = Self(propertyListObject: json) {
      self = value
    } else {
      self.init(propertyListObject: json?.object ?? object)
    }
  }

  /// Returns the value as a person writes it in JSON; nil if JSON cannot hold the value.
  func asJSON() -> JSON? {
    (self as? any JSONConvertible)?.json ?? (try? propertyListObject()).flatMap { JSON($0) }
  }
}
