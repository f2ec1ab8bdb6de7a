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

  /// Returns what is wrong with a part of the JSON, in words; nil if it is no JSON, or can be read.
  static func fault(in object: Any) -> String?
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

  static func fault(in object: Any) -> String? {
    guard let data = json(object), let json = try? JSON(parsing: data) else { return nil }
    do {
      _ = try decode(data)
      return nil
    } catch let error as DecodingError {
      return words(for: error, in: json)
    } catch {
      return "it is \(JSON.words(for: json)) (\(DefaultsIssue.cause(error)))"
    }
  }

  private static func words(for error: DecodingError, in json: JSON) -> String {
    var (path, expected): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let context): (context.codingPath + [key], "")
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        (context.codingPath, "; expected \(words(for: type))")
      case .dataCorrupted(let context): (context.codingPath, " (\(context.debugDescription))")
      @unknown default: ([], " (\(error))")
      }
    let part = path.reduce(json) { $0?[$1] }
    // The words of a decoder may quote a whole string, which may be secret.
    if case .string(let string) = part, string.count > 20 { expected = "" }
    let place = path.map(\.place).joined()
    return "\(place.isEmpty ? "it" : place.hasPrefix(".") ? "\(place.dropFirst())" : place) is "
      + "\(part.map { JSON.words(for: $0) } ?? "missing")\(expected)"
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is [Any].Type: "a list"
    case is [String: Any].Type: "a JSON object"
    case let type as any UserDefaultsSerializable.Type: Expectation.words(for: type)
    default: "a value of \(type)"
    }
  }
}

extension CodingKey {
  /// The key as it is written after the path of its value.
  fileprivate var place: String {
    intValue.map { "[\($0)]" } ?? ".\(String(stringValue.unicodeScalars.prefix(20)))"
  }
}
