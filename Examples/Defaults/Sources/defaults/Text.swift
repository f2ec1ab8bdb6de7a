import Foundation

/// The form in which Foundation's collections describe themselves: the old style of property lists.
func text(of value: Any) -> String { text(of: value, level: 0, isElement: false) }

/// An entry of a dictionary in that form, on one line.
func line(of key: String, _ value: Any) -> String {
  "\(quoted(key)) = \(text(of: value, level: nil, isElement: true));"
}

/// - Parameters:
///   - level: The number of collections around the value; nil to write all on one line.
///   - isElement: Whether a collection contains the value, so that a string may need quotation marks.
private func text(of value: Any, level: Int?, isElement: Bool) -> String {
  func wrapped(_ begin: String, _ lines: [String], _ end: String) -> String {
    guard let level else { return ([begin] + lines + [end]).joined(separator: " ") }
    let indent = String(repeating: "    ", count: level)
    let body = lines.map { "\(indent)    \($0)\n" }.joined()
    return "\(indent)\(begin)\n\(body)\(indent)\(end)"
  }
  func element(_ value: Any) -> String {
    text(of: value, level: level.map { $0 + 1 }, isElement: true)
  }
  switch value {
  case let dictionary as [String: Any]:
    let entries = dictionary.sorted { $0.key < $1.key }
    return wrapped("{", entries.map { "\(quoted($0)) = \(element($1));" }, "}")
  case let array as [Any]:
    return wrapped(
      "(", array.enumerated().map { element($1) + ($0 < array.count - 1 ? "," : "") }, ")")
  case let data as Data: return text(of: data)
  default:
    let text = scalarText(of: value)
    return isElement ? quoted(text) : text
  }
}

private func scalarText(of value: Any) -> String {
  switch value {
  case let string as String: return string
  case let date as Date:
    // Not its description, which ends the program for some dates.
    return date.ISO8601Format().replacing("T", with: " ").replacing("Z", with: " +0000")
  case let number as NSNumber:
    if typeName(of: value) == "boolean" { return number.boolValue ? "1" : "0" }
    let text = number.stringValue
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  default: return "\(value)"
  }
}

/// The length, and the bytes as far as they are few.
private func text(of data: Data) -> String {
  func hex(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  func words(_ bytes: Data) -> String {
    let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4)
    return starts.map { hex(bytes[$0..<min($0 + 4, bytes.endIndex)]) }.joined(separator: " ")
  }
  let bytes =
    data.count <= 24
    ? "0x\(hex(data))" : "0x\(words(data.prefix(16))) ... \(words(data.suffix(8))) "
  return "{length = \(data.count), bytes = \(bytes)}"
}

/// A string as an element: with quotation marks, unless it has only letters and digits.
func quoted(_ string: String) -> String {
  func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }
  if !string.isEmpty, string.unicodeScalars.allSatisfy(isPlain) { return string }
  let escaped = string.utf16.map { unit in
    switch unit {
    case 0x22: "\\\""
    case 0x5C: "\\\\"
    case 0x0A: "\\n"
    case 0x09: "\\t"
    case 0x0D: "\\r"
    case 0x20...0x7E: String(UnicodeScalar(UInt8(unit)))
    case ..<0x80: "\\" + padded(String(unit, radix: 8), to: 3)
    default: "\\U" + padded(String(unit, radix: 16), to: 4)
    }
  }
  return "\"\(escaped.joined())\""
}

private func padded(_ digits: String, to count: Int) -> String {
  String(repeating: "0", count: count - digits.count) + digits
}

/// The type of a stored value, as `read-type` names it.
func typeName(of value: Any) -> String {
  switch value {
  case is String: return "string"
  case is Data: return "data"
  case is Date: return "date"
  case is [Any]: return "array"
  case is [String: Any]: return "dictionary"
  case let number as NSNumber:
    switch String(cString: number.objCType) {
    case "c", "B": return "boolean"
    case "d", "f": return "float"
    default: return "integer"
    }
  default: return "unknown"
  }
}
