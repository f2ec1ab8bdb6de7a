internal import Foundation

/// The format of preferences files and of exports.
enum FileFormat {
  /// The end of a file's name.
  static let suffix = ".plist"

  /// The words for a file that can be read.
  static let wording = "a property list of a dictionary"
}

/// The settings in a preferences file.
struct PreferencesContents {
  private(set) var objects: [String: PropertyListObject] = [:]

  init() {}

  var keys: some Collection<String> { objects.keys }

  subscript(key: String) -> PropertyListObject? { objects[key] }

  /// Whether a key has this object, of the same type.
  func holds(_ object: PropertyListObject?, for key: String) -> Bool {
    PropertyListObject.areSame(self[key], object)
  }

  /// Returns the objects of other contents under each key that differs; nil for a key that they
  /// lack.
  func differences(in other: Self) -> [String: PropertyListObject?] {
    var differences = other.objects.filter { !holds($1, for: $0) }.mapValues(Optional.some)
    for key in keys where other[key] == nil { differences[key] = .some(nil) }
    return differences
  }

  /// Takes on differences in other contents.
  mutating func adopt(_ differences: [String: PropertyListObject?]) {
    for (key, object) in differences { objects[key] = object }
  }

  /// Sets or removes the object of a key.
  ///
  /// - Throws: A `Fault` if the file could not be read with the object in it.
  mutating func set(_ object: PropertyListObject?, for key: String) throws {
    if object != nil { try Fault.check([key]) }
    objects[key] = try object.map(Self.readBack)
  }

  /// Returns an object as a file gives it back.
  private static func readBack(_ object: PropertyListObject) throws -> PropertyListObject {
    try PropertyListObject(validating: object.object, date: \.inWholeSeconds)
  }

  // MARK: Reading

  /// Parses a file.
  ///
  /// - Throws: A `Fault` if the file is not a dictionary that `UserDefaults` can read.
  init(parsing file: Data) throws {
    let isBinary = file.starts(with: "bplist".utf8)
    let members = try isBinary ? BinaryPropertyList.members(of: file) : Self.members(of: file)
    for (key, object) in members {
      do {
        objects[key] = try PropertyListObject(validating: object)
      } catch {
        throw Fault(description: "the value of \(key.quotedInBrief): \(error)")
      }
    }
  }

  private static func members(of file: Data) throws -> [String: Any] {
    if file.isEmpty { throw Fault(description: "it is empty") }
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: file, format: nil)
    } catch {
      throw Fault(of: error)
    }
    if let dictionary = list as? [String: Any] { return dictionary }
    throw Fault(description: "it holds \(PropertyListObject(list)), not a dictionary")
  }

  // MARK: Writing

  // By Foundation's writers, to which writers of our own have given way for the third time: those kept the line
  // of each key, so that a change among 5,800 keys was saved in 11 ms in place of 105, and were linear in the
  // depth of an object. That was worth more code than the reader only while a value could have 512 levels,
  // and few programs have thousands of keys. PropertyListEncoder would take 8 ms, but writes other bytes: 0.1 as
  // 0.1 in place of 0.10000000000000001. Foundation's binary writer takes each value that has been validated; the
  // XML writer needs dates in whole seconds.

  /// Returns a file. It is XML, which a person can read, unless that would not give a text back.
  func data() throws -> Data {
    let list = try objects.mapValues { try Self.readBack($0).object }
    let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    return Self.givesTextsBack(xml)
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
