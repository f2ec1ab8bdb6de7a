internal import Foundation

/// Finds the settings in the text of a file without parsing their values, most of which are never
/// needed.
///
/// It reads only the format that Foundation writes. Any other file is left to Foundation's parser.
struct PreferencesText {
  /// Finds the settings.
  ///
  /// - Parameter text: The text between the header and the footer of the file.
  /// - Returns: The key and the text of each setting; nil if any text is not as Foundation writes
  ///   it.
  static func settings(in text: Data) -> [(key: String, text: Data)]? {
    // Foundation's parser, too, refuses other text.
    guard String(bytes: text, encoding: .utf8) != nil else { return nil }
    return text.withUnsafeBytes { bytes in
      var scanner = Self(bytes: bytes)
      var settings: [(String, Data)] = []
      while scanner.position < bytes.count {
        let start = scanner.position
        guard scanner.skip("\t<key>"), let key = scanner.key(), scanner.skip("\n\t"),
          scanner.skipValue(depth: 1), scanner.skip("\n")
        else { return nil }
        settings.append((key, Data(bytes[start..<scanner.position])))
      }
      return settings
    }
  }

  /// Returns the object in the text of a setting if it is a plain Boolean, integer or string:
  /// Foundation's parser takes a hundred times as long.
  static func plainObject(in setting: Data) -> Any? {
    setting.withUnsafeBytes { bytes in
      var scanner = Self(bytes: bytes)
      guard scanner.skip("\t<key>"), scanner.key() != nil, scanner.skip("\n\t") else { return nil }
      if scanner.skip("<true/>") { return true }
      if scanner.skip("<false/>") { return false }
      if scanner.skip("<integer>") { return scanner.plainText().flatMap { Int($0) } }
      guard scanner.skip("<string>"), let text = scanner.plainText(),
        text.unicodeScalars.first != "\u{FEFF}"
      else { return nil }
      return text
    }
  }

  /// Reads the text up to the next tag; nil if it has escapes.
  private mutating func plainText() -> String? {
    guard let text = text(), !text.contains(where: { $0 == UInt8(ascii: "&") || $0 == 0x0D })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func skip(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard bytes.count - position >= count,
      memcmp(bytes.baseAddress! + position, expected.utf8Start, count) == 0
    else { return false }
    position += count
    return true
  }

  /// Reads the bytes up to the next tag.
  private mutating func text() -> UnsafeRawBufferPointer? {
    guard position < bytes.count,
      let end = memchr(
        bytes.baseAddress! + position, CInt(UInt8(ascii: "<")), bytes.count - position)
    else { return nil }
    let start = position
    position = UnsafeRawPointer(end) - bytes.baseAddress!
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// Reads a key and the tag after it.
  private mutating func key() -> String? {
    guard let text = text(), skip("</key>"), Self.hasKnownEntities(text) else { return nil }
    var key = String(decoding: text, as: UTF8.self)
    // Foundation's parser drops it as a byte order mark.
    if key.unicodeScalars.first == "\u{FEFF}" { key.unicodeScalars.removeFirst() }
    if key.utf8.contains(UInt8(ascii: "&")) {
      key = key.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
    }
    return key == "CF$UID" ? nil : key
  }

  private mutating func skipValue(depth: Int) -> Bool {
    guard depth < 100, position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "t"): return skip("<true/>")
    case UInt8(ascii: "f"): return skip("<false/>")
    case UInt8(ascii: "i"): return skip("<integer>") && skipInteger() && skip("</integer>")
    case UInt8(ascii: "r"): return skip("<real>") && skipReal() && skip("</real>")
    case UInt8(ascii: "s"):
      guard skip("<string>"), let text = text() else { return false }
      return Self.hasKnownEntities(text) && skip("</string>")
    case UInt8(ascii: "a"):
      return skip("<array/>") || skip("<array>") && skipElements(depth: depth)
    case UInt8(ascii: "d"):
      if skip("<dict/>") { return true }
      if skip("<dict>") { return skipMembers(depth: depth) }
      if skip("<data>") { return text() != nil && skip("</data>") }
      guard skip("<date>"), let text = text() else { return false }
      return Self.isDate(text) && skip("</date>")
    default: return false
    }
  }

  private mutating func skipInteger() -> Bool {
    _ = skip("-")
    guard let text = text(), let start = text.baseAddress else { return false }
    // `strspn` stops at the tag at the latest.
    return (1...18).contains(text.count) && strspn(start, "0123456789") == text.count
  }

  private mutating func skipReal() -> Bool {
    guard let text = text(), text.count < 40, let start = text.baseAddress else { return false }
    return strspn(start, "0123456789+-.e") == text.count
      && Double(String(decoding: text, as: UTF8.self)) != nil
  }

  private mutating func skipElements(depth: Int) -> Bool {
    skipSpace()
    while !skip("</array>") {
      guard skipValue(depth: depth + 1) else { return false }
      skipSpace()
    }
    return true
  }

  private mutating func skipMembers(depth: Int) -> Bool {
    skipSpace()
    while !skip("</dict>") {
      guard skip("<key>"), key() != nil else { return false }
      skipSpace()
      guard skipValue(depth: depth + 1) else { return false }
      skipSpace()
    }
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x09 || bytes[position] == 0x0A {
      position += 1
    }
  }

  private static func hasKnownEntities(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var rest = text.baseAddress else { return true }
    let end = rest + text.count
    while let next = memchr(rest, CInt(UInt8(ascii: "&")), end - rest) {
      rest = UnsafeRawPointer(next)
      // At least a tag follows, so these bytes exist.
      if memcmp(rest, "&lt;", 4) == 0 || memcmp(rest, "&gt;", 4) == 0 {
        rest += 4
      } else if memcmp(rest, "&amp;", 5) == 0 {
        rest += 5
      } else {
        return false
      }
    }
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether the text is a date whose year has four digits.
  private static func isDate(_ text: UnsafeRawBufferPointer) -> Bool {
    let pattern = "0000-00-00T00:00:00Z".utf8
    return text.count == pattern.count
      && zip(text, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
  }
}
