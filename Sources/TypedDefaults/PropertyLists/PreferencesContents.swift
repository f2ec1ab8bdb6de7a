internal import Foundation

/// The format of preferences files and of exports.
typealias FileFormat = PropertyListFormat

/// The settings in a preferences file.
struct PreferencesContents {
  private struct Entry {
    let object: PropertyListObject
    /// The setting as it is written, once it is. So a save after one change formats only one value.
    var member: FileFormat.Member?
  }

  private var entries: [String: Entry] = [:]
  /// The keys as they follow each other in the file; nil after a key has come or gone.
  private var sorted: [String]?

  init() {}

  /// Parses a file.
  ///
  /// - Throws: A `Fault` if the file cannot be read.
  init(parsing file: Data) throws {
    entries = try FileFormat.objects(in: file).mapValues { Entry(object: $0) }
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
    put(try object.map { Entry(object: try FileFormat.object($0, for: key)) }, key)
  }

  private mutating func put(_ entry: Entry?, _ key: String) {
    if (entries[key] == nil) != (entry == nil) { sorted = nil }
    entries[key] = entry
  }

  /// The file.
  mutating func data() throws -> Data {
    for (key, entry) in entries where entry.member == nil {
      entries[key]?.member = try FileFormat.Member(key, entry.object)
    }
    let sorted = sorted ?? entries.keys.sorted()
    self.sorted = sorted
    return FileFormat.file(of: sorted.compactMap { entries[$0]?.member }, objects)
  }
}
