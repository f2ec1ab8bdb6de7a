internal import Foundation

/// The settings that a preferences file holds.
///
/// Each keeps the text that stands for it in the file, so that a save after one change costs the
/// formatting of one value, however many there are.
struct PreferencesContents {
  private struct Entry {
    let object: PropertyListObject
    var text: Data?
  }

  private var entries: [String: Entry] = [:]
  private var sortedKeys: [String]?

  init() {}

  var keys: some Collection<String> { entries.keys }

  var objects: [String: PropertyListObject] { entries.mapValues(\.object) }

  subscript(key: String) -> PropertyListObject? { entries[key]?.object }

  /// What is different in other contents: for each such key, what they hold.
  func differences(in other: Self) -> [String: PropertyListObject?] {
    var differences: [String: PropertyListObject?] = [:]
    for (key, entry) in other.entries where entries[key]?.object != entry.object {
      differences[key] = .some(entry.object)
    }
    for key in entries.keys where other.entries[key] == nil {
      differences[key] = .some(nil)
    }
    return differences
  }

  /// Takes on what is different in other contents.
  mutating func adopt(_ differences: [String: PropertyListObject?]) {
    for (key, object) in differences {
      entries[key] = object.map { Entry(object: $0, text: nil) }
    }
    sortedKeys = nil
  }

  /// - Throws: `Unencodable` if the file would not read back with the object in it.
  mutating func set(_ object: PropertyListObject?, for key: String) throws {
    let entry = try object.map {
      // As it reads back: a date loses its fraction, which is no change that anybody has made.
      let (text, object) = try Self.text(of: $0, for: key)
      return Entry(object: object, text: text)
    }
    if (entries[key] == nil) != (entry == nil) { sortedKeys = nil }
    entries[key] = entry
  }
}

// MARK: - Format

extension PreferencesContents {
  /// Parses a file.
  ///
  /// - Throws: `Unreadable` if the file is not a dictionary that `UserDefaults` could read.
  init(parsing data: Data) throws {
    // Nothing but a dictionary of these is given back by `UserDefaults`, which for a single
    // reference of NSKeyedArchiver's hides everything else in the file, too.
    guard
      !data.starts(with: "bplist".utf8)
        || data.withUnsafeBytes({ BinaryPropertyList($0)?.isSound ?? false }),
      let parsed = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let objects = parsed as? [String: Any],
      objects.values.allSatisfy(Self.isReadable)
    else { throw Unreadable() }
    entries = objects.mapValues { Entry(object: PropertyListObject($0), text: nil) }
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
    let keys = sortedKeys ?? entries.keys.sorted()
    sortedKeys = keys
    var data = Self.header
    for key in keys {
      guard let entry = entries[key] else { continue }
      let text = try entry.text ?? Self.text(of: entry.object, for: key).text
      if entry.text == nil { entries[key]?.text = text }
      data.append(text)
    }
    data.append(Self.footer)
    return data
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
      fromPropertyList: [key: object.object], format: .xml, options: 0)
    guard let read = try? Self(parsing: data)[key], data.starts(with: header) else {
      throw Unencodable(reason: "the preferences file could not be read with it")
    }
    return (data.dropFirst(header.count).dropLast(footer.count), read)
  }

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
    return string.utf8.allSatisfy { $0 >= UInt8(ascii: " ") && !special.contains($0) }
  }
}
