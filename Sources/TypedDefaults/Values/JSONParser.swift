/// Reads JSON text in one pass.
struct JSONParser {
  /// The reason why a text is not JSON.
  struct Malformed: Error, CustomStringConvertible {
    let offset: Int
    let expected: String
    var description: String {
      "\(expected) was expected after \(offset) byte\(offset == 1 ? "" : "s")"
    }
  }

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  init(_ text: some Sequence<UInt8>) {
    bytes = Array(text)
  }

  mutating func whole() throws -> JSON {
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw malformed("the end") }
    return value
  }

  private func malformed(_ expected: String) -> Malformed {
    Malformed(offset: index, expected: expected)
  }

  private mutating func value() throws -> JSON {
    skipSpace()
    return switch next {
    case UInt8(ascii: "{"): .object(try members())
    case UInt8(ascii: "["): .array(try elements())
    case UInt8(ascii: "\""): .string(try string())
    case UInt8(ascii: "t"): try word("true", .bool(true))
    case UInt8(ascii: "f"): try word("false", .bool(false))
    case UInt8(ascii: "n"): try word("null", .null)
    default: .number(try number())
    }
  }

  private mutating func elements() throws -> [JSON] {
    var elements: [JSON] = []
    try list(endingWith: "]") { parser in elements.append(try parser.value()) }
    return elements
  }

  private mutating func members() throws -> [String: JSON] {
    var members: [String: JSON] = [:]
    try list(endingWith: "}") { parser in
      parser.skipSpace()
      guard parser.next == UInt8(ascii: "\"") else { throw parser.malformed("a name") }
      let name = try parser.string()
      guard parser.take(":") else { throw parser.malformed("a colon") }
      guard members.updateValue(try parser.value(), forKey: name) == nil else {
        throw parser.malformed("another name than \(name.quotedInBrief)")
      }
    }
    return members
  }

  private mutating func list(
    endingWith end: Unicode.Scalar, _ item: (inout Self) throws -> Void
  ) throws {
    guard depth < JSON.greatestDepth else { throw malformed("a value that is not as deep") }
    depth += 1
    index += 1
    if !take(end) {
      repeat { try item(&self) } while take(",")
      guard take(end) else { throw malformed("a comma or \(end)") }
    }
    depth -= 1
  }

  private mutating func word(_ word: String, _ value: JSON) throws -> JSON {
    guard bytes[index...].starts(with: word.utf8) else { throw malformed("a value") }
    index += word.utf8.count
    return value
  }

  private mutating func number() throws -> String {
    let start = index
    skip("-")
    if !skip("0") { try digits("a value") }
    if skip(".") { try digits("a digit") }
    if skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      try digits("a digit")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits(_ expected: String) throws {
    let start = index
    while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index += 1 }
    guard index > start else { throw malformed(expected) }
  }

  private mutating func string() throws -> String {
    index += 1
    var (string, start) = ("", index)
    while let next {
      switch next {
      case UInt8(ascii: "\""):
        string += try text(start..<index)
        index += 1
        return string
      case UInt8(ascii: "\\"):
        string += try text(start..<index)
        string.unicodeScalars.append(try escape())
        start = index
      case 0..<0x20: throw malformed("an escape")
      default: index += 1
      }
    }
    throw malformed("a quotation mark")
  }

  private func text(_ range: Range<Int>) throws -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw malformed("text in UTF-8")
    }
    return text
  }

  private mutating func escape() throws -> Unicode.Scalar {
    index += 1
    guard let code = next else { throw malformed("an escape") }
    index += 1
    switch Unicode.Scalar(code) {
    case "\"", "\\", "/": return Unicode.Scalar(code)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), skip("\\"), skip("u") { units.append(try codeUnit()) }
      guard let scalar = String(validating: units, as: UTF16.self)?.unicodeScalars.first else {
        throw malformed("a character's number")
      }
      return scalar
    default: throw malformed("an escape")
    }
  }

  private mutating func codeUnit() throws -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw malformed("a hexadecimal digit")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }

  // MARK: Bytes

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let next, [0x20, 0x0A, 0x0D, 0x09].contains(next) { index += 1 }
  }

  /// Goes past a byte, if it is the next one.
  @discardableResult
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  /// Goes past space and a byte, if it is the next one.
  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    return skip(scalar)
  }
}
