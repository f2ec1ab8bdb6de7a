internal import Foundation

extension UserDefaultsSerializable where Self: Codable {
  /// The value as JSON text.
  public var storedValue: JSONText<Self> { JSONText(value: self) }

  /// Creates the value from its JSON text.
  ///
  /// - Parameter storedValue: The JSON text.
  public init(storedValue: JSONText<Self>) { self = storedValue.value }
}

/// The stored form of a `Codable` type, which is JSON text with sorted keys.
public struct JSONText<Value: Codable & Sendable>: PropertyListValue {
  /// The value that the text encodes.
  public let value: Value

  /// Creates the stored form of a value.
  ///
  /// - Parameter value: The value that the text encodes.
  public init(value: Value) {
    self.value = value
  }

  /// Returns the value's JSON text.
  ///
  /// - Returns: The text.
  /// - Throws: The error that the value's `encode(to:)` throws.
  public func propertyListObject() throws -> Any {
    try text()
  }

  /// Creates a value from JSON text, JSON data, or a property list of the same shape.
  ///
  /// In such a property list, a date stands for its seconds since 2001, and data for its Base64
  /// text. Returns `nil` if decoding fails.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    guard let json = Self.json(object), let value = try? Self.decode(json) else { return nil }
    self.value = value
  }

  func text() throws -> String {
    let json = try encoder.encode(value)
    if json.isNestedTooDeep { throw Fault.tooDeep() }
    return String(decoding: json, as: UTF8.self)
  }

  static func decode(_ json: Data) throws -> Value {
    if json.isNestedTooDeep { throw Fault.tooDeep() }
    return try decoder.decode(Value.self, from: json)
  }

  /// Returns the JSON that an object is, or stands for.
  private static func json(_ object: Any) -> Data? {
    if let string = object as? String { return Data(string.utf8) }
    return object as? Data ?? JSON(object).map { Data($0.text().utf8) }
  }
}

private let encoder = {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return encoder
}()

private let decoder = JSONDecoder()

extension JSONText: JSONConvertible {
  var json: JSON? { (try? text()).flatMap { JSON(text: $0) } }
}

// MARK: - Members that a type has gained

/// A stored form that is slow to decode, and whose type may have gained members since it was
/// stored.
protocol JSONForm {
  /// Returns the object with each missing member taken from another object; nil if it has no such
  /// member.
  static func completed(_ object: Any, from other: Any) -> Any?

  /// Returns an example of the JSON, or the names of its members, in words that follow its type.
  ///
  /// - Parameter default: The JSON text of a default; nil if there is none.
  static func example(default: Any?) -> String
}

extension JSONText: JSONForm {
  static func completed(_ object: Any, from other: Any) -> Any? {
    guard let other = JSON(text: other) ?? JSON(other),
      var json = JSON(text: object) ?? JSON(object)
    else { return nil }
    var completed: String?
    while true {
      do {
        _ = try decode(Data(json.text().utf8))
        return completed
      } catch DecodingError.keyNotFound(let key, let context)
        where json.add((context.codingPath + [key]).map(\.stringValue)[...], of: other)
      {
        completed = json.text()
      } catch {
        return completed
      }
    }
  }

  static func example(default: Any?) -> String {
    if let text = `default` as? String, text.utf8.count <= 100 { return ", such as \(text)" }
    var names: [String] = []
    if case .object(let members)? = `default`.flatMap(JSON.init(text:)) {
      names = members.keys.sorted()
    } else {
      do {
        _ = try decode(Data("{}".utf8))
      } catch DecodingError.keyNotFound(let key, _) {
        names = [key.stringValue]
      } catch {}
    }
    return names.isEmpty
      ? "" : ", with members such as \(names.prefix(20).joined(separator: ", "))"
  }
}

// MARK: - Faults

extension JSONText: FaultFinding {
  static func fault(in object: Any) -> DecodingFault? {
    // A string inside JSON may be JSON itself.
    if case .string(let text)? = object as? JSON, JSON(text: text) != nil { return fault(in: text) }
    guard let data = json(object) else { return nil }
    let json: JSON
    do {
      json = try JSON(parsing: data)
    } catch {
      return DecodingFault(
        JSON.words(for: object), ", which is not JSON: \(DefaultsIssue.cause(error))")
    }
    do {
      _ = try decode(data)
      return nil
    } catch {
      return fault(error, in: json)
    }
  }

  /// Returns the fault that made decoding fail.
  private static func fault(_ error: any Error, in json: JSON) -> DecodingFault {
    func fault(at path: [any CodingKey], _ explanation: String) -> DecodingFault {
      let place = path.map(\.place).joined()
      guard let part = path.reduce(json, { $0?[$1] }) else {
        return DecodingFault(at: place, "missing")
      }
      // The words of a decoder may quote a whole string, which may be secret.
      if case .string(let string) = part, string.count > 20,
        explanation.contains(string.prefix(21))
      {
        return DecodingFault(at: place, JSON.words(for: part))
      }
      return DecodingFault(at: place, JSON.words(for: part), explanation)
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return fault(at: context.codingPath + [key], "")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return fault(at: context.codingPath, "; expected \(words(for: type))")
    case .dataCorrupted(var context):
      if context.codingPath.isEmpty, let found = numberThatDoesNotFit(json) { context = found }
      return fault(at: context.codingPath, " (\(context.debugDescription))")
    default:
      return fault(at: [], " (\(error))")
    }
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is [Any].Type: "a list"
    case is [String: Any].Type: "a JSON object"
    case let type as any UserDefaultsSerializable.Type: Expectation.words(for: type)
    default: "a value of \(type)"
    }
  }

  /// Finds a number that does not fit its type. There Foundation's JSON decoder on Linux says only
  /// that the data is not valid, but its other decoder names the place.
  private static func numberThatDoesNotFit(_ json: JSON) -> DecodingError.Context? {
    guard PropertyListSerialization.propertyList(json.object, isValidFor: .binary) else {
      return nil
    }
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: json.object, format: .binary, options: 0)
      _ = try PropertyListDecoder().decode(Value.self, from: data)
    } catch DecodingError.dataCorrupted(let context) {
      return context
    } catch {}
    return nil
  }
}

extension CodingKey {
  /// The key as it is written after the path of its value.
  fileprivate var place: String {
    if let intValue { return "[\(intValue)]" }
    return stringValue.wholeMatch(of: /\w{1,40}/) == nil
      ? "[\(stringValue.quotedInBrief)]" : ".\(stringValue)"
  }
}
