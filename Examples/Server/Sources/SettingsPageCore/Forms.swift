import Foundation

/// The fields of a form without files. The last one of a name counts.
struct FormFields {
  private var fields: [String: String] = [:]

  private static let maximumCount = 20

  /// Throws if anything in the body is no field.
  init(_ body: Data) throws {
    let pairs = body.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount)
    guard pairs.count <= Self.maximumCount else { throw Self.malformed }
    for pair in pairs {
      guard let mark = pair.firstIndex(of: UInt8(ascii: "=")),
        let name = Self.decoded(pair[..<mark]), let value = Self.decoded(pair[mark...].dropFirst())
      else { throw Self.malformed }
      fields[name] = value
    }
  }

  static let malformed = Refusal(.badRequest, "The form cannot be read.")

  private static func decoded(_ bytes: Data) -> String? {
    String(
      validating: bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)?
      .removingPercentEncoding
  }

  /// Returns a field as text, with the line ends of a text.
  subscript(_ name: String) -> String? {
    fields[name]?.replacing("\r\n", with: "\n")
  }
}

/// The file of a form.
enum FormFile {
  private static let maximumOfBoundary = 70
  private static let maximumOfParts = 4
  private static let maximumOfHead = 1_024

  /// Returns the part of a multipart body that is named `file`.
  static func find(in body: Data, contentType: String) throws -> Data {
    let type = contentType.utf8.prefix(200)
    guard let mark = Data(type).range(of: Data("boundary=".utf8)) else {
      throw FormFields.malformed
    }
    let boundary = Data(type)[mark.upperBound...].prefix { $0 != UInt8(ascii: ";") }
      .filter { $0 != UInt8(ascii: "\"") }
    guard (1...maximumOfBoundary).contains(boundary.count) else { throw FormFields.malformed }
    // With the line end before it, each boundary looks like the others.
    let data = Data("\r\n".utf8) + body
    let separator = Data("\r\n--".utf8) + boundary
    guard var start = data.range(of: separator)?.upperBound else { throw FormFields.malformed }
    for _ in 0..<maximumOfParts {
      guard let next = data.range(of: separator, in: start..<data.endIndex),
        let head = data.range(
          of: Data("\r\n\r\n".utf8), in: start..<min(start + maximumOfHead, next.lowerBound))
      else { break }
      if data[start..<head.lowerBound].range(of: Data("name=\"file\"".utf8)) != nil {
        return Data(data[head.upperBound..<next.lowerBound])
      }
      start = next.upperBound
    }
    throw FormFields.malformed
  }
}
