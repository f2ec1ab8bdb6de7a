internal import Foundation

extension UserDefaultsSerializable {
  /// The value as a person types it; nil if the value cannot be stored.
  var text: String? { text(spacing: "") }

  /// Returns the value as a person types it, with spacing after commas and colons of JSON.
  func text(spacing: String) -> String? {
    let storedValue = storedValue
    guard let object = try? storedValue.propertyListObject() else { return nil }
    if StoredValue.self is any JSONForm.Type { return object as? String }
    let json = storedValue.asJSON()
    if case .string(let string) = json { return string }
    return json?.text(spacing: spacing)
  }

  /// Creates a value from the text that a person types; nil if the text is no value of this type.
  init?(text: String) {
    for object in Self.readings(of: text) where Self.fault(inTyped: object) == nil {
      guard let storedValue = StoredValue(reading: object),
        let value = Self(storedValue: storedValue)
      else { continue }
      self = value
      return
    }
    return nil
  }

  /// Returns what a text may stand for, because it does not tell its kind: a string, a JSON value,
  /// or a property list as a launch argument has it. A type takes the first that is one of its
  /// values.
  static func readings(of text: String) -> some Sequence<Any> {
    // Any string is one of these. Other types would read JSON as the path of a file.
    let isString = StoredValue.self == String.self || StoredValue.self is any JSONForm.Type
    let readings: [() -> Any?] = [
      { isString ? text : nil },
      { text.begins(with: "\"[{") ? JSON(text: text) : nil },
      { isString ? nil : text },
      // The last, because Foundation's parser writes to standard error about text that it refuses. It
      // knows no limit of depth.
      { text.begins(with: "\"({") && !text.utf8.isNestedTooDeep ? text.propertyList : nil },
    ]
    return readings.lazy.compactMap { $0() }
  }
}

/// A stored form of which a person may type less than a property list may hold.
protocol TypedForm {
  /// Returns the part of an object that a person may not type; nil if there is none.
  static func fault(inTyped object: Any) -> DecodingFault?
}

extension Array: TypedForm where Element: TypedForm {
  static func fault(inTyped object: Any) -> DecodingFault? {
    (JSON.elements(of: object) ?? []).enumerated().lazy.compactMap { index, element in
      element.flatMap(Element.fault)?.inside("[\(index)]")
    }.first
  }
}

extension Dictionary: TypedForm where Key == String, Value: TypedForm {
  static func fault(inTyped object: Any) -> DecodingFault? {
    (JSON.members(of: object) ?? [:]).sorted { $0.key < $1.key }.lazy.compactMap { key, value in
      Value.fault(inTyped: value)?.inside("[\(key.quotedInBrief)]")
    }.first
  }
}

extension UserDefaultsSerializable {
  /// Returns the part of an object that a person may not type; nil if there is none.
  static func fault(inTyped object: Any) -> DecodingFault? {
    (StoredValue.self as? any TypedForm.Type)?.fault(inTyped: object)
  }
}

extension String {
  fileprivate func begins(with characters: String) -> Bool {
    first { !$0.isWhitespace }.map(characters.contains) ?? false
  }

  /// The property list in the form of a launch argument: `(a, b)`, `{a = b;}` or a quoted string.
  fileprivate var propertyList: Any? {
    try? PropertyListSerialization.propertyList(from: Data(utf8), format: nil)
  }
}
