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
public struct JSONText<Value: Codable & Sendable>: PropertyListValue, JSONForm {
  /// The value that the text encodes.
  public let value: Value

  init(value: Value) {
    self.value = value
  }

  /// Returns the value's JSON text.
  ///
  /// - Returns: The text.
  /// - Throws: The error that the value's `encode(to:)` throws.
  public func propertyListObject() throws -> Any {
    String(decoding: try JSON.encoder.encode(value), as: UTF8.self)
  }

  /// Creates a value from JSON text, JSON data, or a property list of the same shape.
  ///
  /// In such a property list, a date stands for its seconds since 2001, and data for its Base64
  /// text. Returns `nil` if decoding fails.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    guard
      let json = JSON.data(ofPropertyListObject: object),
      let value = try? JSON.decoder.decode(Value.self, from: json)
    else { return nil }
    self.value = value
  }
}

/// A stored form that is slow to decode, and whose type may have gained members since it was
/// stored.
protocol JSONForm {
  /// Returns the object with each missing member taken from another object; nil if it has no such
  /// member.
  static func completed(_ object: Any, from other: Any) -> Any?
}

extension JSONText {
  static func completed(_ object: Any, from other: Any) -> Any? {
    guard let other = JSON.data(ofPropertyListObject: other) else { return nil }
    var completed: Data?
    while let json = completed ?? JSON.data(ofPropertyListObject: object) {
      do {
        _ = try JSON.decoder.decode(Value.self, from: json)
        break
      } catch DecodingError.keyNotFound(let key, let context) {
        let path = (context.codingPath + [key]).map(\.stringValue)
        guard let next = JSON.adding(path[...], of: other, to: json) else { break }
        completed = next
      } catch {
        break
      }
    }
    return completed
  }
}

extension JSONText: FaultFinding {
  static func fault(in object: Any) -> DecodingFault? {
    guard let json = JSON.data(ofPropertyListObject: object) else { return nil }
    do {
      _ = try JSON.decoder.decode(Value.self, from: json)
      return nil
    } catch {
      return JSON.fault(error, decoding: Value.self, from: json)
        ?? DecodingFault("\(PropertyListObject(object))", ", which is not JSON")
    }
  }
}

enum JSON {
  static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  static let decoder = JSONDecoder()

  static func data(ofPropertyListObject object: Any) -> Data? {
    if let string = object as? String { return Data(string.utf8) }
    if let data = object as? Data { return data }
    // The serializer traps for objects that it cannot write. In an array, a number is valid, too.
    let tree = tree(object)
    guard JSONSerialization.isValidJSONObject([tree]) else { return nil }
    return try? JSONSerialization.data(withJSONObject: tree, options: .fragmentsAllowed)
  }

  /// Returns the fault that made decoding fail; nil if the data is not JSON.
  static func fault<V: Decodable>(
    _ error: any Error, decoding type: V.Type, from json: Data
  ) -> DecodingFault? {
    guard let tree = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    else {
      return nil
    }
    func words(for type: Any.Type) -> String {
      switch type {
      case is [Any].Type: "a list"
      case is [String: Any].Type: "a JSON object"
      case let type as any UserDefaultsSerializable.Type: Expectation.words(for: type)
      default: "a value of \(type)"
      }
    }
    func fault(at path: [any CodingKey], _ explanation: String) -> DecodingFault {
      var (place, part) = ("", Optional(tree))
      for key in path {
        if let array = part as? [Any], let index = key.intValue {
          place += "[\(index)]"
          part = array.indices.contains(index) ? array[index] : nil
        } else {
          place += key.place
          part = (part as? [String: Any])?[key.stringValue]
        }
      }
      guard let part else { return DecodingFault(at: place, "missing") }
      if part is NSNull { return DecodingFault(at: place, "null", explanation) }
      // The words of a decoder may quote a whole string, which may be secret.
      let start = (part as? String)?.prefix(21)
      let quotesIt = start.map { $0.count > 20 && explanation.contains($0) } ?? false
      return DecodingFault(at: place, "\(PropertyListObject(part))", quotesIt ? "" : explanation)
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return fault(at: context.codingPath + [key], "")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return fault(at: context.codingPath, "; expected \(words(for: type))")
    case .dataCorrupted(var context):
      if context.codingPath.isEmpty, let found = numberThatDoesNotFit(type, in: tree) {
        context = found
      }
      return fault(at: context.codingPath, " (\(context.debugDescription))")
    default:
      return fault(at: [], " (\(error))")
    }
  }

  /// Finds a number that does not fit its type. There Foundation's JSON decoder on Linux says only
  /// that the data is not valid, but its other decoder names the place.
  private static func numberThatDoesNotFit<V: Decodable>(
    _ type: V.Type, in tree: Any
  ) -> DecodingError.Context? {
    guard PropertyListSerialization.propertyList(tree, isValidFor: .binary),
      let data = try? PropertyListSerialization.data(
        fromPropertyList: tree, format: .binary, options: 0)
    else { return nil }
    do {
      _ = try PropertyListDecoder().decode(type, from: data)
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context
    } catch {
      return nil
    }
  }

  /// Returns the object with dates and data in the form of the coders' default strategies.
  private static func tree(_ object: Any) -> Any {
    if let date = object as? Date { return date.timeIntervalSinceReferenceDate }
    if let data = object as? Data { return data.base64EncodedString() }
    if let array = object as? [Any] { return array.map(tree) }
    if let dictionary = object as? [String: Any] { return dictionary.mapValues(tree) }
    return object
  }
}

extension CodingKey {
  /// The key as it is written after the path of its value.
  fileprivate var place: String {
    stringValue.wholeMatch(of: /\w{1,40}/) == nil
      ? "[\(stringValue.quotedInBrief)]" : ".\(stringValue)"
  }
}
