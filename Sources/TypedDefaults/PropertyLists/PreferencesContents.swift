internal import Foundation

/// The settings that a preferences file holds.
///
/// Each keeps the text that stands for it in the file, so that a save after one change costs the
/// formatting of one value, however many there are.
struct PreferencesContents {
  /// To a file a key is its bytes. Strings are equal if they look the same.
  private struct Key: Hashable, Comparable {
    let name: String

    static func < (left: Self, right: Self) -> Bool { left.name < right.name }

    static func == (left: Self, right: Self) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8)
    }

    func hash(into hasher: inout Hasher) {
      var name = name
      name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// A setting as an object, as text, or both. What a file holds is text until it is asked for.
  private struct Entry: Equatable {
    var parsed: PropertyListObject?
    var text: Data?

    var object: PropertyListObject? {
      parsed
        ?? text.flatMap { PreferencesContents.parse($0) }
    }

    static func == (left: Self, right: Self) -> Bool {
      if let text = left.text, text == right.text { return true }
      return left.object == right.object
    }
  }

  private var entries: [Key: Entry] = [:]
  /// The texts as they follow each other in the file; nil after a key has come or gone.
  private var lines: [(key: Key, text: Data)]?

  init() {}

  var keys: some Collection<String> { entries.keys.lazy.map(\.name) }

  var objects: [String: PropertyListObject] {
    let objects = entries.lazy.compactMap { key, entry in entry.object.map { (key.name, $0) } }
    return Dictionary(objects, uniquingKeysWith: { $1 })
  }

  subscript(key: String) -> PropertyListObject? { entries[Key(name: key)]?.object }

  /// What is different in other contents: for each such key, what they hold.
  func differences(in other: Self) -> [String: PropertyListObject?] {
    var differences: [String: PropertyListObject?] = [:]
    for (key, entry) in other.entries where entries[key] != entry {
      differences[key.name] = .some(entry.object)
    }
    for key in entries.keys where other.entries[key] == nil {
      differences[key.name] = .some(nil)
    }
    return differences
  }

  /// Becomes other contents, and keeps the text of what is the same.
  mutating func adopt(_ other: Self) {
    let old = entries
    entries = other.entries
    for (key, entry) in entries where entry.text == nil {
      if let known = old[key], known.text != nil, known == entry { entries[key] = known }
    }
    lines = nil
  }

  /// - Throws: `Unencodable` if the file would not read back with the object in it.
  mutating func set(_ object: PropertyListObject?, for key: String) throws {
    let entry = try object.map {
      // As it reads back: a date loses its fraction, which is no change that anybody has made.
      let (text, object) = try Self.text(of: $0, for: key)
      return Entry(parsed: object, text: text)
    }
    let key = Key(name: key)
    entries[key] = entry
    if let text = entry?.text, let index = lineIndex(of: key) {
      lines?[index].text = text
    } else {
      lines = nil
    }
  }

  private func lineIndex(of key: Key) -> Int? {
    guard let lines else { return nil }
    var range = lines.indices
    while let first = range.first {
      let middle = first + range.count / 2
      if lines[middle].key == key { return middle }
      range = lines[middle].key < key ? middle + 1..<range.endIndex : first..<middle
    }
    return nil
  }
}

// MARK: - Format

extension PreferencesContents {
  /// Parses a file.
  ///
  /// - Throws: `Unreadable` if the file is not a dictionary that `UserDefaults` could read.
  init(parsing data: Data) throws {
    if data.starts(with: Self.header), data.count >= Self.header.count + Self.footer.count,
      data.suffix(Self.footer.count) == Self.footer,
      let settings = PreferencesText.settings(
        in: data.dropFirst(Self.header.count).dropLast(Self.footer.count))
    {
      for (key, text) in settings { entries[Key(name: key)] = Entry(parsed: nil, text: text) }
      // Of two that have the same key, Foundation's parser knows which it takes.
      if entries.count == settings.count { return }
      entries = [:]
    }
    // Nothing but a dictionary of these is given back by `UserDefaults`, which for a single
    // reference of NSKeyedArchiver's hides everything else in the file, too.
    guard
      let objects = data.starts(with: "bplist".utf8)
        ? Self.binarySettings(in: data)
        : (try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])?
          .map({ $0 }),
      objects.allSatisfy({ Self.isReadable($0.value) })
    else { throw Unreadable() }
    for (key, object) in objects {
      entries[Key(name: key)] = Entry(parsed: .init(Self.native(object)), text: nil)
    }
  }

  private static func binarySettings(in data: Data) -> [(key: String, value: Any)]? {
    data.withUnsafeBytes { bytes in
      guard let list = BinaryPropertyList(bytes), list.isSound else { return nil }
      return list.members(list.top)?.compactMap { member in
        list.object(member.value).map { (member.key, $0) }
      }
    }
  }

  /// The object that the text of a setting stands for.
  private static func parse(_ text: Data) -> PropertyListObject? {
    if let object = PreferencesText.plainObject(in: text) { return PropertyListObject(object) }
    let parsed = try? PropertyListSerialization.propertyList(
      from: header + text + footer, format: nil)
    return (parsed as? [String: Any])?.values.first.map { PropertyListObject(native($0)) }
  }

  /// The object as a program sets it: the parser's numbers are Foundation's, which casts turn into any
  /// type.
  private static func native(_ object: Any) -> Any {
    guard type(of: object) is NSNumber.Type, let number = object as? NSNumber else { return object }
    return switch number.objCType.pointee {
    case CChar(UInt8(ascii: "c")): number.boolValue
    case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")): number.doubleValue
    default: Int(exactly: number) ?? object
    }
  }

  struct Unreadable: Error {}

  private static func isReadable(_ object: Any) -> Bool {
    switch object {
    case is String, is Int, is Bool, is Double, is Data, is NSNumber: true
    case let date as Date: (try? date.propertyListObject()) != nil
    case let array as [Any?]: array.allSatisfy { $0.map(isReadable) ?? false }
    case let dictionary as [String: Any]: dictionary.values.allSatisfy(isReadable)
    default: false
    }
  }

  /// The file, in Foundation's own format.
  mutating func data() throws -> Data {
    let lines = try lines ?? makeLines()
    self.lines = lines
    // Data takes ten times as long to append as an array.
    var bytes = Array(Self.header)
    bytes.reserveCapacity(lines.reduce(bytes.count + Self.footer.count) { $0 + $1.text.count })
    for line in lines { line.text.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    return Data(bytes + Self.footer)
  }

  private mutating func makeLines() throws -> [(key: Key, text: Data)] {
    try entries.keys.sorted().map { key in
      let text =
        try entries[key]?.text
        ?? entries[key]?.parsed.map { try Self.text(of: $0, for: key.name).text }
      entries[key]?.text = text
      return (key, text ?? Data())
    }
  }

  /// What comes before and after the settings.
  private static let (header, footer): (Data, Data) = {
    let data = try! PropertyListSerialization.data(
      fromPropertyList: [String: Any](), format: .xml, options: 0)
    let empty = data.range(of: Data("<dict/>\n".utf8))!
    return (
      data[..<empty.lowerBound] + Data("<dict>\n".utf8),
      Data("</dict>\n".utf8) + data[empty.upperBound...]
    )
  }()

  private static func text(
    of object: PropertyListObject, for key: String
  ) throws -> (text: Data, readBack: PropertyListObject) {
    if isPlain(key), key != "CF$UID", let element = plainElement(of: object.object) {
      return (Data("\t<key>\(key)</key>\n\t\(element)\n".utf8), object)
    }
    guard PropertyListSerialization.propertyList([key: object.object], isValidFor: .xml) else {
      throw Unencodable(reason: "a property list cannot hold it")
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: [marked(key): marked(object.object)], format: .xml, options: 0)
    guard let read = try? Self(parsing: data)[key], data.starts(with: header) else {
      throw Unencodable(reason: "the preferences file could not be read with it")
    }
    return (Data(data.dropFirst(header.count).dropLast(footer.count)), read)
  }

  /// The object with U+FEFF twice where a string begins with it: the parser drops the first, which it
  /// takes for a mark of the byte order.
  private static func marked(_ object: Any) -> Any {
    switch object {
    case let string as String: marked(string)
    case let array as [Any]: array.map(marked)
    case let dictionary as [String: Any]:
      Dictionary(uniqueKeysWithValues: dictionary.map { (marked($0), marked($1)) })
    default: object
    }
  }

  private static func marked(_ string: String) -> String {
    string.unicodeScalars.first == byteOrderMark ? String(byteOrderMark) + string : string
  }

  private static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"

  /// The text of what most settings are, of which it is plain how it reads back. The serializer and
  /// the parser need fifty times as long for it.
  private static func plainElement(of object: Any) -> String? {
    // Not `as?`, which also takes a Foundation number for a Boolean.
    switch type(of: object) {
    case is Bool.Type: object as! Bool ? "<true/>" : "<false/>"
    case is Int.Type: "<integer>\(object)</integer>"
    case is String.Type: isPlain(object as! String) ? "<string>\(object)</string>" : nil
    default: nil
    }
  }

  private static func isPlain(_ string: String) -> Bool {
    let special = "<&>".utf8
    return string.unicodeScalars.first != byteOrderMark
      && string.utf8.allSatisfy { $0 >= UInt8(ascii: " ") && !special.contains($0) }
  }
}
