internal import Foundation

/// A file whose bytes are a property list, in Foundation's own format.
enum PropertyListFormat {
  /// The end of a file's name.
  static let suffix = ".plist"

  /// The words for a file that can be read.
  static let wording = "a property list of a dictionary"

  /// Returns the objects in a file.
  ///
  /// - Throws: A `Fault` if the file is not a dictionary that `UserDefaults` can read.
  static func objects(in file: Data) throws -> [String: PropertyListObject] {
    let isBinary = file.starts(with: "bplist".utf8)
    let members = try isBinary ? BinaryPropertyList.members(of: file) : members(of: file)
    var objects: [String: PropertyListObject] = [:]
    for (key, object) in members {
      do {
        objects[key] = try PropertyListObject(validating: object)
      } catch {
        throw Fault(description: "the value of \(key.quotedInBrief): \(error)")
      }
    }
    return objects
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

  /// Returns an object as a file gives it back.
  ///
  /// - Throws: A `Fault` if the file could not be read with the object in it.
  static func object(_ object: PropertyListObject, for key: String) throws -> PropertyListObject {
    try Fault.check([key])
    return try PropertyListObject(validating: object.object, date: \.inWholeSeconds)
  }

  // MARK: Writing

  // By Foundation's writers, to which writers of our own have given way for the third time: those were twice
  // as quick with thousands of keys, and linear in the depth of an object. That was worth more code than
  // the reader only while a value could have 512 levels. Foundation's binary writer takes each value that
  // has been validated; the XML writer needs dates in whole seconds.

  /// Returns a file. It is XML, which a person can read, unless that would not give a text back.
  static func file(of objects: [String: PropertyListObject]) throws -> Data {
    let list = try objects.mapValues { object in
      try PropertyListObject(validating: object.object, date: \.inWholeSeconds).object
    }
    let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    return givesTextsBack(xml)
      ? xml
      : try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  /// Whether a parser returns the texts of a list: XML has no place for control characters, U+FFFE and
  /// U+FFFF, and a parser drops a mark U+FEFF after a tag.
  private static func givesTextsBack(_ xml: Data) -> Bool {
    let hasControl = xml.withUnsafeBytes { bytes in
      bytes.contains { $0 < 0x20 && $0 != 0x9 && $0 != 0xA && $0 != 0xD }
    }
    return !hasControl
      && !["\u{FFFE}", "\u{FFFF}", ">\u{FEFF}"].contains { xml.range(of: Data($0.utf8)) != nil }
  }
}
