internal import Foundation

/// Property-list objects as the text that a person types and reads.
///
/// Text does not tell of which kind its object is. So it has several readings, of which a type takes the first
/// that is one of its values, and an object has two forms, of which a type takes the first that it reads back.
enum PropertyListText {
  /// What a text may mean: what it says itself, as JSON, and as a launch argument is read.
  ///
  /// - Parameter isJSON: Whether it is the text of a `Codable` value, which is that before all else.
  static func readings(of text: String, isJSON: Bool) -> some Sequence<Any> {
    func trees(_ object: Any?) -> [Any] { object.map { [withLiterals($0), $0] } ?? [] }
    let isCollection = !isJSON && text.starts(with: /\s*[\[{(]/)
    // The last comes last because Foundation writes to standard error of what it cannot parse.
    let readings = [
      { literal(text).map { [$0] } ?? [] },
      { isCollection ? trees(json(text)) + [text] : [text] + trees(json(text)) },
      { trees(openStep(text)) },
    ]
    return readings.lazy.flatMap { $0() }
  }

  /// How an object can be written: first in the shortest way, then with nothing left to guess.
  static func forms(of object: Any) -> [String] {
    [false, true].map { isExact in
      object is [Any] || object is [String: Any]
        ? json(object, isExact: isExact) : scalar(object, isExact: isExact)
    }
  }

  // MARK: Reading

  private static func json(_ text: String) -> Any? {
    guard text.starts(with: /\s*["\[{]/) else { return nil }
    return try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)).object
  }

  private static func openStep(_ text: String) -> Any? {
    guard text.starts(with: /\s*["({<]/) else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
  }

  /// The data or the date that a string stands for, where there is no other text for it.
  private static func literal(_ string: String) -> Any? {
    if string.hasPrefix("@") {
      return Double(string.dropFirst()).map(Date.init(timeIntervalSinceReferenceDate:))
    }
    guard string.wholeMatch(of: /<([0-9A-Fa-f]{2}\s*)*>/) != nil else { return nil }
    return openStep(string)
  }

  private static func withLiterals(_ tree: Any) -> Any {
    switch tree {
    case let string as String: literal(string) ?? string
    case let array as [Any]: array.map(withLiterals)
    case let dictionary as [String: Any]: dictionary.mapValues(withLiterals)
    default: tree
    }
  }

  // MARK: Writing

  private static func json(_ object: Any, isExact: Bool) -> String {
    switch object {
    case let array as [Any]:
      return "[\(array.map { json($0, isExact: isExact) }.joined(separator: ","))]"
    case let dictionary as [String: Any]:
      let members = dictionary.sorted { $0.key < $1.key }.map {
        "\(quoted($0)):\(json($1, isExact: isExact))"
      }
      return "{\(members.joined(separator: ","))}"
    case let string as String:
      // The element may be the text of a `Codable` value.
      return !isExact && json(string) is [String: Any] ? string : quoted(string)
    default:
      let text = scalar(object, isExact: isExact)
      return object is Bool || Double(text)?.isFinite == true ? text : quoted(text)
    }
  }

  private static func quoted(_ string: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(string)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  private static func scalar(_ object: Any, isExact: Bool) -> String {
    switch object {
    case let data as Data: return text(of: data, isExact: isExact)
    case let date as Date: return text(of: date)
    case let number as Double where type(of: object) == Double.self && !isExact:
      // It may be a `Float`, which has fewer digits.
      return "\(Float(number))"
    default: return "\(object)"
    }
  }

  private static func text(of data: Data, isExact: Bool) -> String {
    if !isExact, let url = ArchivedURL.url(from: data),
      URL(propertyListObject: url.absoluteString) == url
    {
      return url.absoluteString
    }
    return "<\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())>"
  }

  /// ISO 8601, with as many digits as the date needs. The dates of years that do not have four digits, which
  /// that does not say, as the number of seconds since 2001.
  private static func text(of date: Date) -> String {
    let interval = date.timeIntervalSinceReferenceDate
    let second = Date(timeIntervalSinceReferenceDate: interval.rounded(.down)).ISO8601Format()
    let forms = (0...17).lazy.map { count in
      let digits = String(format: "%.\(count)f", interval - interval.rounded(.down)).dropFirst()
      return count == 0 ? second : "\(second.dropLast())\(digits)Z"
    }
    return forms.first { Date(propertyListObject: $0) == date } ?? "@\(interval)"
  }
}

/// JSON as the objects of a property list, and `NSNull`.
private struct JSONTree: Decodable {
  let object: Any

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func decode<V: Decodable>(_ type: V.Type) -> V? { try? container.decode(type) }
    object =
      if container.decodeNil() {
        NSNull()
      } else if let bool = decode(Bool.self) {
        bool
      } else if let string = decode(String.self) {
        string
      } else if let integer = decode(Int.self) {
        integer
      } else if let integer = decode(UInt64.self) {
        integer
      } else if let double = decode(Double.self) {
        double
      } else if let array = decode([Self].self) {
        array.map(\.object)
      } else {
        try container.decode([String: Self].self).mapValues(\.object)
      }
  }
}

extension UserDefaultsSerializable {
  /// Reads the value as a person types it; nil if the text does not mean one.
  init?(text: String) {
    for object in Self.readings(of: text) {
      guard let storedValue = StoredValue(propertyListObject: object),
        let value = Self(storedValue: storedValue)
      else { continue }
      self = value
      return
    }
    return nil
  }

  static func readings(of text: String) -> some Sequence<Any> {
    PropertyListText.readings(of: text, isJSON: StoredValue.self is any JSONForm.Type)
  }

  /// The value as a person types it; nil if it cannot be stored.
  var text: String? {
    guard let object = storedObject else { return nil }
    let forms = PropertyListText.forms(of: object.object)
    return forms.first { Self(text: $0)?.storedObject == object } ?? forms.last
  }

  private var storedObject: PropertyListObject? {
    (try? storedValue.propertyListObject()).map(PropertyListObject.init)
  }
}
