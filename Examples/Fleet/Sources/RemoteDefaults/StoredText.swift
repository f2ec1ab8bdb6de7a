internal import Foundation

/// A property-list object and its text on the server.
struct StoredText: @unchecked Sendable {  // Property-list objects are immutable.
  let text: Data
  let object: Any

  /// Writes an object: as JSON where JSON can hold it, else as an XML property list.
  init(_ object: Any) throws {
    // Foundation would end the process on a Set or a type of the program.
    guard PropertyListSerialization.propertyList(object, isValidFor: .xml) else {
      throw CocoaError(.propertyListWriteInvalid)
    }
    self.object = object
    text =
      Self.isJSON(object)
      ? try JSONSerialization.data(
        withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
      : try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
  }

  /// Reads any text: JSON, a property list, or else a plain string. Bytes that are not UTF-8 are data.
  init(text: Data) {
    self.text = text
    if let json = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed),
      Self.isJSON(json)
    {
      object = json
    } else if text.starts(with: Data("<?xml".utf8)),
      let list = try? PropertyListSerialization.propertyList(from: text, format: nil)
    {
      object = list
    } else {
      object = String(data: text, encoding: .utf8) ?? text
    }
  }

  private static func isJSON(_ object: Any) -> Bool {
    switch object {
    case is String: true
    case let number as NSNumber: number.doubleValue.isFinite
    case let array as [Any]: array.allSatisfy(isJSON)
    case let dictionary as [String: Any]: dictionary.values.allSatisfy(isJSON)
    default: false
    }
  }
}
