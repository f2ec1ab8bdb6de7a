internal import Foundation

/// Reads JSON text in one pass.
struct JSONParser {
  /// The reason why a text is not JSON.
  struct Malformed: Error, CustomStringConvertible {
    let expected: String
    let offset: Int

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

  /// Returns the value of the whole text.
  ///
  /// - Throws: A `Malformed` if the text is not JSON, is nested too deep, or has two members of one
  ///   name in one object.
  mutating func parse() throws -> JSON {
    let value = try value()
    guard skipSpace() == nil else { throw malformed("the end") }
    return value
  }

  private mutating func value() throws -> JSON {
    switch skipSpace() {
    case UInt8(ascii: "{"):
      var members: [String: JSON] = [:]
      try list(endingWith: "}") { parser in
        guard parser.skipSpace() == UInt8(ascii: "\"") else { throw parser.malformed("a name") }
        let name = try parser.string()
        guard parser.take(":") else { throw parser.malformed("a colon") }
        guard members.updateValue(try parser.value(), forKey: name) == nil else {
          throw parser.malformed("another name than \(name.quotedInBrief)")
        }
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      try list(endingWith: "]") { elements.append(try $0.value()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t") where skip("true"): return .bool(true)
    case UInt8(ascii: "f") where skip("false"): return .bool(false)
    case UInt8(ascii: "n") where skip("null"): return .null
    default: return .number(try number())
    }
  }

  private mutating func list(
    endingWith end: StaticString, _ item: (inout Self) throws -> Void
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

  private mutating func number() throws -> String {
    let start = index
    skip("-")
    var isNumber = skip("0") || skipDigits()
    if isNumber, skip(".") { isNumber = skipDigits() }
    if isNumber, skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      isNumber = skipDigits()
    }
    guard isNumber else { throw malformed(index == start ? "a value" : "a digit") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func string() throws -> String {
    let start = index
    var hasEscapes = false
    index += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw malformed("an escape") }
      let isEscape = byte == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      index += isEscape ? 2 : 1
    }
    guard next != nil else { throw malformed("a quotation mark") }
    index += 1
    let string =
      hasEscapes
      ? try? JSONText<String>.decode(Data(bytes[start..<index]))
      : String(validating: bytes[start + 1..<index - 1], as: UTF8.self)
    guard let string else { throw Malformed(expected: "a valid string", offset: start) }
    return string
  }

  // MARK: Bytes

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func malformed(_ expected: String) -> Malformed {
    Malformed(expected: expected, offset: min(index, bytes.count))
  }

  /// Goes to the next byte that is no space, and returns it.
  private mutating func skipSpace() -> UInt8? {
    while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
    return next
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { index += 1 }
    return index > start
  }

  /// Goes past a word, if it is next.
  @discardableResult
  private mutating func skip(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count,
      (index..<end).allSatisfy({ bytes[$0] == word.utf8Start[$0 - index] })
    else { return false }
    index = end
    return true
  }

  /// Goes past space and a word, if it is next.
  private mutating func take(_ word: StaticString) -> Bool {
    _ = skipSpace()
    return skip(word)
  }
}
