internal import Foundation

/// Writes property lists in the XML format, byte for byte as Foundation does.
struct XMLWriter {
  static let header: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>

    """
  static let footer = "</dict>\n</plist>\n"

  private var bytes: [UInt8] = []

  /// Returns the lines of a setting.
  ///
  /// - Throws: An `Unencodable` if the format cannot hold the object.
  static func lines(key: String, _ object: Any) throws -> Data {
    var writer = Self()
    try writer.appendMember(key, object, depth: 1)
    return Data(writer.bytes)
  }

  private mutating func appendMember(_ key: String, _ object: Any, depth: Int) throws {
    appendElement("key", key, depth: depth)
    try append(object, depth: depth)
  }

  private mutating func append(_ object: Any, depth: Int) throws {
    switch object {
    case let string as String: appendElement("string", string, depth: depth)
    case let date as Date:
      guard Date.propertyListRange.contains(date.timeIntervalSinceReferenceDate) else {
        throw Unencodable.date
      }
      appendElement("date", date.propertyListText, depth: depth)
    case let data as Data:
      let text = Array(data.base64EncodedString().utf8)
      let length = 76 - 8 * min(depth, 8)
      appendLine("<data>", depth: depth)
      for start in stride(from: 0, to: text.count, by: length) {
        let line = text[start..<min(start + length, text.count)]
        appendLine(String(decoding: line, as: UTF8.self), depth: min(depth, 8))
      }
      appendLine("</data>", depth: depth)
    case let array as [Any]:
      try appendElements("array", array, depth: depth) { try $0.append($1, depth: depth + 1) }
    case let dictionary as [String: Any]:
      if dictionary.keys.elementsEqual([Unencodable.referenceKey]) { throw Unencodable.reference }
      let members = dictionary.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      try appendElements("dict", members, depth: depth) {
        try $0.appendMember($1.key, $1.value, depth: depth + 1)
      }
    // Last, because the cast of a collection takes its elements, too.
    case let bool as Bool where PropertyListObject(object).isBoolean:
      appendLine(bool ? "<true/>" : "<false/>", depth: depth)
    case let number as NSNumber:
      if "fd".utf8.contains(UInt8(bitPattern: number.objCType.pointee)) {
        appendElement("real", Self.text(number.doubleValue), depth: depth)
      } else {
        appendElement("integer", number.stringValue, depth: depth)
      }
    default: throw Unencodable(reason: "a property list cannot hold it")
    }
  }

  private mutating func appendElements<Element>(
    _ name: String, _ elements: [Element], depth: Int,
    _ append: (inout Self, Element) throws -> Void
  ) throws {
    if elements.isEmpty { return appendLine("<\(name)/>", depth: depth) }
    guard depth < PropertyListObject.mostDepth else { throw Unencodable.tooDeep }
    appendLine("<\(name)>", depth: depth)
    for element in elements { try append(&self, element) }
    appendLine("</\(name)>", depth: depth)
  }

  private mutating func appendLine(_ text: String, depth: Int) {
    bytes += repeatElement(UInt8(ascii: "\t"), count: depth)
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func appendElement(_ name: String, _ text: String, depth: Int) {
    var text = text
    if text.utf8.contains(where: { "<>&".utf8.contains($0) }) {
      text = text.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "&": text += "&amp;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    // A parser drops the first as a byte order mark.
    if text.unicodeScalars.first == "\u{FEFF}" { text = "\u{FEFF}" + text }
    appendLine("<\(name)>\(text)</\(name)>", depth: depth)
  }

  private static func text(_ real: Double) -> String {
    if real.isNaN { return "nan" }
    if real.isInfinite { return real > 0 ? "+infinity" : "-infinity" }
    return real == 0 ? "0.0" : String(format: "%.17g", real)
  }
}
