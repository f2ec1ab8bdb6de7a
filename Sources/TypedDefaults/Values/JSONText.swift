internal import Foundation

extension UserDefaultsSerializable where Self: Codable {
  /// The value as JSON text.
  public var storedValue: JSONText<Self> { JSONText(value: self) }

  /// Creates the value that the JSON text encodes.
  public init(storedValue: JSONText<Self>) { self = storedValue.value }
}

/// The stored form of a `Codable` type: JSON text, its keys sorted.
public struct JSONText<Value: Codable & Sendable>: PropertyListValue, JSONForm {
  /// The value that the text encodes.
  public let value: Value

  init(value: Value) {
    self.value = value
  }

  /// The value's JSON text.
  ///
  /// - Throws: What the value's `encode(to:)` throws.
  public func propertyListObject() throws -> Any {
    String(decoding: try JSON.encoder.encode(value), as: UTF8.self)
  }

  /// Reads JSON text, JSON data, or a property list of the same shape.
  ///
  /// If the object is a string, decodes it as JSON text. If it is data, decodes it as JSON. If it is
  /// anything else, such as a dictionary that a person wrote, decodes the JSON of the same shape, with
  /// a date as its seconds since 2001 and data in Base64. If that fails, nil.
  public init?(propertyListObject object: Any) {
    guard
      let json = JSON.data(ofPropertyListObject: object),
      let value = try? JSON.decoder.decode(Value.self, from: json)
    else { return nil }
    self.value = value
  }
}

/// A stored form that takes long to decode.
protocol JSONForm {}

private enum JSON {
  static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  static let decoder = JSONDecoder()

  static func data(ofPropertyListObject object: Any) -> Data? {
    if let string = object as? String { return Data(string.utf8) }
    if let data = object as? Data { return data }
    // The serializer ends the process if it is given what it cannot write. In an array it takes any
    // object, a number too.
    let tree = tree(object)
    guard JSONSerialization.isValidJSONObject([tree]) else { return nil }
    return try? JSONSerialization.data(withJSONObject: tree, options: .fragmentsAllowed)
  }

  /// The form that the coders' own strategies give to dates and data.
  private static func tree(_ object: Any) -> Any {
    if let date = object as? Date { return date.timeIntervalSinceReferenceDate }
    if let data = object as? Data { return data.base64EncodedString() }
    if let array = object as? [Any] { return array.map(tree) }
    if let dictionary = object as? [String: Any] { return dictionary.mapValues(tree) }
    return object
  }
}
