internal import Foundation

/// The settings in a preferences file.
struct PreferencesContents {
  private struct Entry {
    let object: PropertyListObject
    /// The lines of the setting, once they are written. So a save after one change formats only one
    /// value.
    var lines: [UInt8]?
    /// Whether the lines are XML.
    var isXML = true
  }

  private var entries: [String: Entry] = [:]
  /// The keys as they follow each other in the file; nil after a key has come or gone.
  private var sorted: [String]?

  init() {}

  /// Parses a file.
  ///
  /// - Throws: A `Fault` if the file is not a dictionary that `UserDefaults` can read.
  init(parsing file: Data) throws {
    let members =
      file.starts(with: "bplist".utf8)
      ? try BinaryPropertyList.members(of: file) : try Self.members(of: file)
    for (key, object) in members {
      do {
        entries[key] = Entry(object: try PropertyListObject(validating: object))
      } catch {
        throw Fault(description: "the value of \(key.quotedInBrief): \(error)")
      }
    }
  }

  private static func members(of file: Data) throws -> [String: Any] {
    if file.isEmpty {
      throw Fault(description: "a dictionary is missing at line 1, because the file is empty")
    }
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: file, format: nil)
    } catch {
      throw Fault(of: error)
    }
    guard let dictionary = list as? [String: Any] else {
      // The line on which the list begins, after the header.
      let text = String(decoding: file, as: UTF8.self)
      let header = text.firstRange(of: /<plist[^>]*>/)?.upperBound ?? text.startIndex
      let start = text[header...].firstIndex { !$0.isWhitespace } ?? header
      let line = text[..<start].count(where: \.isNewline) + 1
      let object = PropertyListObject(list)
      throw Fault(description: "there is \(object) at line \(line), in place of a dictionary")
    }
    return dictionary
  }

  var keys: some Collection<String> { entries.keys }

  var objects: [String: PropertyListObject] { entries.mapValues(\.object) }

  subscript(key: String) -> PropertyListObject? { entries[key]?.object }

  /// Whether a key has this object, of the same type.
  func holds(_ object: PropertyListObject?, for key: String) -> Bool {
    PropertyListObject.areSame(self[key], object)
  }

  /// Returns the objects of other contents under each key that differs; nil for a key that they
  /// lack.
  func differences(in other: Self) -> [String: PropertyListObject?] {
    var differences = other.entries.filter { !holds($1.object, for: $0) }.mapValues {
      Optional($0.object)
    }
    for key in keys where other[key] == nil { differences[key] = .some(nil) }
    return differences
  }

  /// Takes on differences in other contents. The other settings keep their lines.
  mutating func adopt(_ differences: [String: PropertyListObject?]) {
    for (key, object) in differences { put(object.map { Entry(object: $0) }, key) }
  }

  /// Sets or removes the object of a key.
  ///
  /// - Throws: A `Fault` if the file could not be read with the object in it.
  mutating func set(_ object: PropertyListObject?, for key: String) throws {
    if object != nil { try Fault.check([key]) }
    let asWritten = try object.map {
      try PropertyListObject(validating: $0.object, date: \.inWholeSeconds)
    }
    put(asWritten.map { Entry(object: $0) }, key)
  }

  private mutating func put(_ entry: Entry?, _ key: String) {
    if (entries[key] == nil) != (entry == nil) { sorted = nil }
    entries[key] = entry
  }

  // MARK: Writing

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>

    """.utf8
  private static let footer = "</dict>\n</plist>\n".utf8

  /// The file, in Foundation's own format. It is XML, which a person can read, unless a text holds a
  /// character that XML cannot.
  mutating func data() throws -> Data {
    for (key, entry) in entries where entry.lines == nil {
      var xml = "\t<key>\(key.escapedForXML)</key>\n"
      try entry.object.writeXML(to: &xml, indentation: "\t")
      entries[key]?.isXML = !xml.unicodeScalars.contains(where: \.isNotXML)
      entries[key]?.lines = Array(xml.utf8)
    }
    if entries.values.contains(where: { !$0.isXML }) {
      return BinaryPropertyListWriter.list(of: objects.mapValues(\.object))
    }
    let sorted = sorted ?? entries.keys.sorted()
    self.sorted = sorted
    // Data takes ten times as long to append as an array.
    var bytes = Array(Self.header)
    for key in sorted { bytes += entries[key]?.lines ?? [] }
    return Data(bytes + Self.footer)
  }
}

extension Unicode.Scalar {
  /// Whether XML has no place for the character.
  fileprivate var isNotXML: Bool {
    value < 0x20 && !"\t\n\r".unicodeScalars.contains(self) || value == 0xFFFE || value == 0xFFFF
  }
}
