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

  /// A key with its object, as a file has them.
  struct Member {
    fileprivate let lines: [UInt8]
    /// Whether the lines are XML.
    fileprivate let isXML: Bool

    init(_ key: String, _ object: PropertyListObject) throws {
      var xml = "\t<key>\(key.escapedForXML)</key>\n"
      try object.writeXML(to: &xml, indentation: "\t")
      isXML = !xml.unicodeScalars.contains(where: \.isNotXML)
      lines = Array(xml.utf8)
    }
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>

    """.utf8
  private static let footer = "</dict>\n</plist>\n".utf8

  /// Returns a file. It is XML, which a person can read, unless a text holds a character that XML cannot.
  ///
  /// - Parameters:
  ///   - members: The members, sorted by their keys.
  ///   - objects: The objects of these.
  static func file(
    of members: [Member], _ objects: @autoclosure () -> [String: PropertyListObject]
  ) -> Data {
    guard members.allSatisfy(\.isXML) else {
      return BinaryPropertyListWriter.list(of: objects().mapValues(\.object))
    }
    // Data takes ten times as long to append as an array.
    var bytes = Array(header)
    for member in members { bytes += member.lines }
    return Data(bytes + footer)
  }
}

extension Unicode.Scalar {
  /// Whether XML has no place for the character.
  fileprivate var isNotXML: Bool {
    value < 0x20 && !"\t\n\r".unicodeScalars.contains(self) || value == 0xFFFE || value == 0xFFFF
  }
}
