internal import Foundation

/// A `URL` as `UserDefaults` keeps one that is no file's: the keyed archive of an `NSURL`.
enum ArchivedURL {
  static func data(of url: URL) throws -> Data {
    // Bridging would lose the base on Linux.
    guard let url = NSURL(string: url.relativeString, relativeTo: url.baseURL) else {
      throw Unencodable(reason: "NSURL does not take it")
    }
    return try NSKeyedArchiver.archivedData(withRootObject: url, requiringSecureCoding: true)
  }

  /// The URL that the data is the archive of; nil if it is no such archive.
  ///
  /// `NSKeyedUnarchiver` would not do. On Linux it ends the process if the archive is another class's
  /// or damaged, and so may the property-list parser beneath it.
  static func url(from data: Data) -> URL? {
    data.withUnsafeBytes { bytes in
      guard let archive = BinaryPropertyList(bytes),
        let top = archive.dictionary(archive.top),
        top["$archiver"].flatMap(archive.string) == "NSKeyedArchiver",
        let objects = top["$objects"].flatMap(archive.array),
        let root = top["$top"].flatMap(archive.dictionary)?["root"].flatMap(archive.identifier)
      else { return nil }
      return url(root, of: objects, in: archive, depth: 0)
    }
  }

  private static func url(
    _ identifier: Int, of objects: [Int], in archive: BinaryPropertyList, depth: Int
  ) -> URL? {
    func object(_ reference: Int?) -> Int? {
      guard let identifier = reference.flatMap(archive.identifier) else { return nil }
      return objects.indices.contains(identifier) ? objects[identifier] : nil
    }
    // A base that is its own base has no end.
    guard depth < 8, objects.indices.contains(identifier),
      let fields = archive.dictionary(objects[identifier]),
      let type = object(fields["$class"]).flatMap(archive.dictionary),
      type["$classname"].flatMap(archive.string) == "NSURL",
      let relative = object(fields["NS.relative"]).flatMap(archive.string),
      let base = fields["NS.base"].map(archive.identifier) ?? 0
    else { return nil }
    var baseURL: URL?
    if base != 0 {  // The object 0 of every archive is "no object".
      baseURL = url(base, of: objects, in: archive, depth: depth + 1)
      if baseURL == nil { return nil }
    }
    // The empty string is a relative URL, though the parser refuses it.
    return relative.isEmpty
      ? URLComponents().url(relativeTo: baseURL) : URL(string: relative, relativeTo: baseURL)
  }
}

/// The objects of a property list in the binary format, each read only when it is asked for, and none
/// beyond the data's end. An object is named by its index.
private struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let offsets: Range<Int>
  private let offsetSize: Int
  private let referenceSize: Int

  /// The index of the outermost object.
  let top: Int

  init?(_ bytes: UnsafeRawBufferPointer) {
    // Its last 32 bytes say where everything is.
    let trailer = bytes.count - 32
    guard trailer >= 8, bytes.starts(with: "bplist00".utf8) else { return nil }
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    func number(_ field: Int) -> Int? {
      Self.number(bytes, trailer + 8 * field, size: 8)
    }
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(1), let top = number(2), let start = number(3),
      count <= trailer / offsetSize, start <= trailer - count * offsetSize
    else { return nil }
    offsets = start..<start + count * offsetSize
    self.top = top
  }

  func string(_ index: Int) -> String? {
    if let (start, count) = body(index, kind: 0x5, unit: 1) {
      return String(decoding: bytes[start..<start + count], as: UTF8.self)
    }
    guard let (start, count) = body(index, kind: 0x6, unit: 2) else { return nil }
    let units = (0..<count).map {
      UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The number by which an archive refers to one of its objects.
  func identifier(_ index: Int) -> Int? {
    guard let offset = offset(index), bytes[offset] >> 4 == 0x8 else { return nil }
    return Self.number(bytes, offset + 1, size: Int(bytes[offset] & 0xF) + 1)
  }

  func array(_ index: Int) -> [Int]? {
    guard let (start, count) = body(index, kind: 0xA, unit: referenceSize) else { return nil }
    return references(start, count)
  }

  func dictionary(_ index: Int) -> [String: Int]? {
    guard let (start, count) = body(index, kind: 0xD, unit: 2 * referenceSize),
      let keys = references(start, count),
      let values = references(start + count * referenceSize, count)
    else { return nil }
    var dictionary: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      guard let key = string(key) else { return nil }
      dictionary[key] = value
    }
    return dictionary
  }

  private func references(_ start: Int, _ count: Int) -> [Int]? {
    var references: [Int] = []
    for index in 0..<count {
      let offset = start + index * referenceSize
      guard let reference = Self.number(bytes, offset, size: referenceSize) else { return nil }
      references.append(reference)
    }
    return references
  }

  private func offset(_ index: Int) -> Int? {
    guard index < offsets.count / offsetSize,
      let offset = Self.number(bytes, offsets.lowerBound + index * offsetSize, size: offsetSize),
      offset < offsets.lowerBound
    else { return nil }
    return offset
  }

  /// Where the content of an object of a kind starts, and how many units it has.
  private func body(_ index: Int, kind: UInt8, unit: Int) -> (start: Int, count: Int)? {
    guard let offset = offset(index), bytes[offset] >> 4 == kind else { return nil }
    var (start, count) = (offset + 1, Int(bytes[offset] & 0xF))
    if count == 0xF {
      // The count did not fit, so it follows as an integer object.
      guard bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let number = Self.number(bytes, start + 1, size: size) else { return nil }
      (start, count) = (start + 1 + size, number)
    }
    guard start <= bytes.count, count <= (bytes.count - start) / unit else { return nil }
    return (start, count)
  }

  /// A big-endian number of some bytes; nil if it is not all there or does not fit.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size, size <= 8 else { return nil }
    let number = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: number)
  }
}
