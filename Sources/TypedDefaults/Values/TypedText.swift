internal import Foundation

extension UserDefaultsSerializable {
  /// The value as a person types it; nil if the value cannot be stored.
  var text: String? { text(spacing: "") }

  /// Returns the value as a person types it, with spacing after commas and colons of JSON.
  func text(spacing: String) -> String? {
    let storedValue = storedValue
    guard let object = try? storedValue.propertyListObject() else { return nil }
    if StoredValue.self is any JSONForm.Type { return object as? String }
    return switch JSON(value: storedValue) {
    case .string(let string): string
    case let json: json?.text(spacing: spacing)
    }
  }

  /// Creates a value from the text that a person types; nil if the text is no value of this type.
  init?(text: String) {
    for object in Self.readings(of: text) {
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
      { text.begins(with: "\"[{") ? JSON(textObject: text) : nil },
      { isString ? nil : text },
      // The last, because Foundation's parser writes to standard error about text that it refuses.
      { text.begins(with: "\"({<") ? text.propertyList : nil },
    ]
    return readings.lazy.compactMap { $0() }
  }
}

extension String {
  fileprivate func begins(with characters: String) -> Bool {
    first { !$0.isWhitespace }.map(characters.contains) ?? false
  }

  /// The property list in the form of a launch argument: `(a, b)`, `{a = b;}` or XML.
  fileprivate var propertyList: Any? {
    guard isShallow else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(utf8), format: nil)
  }

  /// Whether the brackets and tags are nested no deeper than JSON may be. Foundation's parser has
  /// no bound.
  private var isShallow: Bool {
    var (depth, last) = (0, UInt8(ascii: " "))
    for byte in utf8 {
      switch (last, byte) {
      case (_, UInt8(ascii: "(")), (_, UInt8(ascii: "{")), (_, UInt8(ascii: "<")): depth += 1
      case (_, UInt8(ascii: ")")), (_, UInt8(ascii: "}")): depth -= 1
      case (UInt8(ascii: "<"), UInt8(ascii: "/")): depth -= 2
      case (UInt8(ascii: "/"), UInt8(ascii: ">")): depth -= 1
      default: break
      }
      if depth > JSON.greatestDepth { return false }
      last = byte
    }
    return true
  }
}
