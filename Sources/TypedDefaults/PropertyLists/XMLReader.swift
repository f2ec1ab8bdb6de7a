internal import Foundation

/// Reads property lists in the XML format, in the layout of Foundation or another.
///
/// It refuses what is rare, such as another encoding, an attribute or a CDATA section. Foundation's
/// parser decides then.
struct XMLReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Finds the settings of a file. Their values are checked but not kept, because most are never
  /// needed.
  ///
  /// - Returns: The key of each setting, and its lines in Foundation's layout. Inside a value, the
  ///   layout is that of the file. Nil if the file does not begin as Foundation's.
  static func settings(in file: Data) throws -> [(key: [UInt8], lines: Data)]? {
    try file.withUnsafeBytes { bytes in
      var reader = Self(bytes)
      return try reader.skip(XMLWriter.header) ? reader.settings(in: file) : nil
    }
  }

  /// Returns the object in the lines of a setting.
  static func object(in lines: Data) throws -> Any? {
    try lines.withUnsafeBytes { bytes in
      var reader = Self(bytes)
      return try reader.member(depth: 1)?.value
    }
  }

  private mutating func settings(in file: Data) throws -> [(key: [UInt8], lines: Data)] {
    if String(validating: bytes, as: UTF8.self) == nil {
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      throw fault(zip(bytes, repaired).prefix { $0 == $1 }.count, "the text is not UTF-8")
    }
    func slice(_ range: Range<Int>) -> Data { file.dropFirst(range.lowerBound).prefix(range.count) }
    var settings: [(key: [UInt8], lines: Data)] = []
    var start = position
    let root = start - 1
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
    try skipSpace()
    guard isNext("</plist>") else { throw unexpected("</plist>") }
    if settings.count == 1, settings[0].key.elementsEqual(Unencodable.referenceKey.utf8) {
      throw fault(root, Unencodable.reference.reason)
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
    if !isNext("<data/"), let data = try element("data", Self.data) { return data }
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

  private static func data(_ text: String) -> Data? {
    let digits = text.utf8.filter { !"\t\n\r ".utf8.contains($0) }
    // Foundation's two decoders differ in digits after the end.
    let end = digits.drop { $0 != UInt8(ascii: "=") }
    return end.allSatisfy { $0 == UInt8(ascii: "=") } ? Data(base64Encoded: Data(digits)) : nil
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
      let content = position..<nextTag
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
      guard name.endIndex < rest.endIndex, let scalar = Self.entities[String(name)] else {
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

  private static let entities: [String: Unicode.Scalar] = [
    "lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\"",
  ]

  private enum Tag { case content, empty }

  /// Reads an opening tag of this name, if it is next.
  private mutating func opening(_ name: StaticString) -> Tag? {
    let start = position
    if skip("<"), skip(name) {
      if skip(">") { return .content }
      if skip("/>") { return .empty }
    }
    position = start
    return nil
  }

  private mutating func close(_ name: StaticString, from start: Int) throws {
    let end = position
    if skip("</"), skip(name), skip(">") { return }
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

  /// The place of the next tag, or the end.
  private var nextTag: Int {
    guard position < bytes.count else { return bytes.count }
    let start = bytes.baseAddress! + position
    return memchr(start, CInt(UInt8(ascii: "<")), bytes.count - position)
      .map { UnsafeRawPointer($0) - bytes.baseAddress! } ?? bytes.count
  }

  private mutating func isAtEndOfContent() throws -> Bool {
    try skipSpace()
    return position == bytes.count || isNext("</")
  }

  /// Skips white space and comments.
  private mutating func skipSpace() throws {
    while position < bytes.count {
      let start = position
      if "\t\n\r ".utf8.contains(bytes[position]) {
        position += 1
      } else if skip("<!--") {
        while !skip("-->") {
          guard position < bytes.count else { throw fault(start, "the comment has no end") }
          position += 1
        }
      } else {
        return
      }
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
