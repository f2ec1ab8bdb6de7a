internal import Foundation

// Foundation's own writers take time that grows with the square of the depth: minutes for a megabyte.

extension PropertyListObject {
  /// Appends the object in the XML format, byte for byte as Foundation writes it.
  ///
  /// - Parameter indentation: The tabs at the beginning of the object's lines.
  func writeXML(to xml: inout String, indentation: String = "") throws {
    xml += indentation
    switch object {
    case let string as String: xml += "<string>\(string.escapedForXML)</string>\n"
    case let bool as Bool where isBoolean: xml += "<\(bool)/>\n"
    case let integer as any FixedWidthInteger: xml += "<integer>\(integer)</integer>\n"
    case let double as Double:
      let name = double.isNaN ? "nan" : double > 0 ? "+infinity" : "-infinity"
      let digits = double == 0 ? "0.0" : String(format: "%.17g", double)
      xml += "<real>\(double.isFinite ? digits : name)</real>\n"
    case let data as Data:
      // The lines have room for eight tabs.
      let tabs = String(indentation.prefix(8))
      var digits = data.base64EncodedString()[...]
      xml += "<data>\n"
      while !digits.isEmpty {
        let line = digits.utf8.prefix(76 - 8 * tabs.utf8.count)
        xml += "\(tabs)\(Substring(line))\n"
        digits = digits[line.endIndex...]
      }
      xml += "\(indentation)</data>\n"
    case let array as [Any] where array.isEmpty: xml += "<array/>\n"
    case let array as [Any]:
      xml += "<array>\n"
      for element in array { try Self(element).writeXML(to: &xml, indentation: indentation + "\t") }
      xml += "\(indentation)</array>\n"
    case let dictionary as [String: Any] where dictionary.isEmpty: xml += "<dict/>\n"
    case let dictionary as [String: Any]:
      xml += "<dict>\n"
      let members = dictionary.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      for (key, value) in members {
        xml += "\(indentation)\t<key>\(key.escapedForXML)</key>\n"
        try Self(value).writeXML(to: &xml, indentation: indentation + "\t")
      }
      xml += "\(indentation)</dict>\n"
    default:
      // A date, whose calendar is Foundation's: the moment just before midnight would be 23:59:60.
      let date = (object as? Date)?.inWholeSeconds ?? object
      let list = try PropertyListSerialization.data(
        fromPropertyList: date, format: .xml, options: 0)
      xml += String(decoding: list, as: UTF8.self).split(separator: "\n")[3] + "\n"
    }
  }
}

extension String {
  /// The string between two tags of XML.
  var escapedForXML: String {
    // A parser drops the first such character of a text.
    let mark = unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    guard utf8.contains(where: "&<>".utf8.contains) else { return mark + self }
    return mark
      + replacing([
        UInt8(ascii: "&"): "&amp;", UInt8(ascii: "<"): "&lt;", UInt8(ascii: ">"): "&gt;",
      ])
  }
}

/// A property list in the binary format, as it is written.
struct BinaryPropertyListWriter {
  private var bytes = Array("bplist00".utf8)
  private var offsets: [Int] = []

  /// Returns the list with an object.
  static func list(of object: Any) -> Data {
    var writer = Self()
    let top = writer.add(object)
    let end = writer.bytes.count
    for offset in writer.offsets { writer.append(UInt64(offset)) }
    // The sizes of an offset and of a reference.
    writer.bytes += [0, 0, 0, 0, 0, 0, 8, 4]
    for number in [writer.offsets.count, top, end] { writer.append(UInt64(number)) }
    return Data(writer.bytes)
  }

  /// Adds an object after those that it contains.
  ///
  /// - Returns: Its number.
  private mutating func add(_ object: Any) -> Int {
    switch object {
    case let string as String where string.utf8.allSatisfy { $0 < 0x80 }:
      begin(0x50, count: string.utf8.count)
      bytes += string.utf8
    case let string as String:
      begin(0x60, count: string.utf16.count)
      for unit in string.utf16 { append(unit) }
    case let bool as Bool where PropertyListObject(bool).isBoolean: begin(bool ? 0x09 : 0x08)
    case let integer as UInt64 where integer > Int64.max:
      begin(0x14)
      append(UInt64(0))
      append(integer)
    case let integer as any FixedWidthInteger:
      begin(0x13)
      append(Int64(truncatingIfNeeded: integer))
    case let double as Double:
      begin(0x23)
      append(double.bitPattern)
    case let date as Date:
      begin(0x33)
      append(date.timeIntervalSinceReferenceDate.bitPattern)
    case let data as Data:
      begin(0x40, count: data.count)
      bytes += data
    case let array as [Any]:
      addCollection(0xA0, count: array.count, array.map { add($0) })
    case let dictionary as [String: Any]:
      let members = dictionary.sorted { $0.key < $1.key }
      addCollection(
        0xD0, count: members.count, members.map { add($0.key) } + members.map { add($0.value) })
    default: preconditionFailure("a property list has no such object")
    }
    return offsets.count - 1
  }

  private mutating func addCollection(_ kind: UInt8, count: Int, _ references: [Int]) {
    begin(kind, count: count)
    for reference in references { append(UInt32(reference)) }
  }

  private mutating func begin(_ kind: UInt8, count: Int = 0) {
    offsets.append(bytes.count)
    bytes.append(kind | UInt8(min(count, 0xF)))
    if count >= 0xF {
      bytes.append(0x13)
      append(Int64(count))
    }
  }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
