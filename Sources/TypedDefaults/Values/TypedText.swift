internal import Foundation

extension UserDefaultsSerializable {
  /// The value as a person types it; nil if the value cannot be stored.
  var text: String? {
    let storedValue = storedValue
    guard let object = try? storedValue.propertyListObject() else { return nil }
    if StoredValue.self is any JSONForm.Type { return object as? String }
    let json = storedValue.asJSON()
    if case .string(let string) = json { return string }
    return json?.text()
  }

  /// Creates a value from the text that a person types; nil if the text is no value of this type.
  init?(text: String) {
    for object in Self.readings(of: text) where !Self.mayNotBeTyped(object) {
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
  /// Whether a person may not type an object.
  static func mayNotBeTyped(_ object: Any) -> Bool
}

extension Array: TypedForm where Element: TypedForm {
  static func mayNotBeTyped(_ object: Any) -> Bool {
    JSON.elements(of: object)?.contains { $0.map(Element.mayNotBeTyped) == true } == true
  }
}

extension Dictionary: TypedForm where Key == String, Value: TypedForm {
  static func mayNotBeTyped(_ object: Any) -> Bool {
    JSON.members(of: object)?.values.contains(where: Value.mayNotBeTyped) == true
  }
}

extension UserDefaultsSerializable {
  /// Whether a person may not type an object.
  static func mayNotBeTyped(_ object: Any) -> Bool {
    (StoredValue.self as? any TypedForm.Type)?.mayNotBeTyped(object) == true
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
