internal import Foundation

/// The format of preferences files and of exports.
typealias FileFormat = PropertyListFormat

/// The settings in a preferences file.
struct PreferencesContents {
  private(set) var objects: [String: PropertyListObject] = [:]

  init() {}

  /// Parses a file.
  ///
  /// - Throws: A `Fault` if the file cannot be read.
  init(parsing file: Data) throws { objects = try FileFormat.objects(in: file) }

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
    objects[key] = try object.map { try FileFormat.object($0, for: key) }
  }

  /// The file.
  func data() throws -> Data { try FileFormat.file(of: objects) }
}
