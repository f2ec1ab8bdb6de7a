internal import Foundation

/// A property list in the binary format. Its objects have an index. Each is read when it is asked
/// for, and never beyond the end of the data.
struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let offsets: Range<Int>
  private let offsetSize: Int
  private let referenceSize: Int

  /// The index of the outermost object.
  let top: Int

  init?(_ bytes: UnsafeRawBufferPointer) {
    // The last 32 bytes are the trailer, which says where the objects are.
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

  /// Returns the number by which an archive refers to one of its objects.
  func identifier(_ index: Int) -> Int? {
    guard let offset = offset(index), bytes[offset] >> 4 == 0x8 else { return nil }
    return Self.number(bytes, offset + 1, size: Int(bytes[offset] & 0xF) + 1)
  }

  func array(_ index: Int) -> [Int]? {
    guard let (start, count) = body(index, kind: 0xA, unit: referenceSize) else { return nil }
    return references(start, count)
  }

  /// Returns a dictionary; nil if two of its keys are equal as strings.
  func dictionary(_ index: Int) -> [String: Int]? {
    guard let members = members(index) else { return nil }
    let dictionary = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    return dictionary.count == members.count ? dictionary : nil
  }

  /// Returns the members of a dictionary. Two keys may be equal as strings though their bytes
  /// differ.
  func members(_ index: Int) -> [(key: String, value: Int)]? {
    guard let (start, count) = body(index, kind: 0xD, unit: 2 * referenceSize),
      let keys = references(start, count),
      let values = references(start + count * referenceSize, count)
    else { return nil }
    var members: [(String, Int)] = []
    for (key, value) in zip(keys, values) {
      guard let key = string(key) else { return nil }
      members.append((key, value))
    }
    return members
  }

  /// Returns an object as `UserDefaults` returns it. The list must be sound.
  func object(_ index: Int) -> Any? {
    guard let offset = offset(index) else { return nil }
    let size = 1 << Int(bytes[offset] & 0xF)
    func bits() -> UInt64? { Self.bits(bytes, offset + max(1, size - 7), size: min(size, 8)) }
    switch bytes[offset] {
    case 0x08: return false
    case 0x09: return true
    // Integers of sixteen bytes hold numbers that are too large for a signed one of eight.
    case 0x10...0x12: return bits().map { Int64($0) }
    case 0x13: return bits().map { Int64(bitPattern: $0) }
    case 0x14: return bits()
    case 0x22: return bits().map { Double(Float(bitPattern: UInt32($0))) }
    case 0x23: return bits().map { Double(bitPattern: $0) }
    case 0x33: return bits().map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
    case 0x40...0x4F:
      return body(index, kind: 0x4, unit: 1).map { Data(bytes[$0.start..<$0.start + $0.count]) }
    case 0xA0...0xAF: return array(index)?.compactMap(object)
    case 0xD0...0xDF:
      return members(index).map { members in
        Dictionary(members.compactMap { member in object(member.value).map { (member.key, $0) } }) {
          $1
        }
      }
    default: return string(index)
    }
  }

  /// Whether all objects are whole, and of a kind that `UserDefaults` can return. Foundation's
  /// parser does not check that, and a damaged list may end the process.
  var isSound: Bool {
    var sound: [Int: Bool] = [:]
    func isSound(_ index: Int, depth: Int) -> Bool {
      if let isSound = sound[index] { return isSound }
      // Until it is known, so that an object which contains itself ends the search.
      sound[index] = false
      // Foundation's parser goes no deeper.
      guard depth < 512, let parts = parts(index) else { return false }
      let isSound = parts.allSatisfy { isSound($0, depth: depth + 1) }
      sound[index] = isSound
      return isSound
    }
    return isSound(top, depth: 0)
  }

  /// Returns the objects inside an object; nil if it is not whole, or of another kind.
  private func parts(_ index: Int) -> [Int]? {
    guard let offset = offset(index) else { return nil }
    func isWhole(_ size: Int) -> [Int]? {
      offset + 1 + size <= bytes.count ? [] : nil
    }
    switch bytes[offset] {
    case 0x08, 0x09: return []
    case 0x10...0x14: return isWhole(1 << Int(bytes[offset] & 0xF))
    case 0x22: return isWhole(4)
    case 0x23, 0x33: return isWhole(8)
    case 0x40...0x5F: return body(index, kind: bytes[offset] >> 4, unit: 1).map { _ in [] }
    case 0x60...0x6F: return body(index, kind: 0x6, unit: 2).map { _ in [] }
    case 0xA0...0xAF: return array(index)
    case 0xD0...0xDF: return members(index)?.map(\.value)
    default: return nil
    }
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

  /// Returns the start and the number of units of an object's content; nil if the object is of
  /// another kind.
  private func body(_ index: Int, kind: UInt8, unit: Int) -> (start: Int, count: Int)? {
    guard let offset = offset(index), bytes[offset] >> 4 == kind else { return nil }
    var (start, count) = (offset + 1, Int(bytes[offset] & 0xF))
    if count == 0xF {
      // A large count follows as an integer object.
      guard bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let number = Self.number(bytes, start + 1, size: size) else { return nil }
      (start, count) = (start + 1 + size, number)
    }
    guard start <= bytes.count, count <= (bytes.count - start) / unit else { return nil }
    return (start, count)
  }

  /// Reads a big-endian number; nil if it is beyond the data, or too large.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, size: Int) -> Int? {
    bits(bytes, offset, size: size).flatMap { Int(exactly: $0) }
  }

  private static func bits(_ bytes: UnsafeRawBufferPointer, _ offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - size, size <= 8 else { return nil }
    return bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
}
