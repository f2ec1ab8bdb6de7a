internal import Foundation

/// The settings in a preferences file.
///
/// Each setting keeps its lines in the file, so that a save after one change formats only one value.
struct PreferencesContents {
  /// The UTF-8 of a key: two strings may be equal though their bytes differ.
  private typealias Key = [UInt8]

  private enum Entry: Equatable {
    /// The lines of a setting, which are parsed when the object is asked for.
    case lines(Data)
    /// An object of a file in another format.
    case object(PropertyListObject)

    var object: PropertyListObject {
      switch self {
      // The lines were checked when they were found or made.
      case .lines(let lines): PropertyListObject(try! XMLReader.object(in: lines)!)
      case .object(let object): object
      }
    }

    static func == (left: Self, right: Self) -> Bool {
      if case (.lines(let left), .lines(let right)) = (left, right), left == right { return true }
      return left.object == right.object
    }
  }

  private var entries: [Key: Entry] = [:]
  /// The lines as they follow each other in the file; nil after a key has come or gone.
  private var sorted: [(key: Key, lines: Data)]?

  init() {}

  var keys: some Collection<String> {
    entries.keys.lazy.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The objects by their keys; any of two whose keys are equal as strings.
  var objects: [String: PropertyListObject] {
    Dictionary(zip(keys, entries.values.lazy.map(\.object)), uniquingKeysWith: { $1 })
  }

  subscript(key: String) -> PropertyListObject? { entries[Key(key.utf8)]?.object }

  /// Returns the objects of other contents under each key that differs; nil for a key that they
  /// lack.
  func differences(in other: Self) -> [String: PropertyListObject?] {
    var differences: [String: PropertyListObject?] = [:]
    for (key, entry) in other.entries where entries[key] != entry {
      differences[String(decoding: key, as: UTF8.self)] = .some(entry.object)
    }
    for key in entries.keys where other.entries[key] == nil {
      differences[String(decoding: key, as: UTF8.self)] = .some(nil)
    }
    return differences
  }

  /// Becomes other contents, and keeps the lines of settings that are equal.
  mutating func adopt(_ other: Self) {
    let old = entries
    self = other
    for (key, entry) in entries {
      if case .object = entry, let known = old[key], known == entry { entries[key] = known }
    }
  }

  /// Sets or removes the object of a key.
  ///
  /// - Throws: An `Unencodable` if the file could not be read with the object in it.
  mutating func set(_ object: PropertyListObject?, for name: String) throws {
    let key = Key(name.utf8)
    if object != nil { try Unencodable.check([name]) }
    let lines = try object.map { try Self.lines(key, $0) }
    entries[key] = lines.map { .lines($0) }
    if let lines, let index = index(of: key) {
      sorted?[index].lines = lines
    } else {
      sorted = nil
    }
  }

  private static func lines(_ key: Key, _ object: PropertyListObject) throws -> Data {
    let lines = try XMLWriter.lines(key: String(decoding: key, as: UTF8.self), object.object)
    guard try XMLReader.object(in: lines) != nil else { throw Unencodable.reference }
    return lines
  }

  private func index(of key: Key) -> Int? {
    guard let sorted else { return nil }
    var range = sorted.indices
    while let first = range.first {
      let middle = first + range.count / 2
      if sorted[middle].key == key { return middle }
      range =
        sorted[middle].key.lexicographicallyPrecedes(key)
        ? middle + 1..<range.endIndex : first..<middle
    }
    return nil
  }

  /// The file, in Foundation's own format.
  mutating func data() throws -> Data {
    let sorted = try sorted ?? sortedLines()
    self.sorted = sorted
    // Data takes ten times as long to append as an array.
    var bytes = XMLWriter.header.withUTF8Buffer { Array($0) }
    bytes.reserveCapacity(sorted.reduce(bytes.count + 100) { $0 + $1.lines.count })
    for setting in sorted { setting.lines.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    return Data(bytes + XMLWriter.footer.utf8)
  }

  private mutating func sortedLines() throws -> [(key: Key, lines: Data)] {
    for case (let key, .object(let object)) in entries {
      entries[key] = .lines(try Self.lines(key, object))
    }
    return entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { key, entry in
      if case .lines(let lines) = entry { (key, lines) } else { nil }
    }
  }
}

// MARK: - Reading

extension PreferencesContents {
  /// Parses a file.
  ///
  /// - Throws: An `Unreadable` if the file is not a dictionary that `UserDefaults` can read.
  init(parsing file: Data) throws {
    if file.starts(with: "bplist".utf8) {
      for (key, object) in try BinaryPropertyList.members(of: file).reversed() {
        entries[Key(key.utf8)] = .object(PropertyListObject(object))
      }
      return
    }
    var fault: (any Error)?
    do {
      if let settings = try XMLReader.settings(in: file) {
        for (key, lines) in settings { entries[key] = .lines(lines) }
        return
      }
    } catch {
      fault = error
    }
    do { try parse(file) } catch { throw fault ?? error }
  }

  /// Parses a file that others have written, in a shape that only Foundation's parser knows.
  private mutating func parse(_ file: Data) throws {
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: file, format: nil)
    } catch let error as NSError {
      // If it is not XML, the fault is that of the format of OpenStep, which Swift cannot cast.
      let isXML = file.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
      let fault = error.userInfo["kCFPropertyListOldStyleParsingError"].map { "\($0)" }
      let text = fault?.split(separator: "NSDebugDescription=").last?.dropLast()
      throw Unreadable(
        description: (isXML ? nil : text.map(String.init))
          ?? "\(error.userInfo[NSDebugDescriptionErrorKey] ?? error)")
    }
    guard let dictionary = list as? [String: Any] else {
      throw Unreadable(description: "the list is no dictionary")
    }
    for (key, object) in dictionary {
      do {
        try set(PropertyListObject(object), for: key)
      } catch {
        throw Unreadable(description: "the value of \(key.quotedInBrief): \(error)")
      }
    }
  }
}
