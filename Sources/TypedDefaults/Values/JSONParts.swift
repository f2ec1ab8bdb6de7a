internal import Foundation

/// A stored form that reads JSON data.
protocol ReadsJSON {}

extension JSONText: ReadsJSON {}
extension Array: ReadsJSON where Element: PropertyListValue {}
extension Dictionary: ReadsJSON where Key == String, Value: PropertyListValue {}

/// An element of an array or a member of a dictionary: its object, and its text if it comes from
/// JSON.
struct JSONPart {
  var text: Data?
  let object: Any
}

extension PropertyListValue {
  /// Creates a value from a part; nil if the part is no value of this type.
  init?(_ part: JSONPart) {
    // The text is exact. The object may be a rounded number, or a string that looks like JSON.
    if let text = part.text, Self.self is any ReadsJSON.Type,
      let value = Self(propertyListObject: text)
    {
      self = value
    } else {
      self.init(propertyListObject: part.object)
    }
  }
}

extension JSON {
  /// Returns the elements of a JSON array in text or data; nil if the object is no JSON array.
  static func elements(_ object: Any) -> [JSONPart]? {
    guard let json = data(object),
      let objects = try? JSONSerialization.jsonObject(with: json) as? [Any]
    else { return nil }
    let texts = texts(inside: json)
    guard texts.count == objects.count else { return nil }
    return zip(texts, objects).map(JSONPart.init)
  }

  /// Returns the members of a JSON object in text or data; nil if the object is no JSON object.
  static func members(_ object: Any) -> [String: JSONPart]? {
    guard let json = data(object),
      let objects = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
    else { return nil }
    let texts = texts(inside: json)
    guard texts.count == 2 * objects.count else { return nil }
    var members: [String: JSONPart] = [:]
    for index in stride(from: 0, to: texts.count, by: 2) {
      guard let name = try? decoder.decode(String.self, from: texts[index]),
        let object = objects[name]
      else { return nil }
      members[name] = JSONPart(text: texts[index + 1], object: object)
    }
    return members
  }

  /// Returns the members of a JSON object, or of an array of alternating names and values:
  /// `JSONEncoder` writes such an array for a dictionary whose keys are no strings or integers.
  static func dictionary(_ object: Any) -> [String: JSONPart]? {
    guard let parts = elements(object) else { return members(object) }
    var members: [String: JSONPart] = [:]
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      guard let name = String(propertyListObject: parts[index].object),
        members.updateValue(parts[index + 1], forKey: name) == nil
      else { return nil }
    }
    return parts.count == 2 * members.count ? members : nil
  }

  /// Returns a JSON object with one more member, which another object has at a path through objects.
  /// Nil if the other one has no such member, or if there is one already.
  static func adding(_ path: ArraySlice<String>, of other: Data, to json: Data) -> Data? {
    guard let name = path.first, let new = members(other)?[name]?.text,
      var texts = members(json)?.compactMapValues(\.text)
    else { return nil }
    if path.count == 1 {
      guard texts.updateValue(new, forKey: name) == nil else { return nil }
    } else {
      guard let part = texts[name], let changed = adding(path.dropFirst(), of: new, to: part)
      else { return nil }
      texts[name] = changed
    }
    let members = try? texts.map { name, text in try encoder.encode(name) + Data(":".utf8) + text }
    return members.map { Data("{".utf8) + $0.joined(separator: Data(",".utf8)) + Data("}".utf8) }
  }

  private static func data(_ object: Any) -> Data? {
    object as? Data ?? (object as? String).map { Data($0.utf8) }
  }

  /// Returns the texts of an array's elements, or of an object's alternating names and values. The
  /// JSON is known to be valid.
  private static func texts(inside json: Data) -> [Data] {
    let bytes = [UInt8](json)
    var texts: [Data] = []
    var (start, depth, isInString, isEscaped) = (0, 0, false, false)
    func end(at index: Int) {
      guard depth == 1 else { return }
      texts.append(Data(bytes[start..<index]))
      start = index + 1
    }
    for (index, byte) in bytes.enumerated() {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == 1 { start = index + 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        end(at: index)
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): end(at: index)
      default: break
      }
    }
    let isEmpty = texts.count == 1 && texts[0].allSatisfy { $0 <= UInt8(ascii: " ") }
    return isEmpty ? [] : texts
  }
}
