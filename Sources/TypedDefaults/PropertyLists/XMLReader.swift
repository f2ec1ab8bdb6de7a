internal import Foundation

/// Reads property lists in the XML format as Foundation's parser does.
///
/// It refuses what is rare, such as a CDATA section: Foundation's parser decides then.
struct XMLReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Whether the bytes of data are wanted. To decode them takes the longest.
  private let wantsData: Bool

  private init(_ bytes: UnsafeRawBufferPointer, wantsData: Bool) {
    self.bytes = bytes
    self.wantsData = wantsData
  }

  /// Finds the settings of a file. Their values are checked but not kept, because most are never
  /// needed.
  ///
  /// - Returns: The key of each setting, and its lines in Foundation's layout. Inside a value, the
  ///   layout is that of the file.
  static func settings(in file: Data) throws -> [(key: [UInt8], lines: Data)] {
    try file.withUnsafeBytes { bytes in
      var reader = Self(bytes, wantsData: false)
      return try reader.settings(in: file)
    }
  }

  /// Returns the object in the lines of a setting.
  static func object(in lines: Data) throws -> Any? {
    try lines.withUnsafeBytes { bytes in
      var reader = Self(bytes, wantsData: true)
      return try reader.member(depth: 1)?.value
    }
  }

  private mutating func settings(in file: Data) throws -> [(key: [UInt8], lines: Data)] {
    func slice(_ range: Range<Int>) -> Data { file.dropFirst(range.lowerBound).prefix(range.count) }
    try skipStart()
    let list = position
    let isInList = opening("plist") == .content
    try skipSpace()
    let root = position
    guard opening("dict") == .content else { throw unexpected("<dict>") }
    var settings: [(key: [UInt8], lines: Data)] = []
    _ = skip("\n")
    var start = position
    while let member = try member(depth: 1) {
      let (key, value) = (member.keyRange, member.valueStart..<position)
      // The end of the line belongs to the setting.
      _ = skip("\n")
      let gaps = (
        key.lowerBound - start, value.lowerBound - key.upperBound, position - value.upperBound
      )
      let lines =
        gaps == (1, 2, 1)
        ? slice(start..<position)
        : Data("\t".utf8) + slice(key) + Data("\n\t".utf8) + slice(value) + Data("\n".utf8)
      settings.append((Array(member.key.utf8), lines))
      start = position
    }
    try close("dict", from: root)
    if settings.count == 1, settings[0].key.elementsEqual(Unencodable.referenceKey.utf8) {
      throw fault(root, Unencodable.reference.reason)
    }
    if isInList {
      try skipSpace()
      try close("plist", from: list)
    }
    return settings
  }

  // MARK: Values

  private mutating func value(depth: Int) throws -> Any {
    try skipSpace()
    let start = position
    if let string = try element("string", isEscaped: true, { $0 }) { return string }
    if let object = try element("integer", { Int($0) ?? UInt64($0) as Any? }) { return object }
    if let real = try element("real", Self.real) { return real }
    if let object = try element("true", { $0.isEmpty ? true : nil }) { return object }
    if let object = try element("false", { $0.isEmpty ? false : nil }) { return object }
    if let date = try element("date", Date.init(propertyListText:)) { return date }
    // Foundation's parser refuses the empty element.
    if !isNext("<data/"), let data = try element("data", data) { return data }
    if let tag = opening("array") {
      var array: [Any] = []
      guard tag == .content else { return array }
      try checkDepth(depth, at: start)
      while try !isAtEndOfContent() { array.append(try value(depth: depth + 1)) }
      try close("array", from: start)
      return array
    }
    if let tag = opening("dict") {
      var dictionary: [String: Any] = [:]
      guard tag == .content else { return dictionary }
      try checkDepth(depth, at: start)
      while let member = try member(depth: depth + 1) { dictionary[member.key] = member.value }
      try close("dict", from: start)
      if dictionary.keys.elementsEqual([Unencodable.referenceKey]) {
        throw fault(start, Unencodable.reference.reason)
      }
      return dictionary
    }
    throw unexpected("a value")
  }

  private func checkDepth(_ depth: Int, at start: Int) throws {
    if depth >= PropertyListObject.mostDepth { throw fault(start, Unencodable.tooDeep.reason) }
  }

  /// Reads a key and its value; nil at the end of the dictionary.
  private mutating func member(
    depth: Int
  ) throws -> (key: String, keyRange: Range<Int>, valueStart: Int, value: Any)? {
    guard try !isAtEndOfContent() else { return nil }
    let start = position
    guard let key = try element("key", isEscaped: true, { $0 }) else { throw unexpected("a <key>") }
    let end = position
    if try isAtEndOfContent() || isNext("<key") {
      throw fault(start, "the key \(key.quotedInBrief) has no value")
    }
    let valueStart = position
    return (key, start..<end, valueStart, try value(depth: depth))
  }

  private static func real(_ text: String) -> Double? {
    // `Double` knows more spellings, and stops at a NUL.
    guard let real = Double(text), !text.utf8.contains(where: { "xX\0".utf8.contains($0) }),
      real.isFinite || ["nan", "+infinity", "-infinity"].contains(text)
    else { return nil }
    return real
  }

  /// Decodes Base64 as Foundation's parser does: what is no digit is passed over.
  private func data(_ text: String) -> Data? {
    var (data, bits, digits, padding) = (Data(), 0, 0, 0)
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard wantsData else { return data }
    for byte in text.utf8 {
      padding = byte == UInt8(ascii: "=") ? padding + 1 : isspace(CInt(byte)) == 0 ? 0 : padding
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="): digit = 0
      default: continue
      }
      (bits, digits) = (bits << 6 | Int(digit), digits + 1)
      if digits.isMultiple(of: 4) {
        let bytes = [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        data += bytes.prefix(max(1, 3 - padding))
      }
    }
    return data
  }

  // MARK: Elements

  /// Reads an element of this name, if it is next.
  ///
  /// - Parameters:
  ///   - isEscaped: Whether the text may have entities.
  ///   - object: Makes an object of the text of the element; nil if the text is wrong.
  private mutating func element<Object>(
    _ name: StaticString, isEscaped: Bool = false, _ object: (String) -> Object?
  ) throws -> Object? {
    let start = position
    guard let tag = opening(name) else { return nil }
    var text = ""
    if tag == .content {
      let content = position..<(index(of: "<") ?? bytes.count)
      position = content.upperBound
      try close(name, from: start)
      let raw = UnsafeRawBufferPointer(rebasing: bytes[content])
      text = String(decoding: raw, as: UTF8.self)
      if isEscaped, raw.contains(UInt8(ascii: "&")) {
        text = try unescaped(text, at: content.lowerBound)
      }
      // Foundation's parser drops it as a byte order mark.
      if isEscaped, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    }
    guard let object = object(text) else {
      throw fault(start, "<\(name)> holds \(text.quotedInBrief)")
    }
    return object
  }

  private func unescaped(_ text: String, at start: Int) throws -> String {
    var (result, rest) = ("", text.unicodeScalars[...])
    while let entity = rest.firstIndex(of: "&") {
      result.unicodeScalars += rest[..<entity]
      let name = rest[entity...].dropFirst().prefix { $0 != ";" }
      guard name.endIndex < rest.endIndex, let scalar = Self.scalar(String(name)) else {
        let offset = text.utf8.distance(from: text.startIndex, to: entity)
        throw fault(
          start + offset, "\("&\(String(name))".quotedInBrief) is no entity: write & as &amp;")
      }
      result.unicodeScalars.append(scalar)
      rest = rest[name.endIndex...].dropFirst()
    }
    result.unicodeScalars += rest
    return result
  }

  private static func scalar(_ entity: String) -> Unicode.Scalar? {
    switch entity {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default:
      let radix = entity.hasPrefix("#x") ? 16 : 10
      let digits = entity.dropFirst(radix == 16 ? 2 : 1)
      guard entity.first == "#", (1...7).contains(digits.utf8.count),
        digits.first?.isHexDigit == true
      else { return nil }
      return UInt32(digits, radix: radix).flatMap { Unicode.Scalar($0) }
    }
  }

  private enum Tag { case content, empty }

  /// Reads an opening tag of this name, if it is next.
  private mutating func opening(_ name: StaticString) -> Tag? {
    let start = position
    if skip("<"), skip(name) {
      if skip(">") { return .content }
      if skip("/>") { return .empty }
      if isAtSpace, let end = index(of: ">") {
        position = end + 1
        return bytes[end - 1] == UInt8(ascii: "/") ? .empty : .content
      }
    }
    position = start
    return nil
  }

  private mutating func close(_ name: StaticString, from start: Int) throws {
    let end = position
    if skip("</"), skip(name) {
      while isAtSpace { position += 1 }
      if skip(">") { return }
    }
    position = end
    throw isNext("</")
      ? unexpected("</\(name)> of line \(line(start))") : fault(start, "<\(name)> is not closed")
  }

  // MARK: Text

  private func isNext(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    return bytes.count - position >= count
      && memcmp(bytes.baseAddress! + position, expected.utf8Start, count) == 0
  }

  private mutating func skip(_ expected: StaticString) -> Bool {
    guard isNext(expected) else { return false }
    position += expected.utf8CodeUnitCount
    return true
  }

  private func index(of character: Unicode.Scalar) -> Int? {
    guard position < bytes.count else { return nil }
    let start = bytes.baseAddress! + position
    return memchr(start, CInt(character.value), bytes.count - position)
      .map { UnsafeRawPointer($0) - bytes.baseAddress! }
  }

  private var isAtSpace: Bool {
    position < bytes.count && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position])
  }

  private mutating func isAtEndOfContent() throws -> Bool {
    try skipSpace()
    return position == bytes.count || isNext("</")
  }

  private mutating func skipSpace() throws {
    while true {
      let start = position
      if isAtSpace {
        position += 1
      } else if skip("<!--") {
        while !skip("-->") { try advance(in: "the comment", from: start) }
      } else if skip("<?") {
        while !skip("?>") { try advance(in: "the instruction", from: start) }
      } else {
        return
      }
    }
  }

  private mutating func advance(in part: String, from start: Int) throws {
    guard position < bytes.count else { throw fault(start, "\(part) has no end") }
    position += 1
  }

  /// Skips what stands before the property list.
  private mutating func skipStart() throws {
    if String(validating: bytes, as: UTF8.self) == nil {
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      throw fault(zip(bytes, repaired).prefix { $0 == $1 }.count, "the text is not UTF-8")
    }
    _ = skip("\u{FEFF}")
    if isNext("<?xml"), let end = index(of: ">") {
      let start = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
      if start.contains("encoding"), !start.contains("\"utf-8\"") {
        throw fault(0, "the encoding is not UTF-8")
      }
    }
    try skipSpace()
    if skip("<!DOCTYPE") {
      guard let end = index(of: ">"), !bytes[position..<end].contains(UInt8(ascii: "[")) else {
        throw fault(position, "the document type has a part that is not known")
      }
      position = end + 1
      try skipSpace()
    }
  }

  // MARK: Faults

  private func line(_ position: Int) -> Int {
    1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }
  }

  private func fault(_ position: Int, _ reason: String) -> Unreadable {
    Unreadable(description: "line \(line(position)): \(reason)")
  }

  /// The fault that something else is next.
  private func unexpected(_ expected: String) -> Unreadable {
    guard position < bytes.count else {
      return fault(position, "the text ends where \(expected) is expected")
    }
    let rest = String(decoding: bytes[position...].prefix(40), as: UTF8.self)
    let found =
      rest.hasPrefix("<")
      ? rest.prefix { $0 != ">" } + ">"
      : Substring(rest.prefix { !"<\n".contains($0) }.debugDescription)
    return fault(position, "\(found) stands where \(expected) is expected")
  }
}
