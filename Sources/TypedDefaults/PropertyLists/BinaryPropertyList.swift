internal import Foundation

/// Reads property lists in the binary format, as Foundation's parser does, but never beyond the end
/// of the data: a damaged list may end the process there.
struct BinaryPropertyList {
  /// The number by which an archive of NSKeyedArchiver refers to one of its objects.
  struct Reference {
    let index: Int
  }

  private let bytes: UnsafeRawBufferPointer
  /// The place of each object, and the end of all.
  private let offsets: [Int]
  private let end: Int
  private let referenceSize: Int
  private let top: Int
  /// The bytes that all objects may still take. An object that many others share is read each time:
  /// a hundred bytes could stand for more objects than there is memory.
  private var budget: Int

  /// Returns the members of the outermost dictionary. Of two with one key, the first counts.
  static func members(of list: Data) throws -> [String: Any] {
    try list.withUnsafeBytes { bytes in
      var list = try Self(bytes)
      return try list.members(at: list.offsets[list.top], depth: 0)
    }
  }

  private init(_ bytes: UnsafeRawBufferPointer) throws {
    self.bytes = bytes
    budget = 100_000 + 100 * bytes.count
    // The last 32 bytes are the trailer, which says where the objects are.
    let trailer = bytes.count - 32
    try Self.require(trailer > 8 && bytes.starts(with: "bplist0".utf8))
    let size = Int(bytes[trailer + 6])
    let numbers = (1...3).map { Int(clamping: Self.number(bytes, trailer + 8 * $0, size: 8)) }
    let (count, top, end) = (numbers[0], numbers[1], numbers[2])
    (self.top, self.end, referenceSize) = (top, end, Int(bytes[trailer + 7]))
    try Self.require(
      (1...8).contains(size) && (1...8).contains(referenceSize) && (1...trailer).contains(count)
        && (0..<count).contains(top) && (9...trailer).contains(end)
        && end + count * size == trailer)
    offsets = stride(from: end, to: trailer, by: size).map {
      Int(clamping: Self.number(bytes, $0, size: size))
    }
    try Self.require(offsets.allSatisfy { (8..<end).contains($0) })
  }

  private mutating func object(at offset: Int, depth: Int) throws -> Any {
    let marker = bytes[offset]
    let mostLevels = PropertyListObject.mostLevelsOfFile
    if depth > mostLevels + 1 { throw Fault.tooDeep(mostLevels) }
    try spend(1)
    switch marker {
    case 0x08: return false
    case 0x09: return true
    case 0x10...0x14:
      let number = try number(at: offset + 1, size: 1 << Int(marker & 0xF))
      // Integers of sixteen bytes hold what is too large for a signed one of eight.
      let integer = marker == 0x13 ? Int(exactly: Int64(bitPattern: number)) : Int(exactly: number)
      return integer ?? (marker == 0x13 ? Int64(bitPattern: number) as Any : number)
    case 0x22: return Double(Float(bitPattern: UInt32(try number(at: offset + 1, size: 4))))
    case 0x23: return Double(bitPattern: try number(at: offset + 1, size: 8))
    case 0x33:
      let time = Double(bitPattern: try number(at: offset + 1, size: 8))
      guard Date.propertyListRange.contains(time) else { throw Fault.date }
      return Date(timeIntervalSinceReferenceDate: time)
    case 0x40...0x4F: return Data(bytes[try body(at: offset, unit: 1)])
    case 0x50...0x6F: return try string(at: offset)
    case 0x80...0x8F:
      let index = try number(at: offset + 1, size: Int(marker & 0xF) + 1)
      return Reference(index: Int(clamping: index))
    case 0xA0...0xAF:
      let body = try body(at: offset, unit: referenceSize)
      return try references(in: body).map { try object(at: $0, depth: depth + 1) }
    case 0xD0...0xDF: return try members(at: offset, depth: depth)
    default: throw Self.damage
    }
  }

  private mutating func members(at offset: Int, depth: Int) throws -> [String: Any] {
    try Self.require(bytes[offset] >> 4 == 0xD)
    let body = try body(at: offset, unit: 2 * referenceSize)
    let references = try references(in: body)
    let half = references.count / 2
    return Dictionary(
      try zip(references[..<half], references[half...]).map { key, value in
        (try string(at: key), try object(at: value, depth: depth + 1))
      }
    ) { first, _ in first }
  }

  private mutating func string(at offset: Int) throws -> String {
    switch bytes[offset] >> 4 {
    case 0x5:
      let text = bytes[try body(at: offset, unit: 1)]
      try Self.require(text.allSatisfy { $0 < 0x80 })
      return String(decoding: text, as: UTF8.self)
    case 0x6:
      let body = try body(at: offset, unit: 2)
      // So does Foundation's parser.
      try Self.require(!body.isEmpty)
      let units = stride(from: body.lowerBound, to: body.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: throw Self.damage
    }
  }

  /// Returns the places of the objects that an array or a dictionary refers to.
  private func references(in body: Range<Int>) throws -> [Int] {
    try stride(from: body.lowerBound, to: body.upperBound, by: referenceSize).map { place in
      let index = Int(clamping: try number(at: place, size: referenceSize))
      try Self.require(offsets.indices.contains(index))
      return offsets[index]
    }
  }

  /// Returns the place of an object's content, whose length is a number of units.
  private mutating func body(at offset: Int, unit: Int) throws -> Range<Int> {
    var (start, count) = (offset + 1, Int(bytes[offset] & 0xF))
    if count == 0xF, start < end {
      // A large count follows as an integer object.
      let size = 1 << Int(bytes[start] & 0xF)
      try Self.require(bytes[start] >> 4 == 0x1 && size <= 16)
      count = Int(clamping: try number(at: start + 1, size: size))
      start += 1 + size
    }
    try Self.require(start <= end && count <= (end - start) / unit)
    try spend(count * unit)
    return start..<start + count * unit
  }

  private mutating func spend(_ count: Int) throws {
    budget -= count
    try Self.require(budget >= 0)
  }

  /// Reads a big-endian number, of which only the last eight bytes count.
  private func number(at offset: Int, size: Int) throws -> UInt64 {
    try Self.require(offset + size <= end)
    return Self.number(bytes, offset, size: size)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, size: Int) -> UInt64 {
    bytes[offset..<offset + size].suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  private static let damage = Fault(description: "it is a damaged binary property list")

  private static func require(_ isRight: Bool) throws {
    if !isRight { throw damage }
  }
}
