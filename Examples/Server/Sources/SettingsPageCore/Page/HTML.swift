/// Text with markup, in which every value that is put in is escaped.
///
/// ```swift
/// let item: HTML = "<li>\(name)</li>"
/// ```
struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
  let text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// - Parameter text: Markup of the program's own, such as a style sheet.
  init(markup text: String) { self.text = text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) {
      for character in value.unicodeScalars {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        case "\0": text += "\u{FFFD}"  // Markup cannot hold it.
        default: text.unicodeScalars.append(character)
        }
      }
    }

    mutating func appendInterpolation(_ value: Int) { text += "\(value)" }

    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { text += part.text }
    }
  }
}

extension HTML: Encodable {
  func encode(to encoder: any Encoder) throws {
    try text.encode(to: encoder)
  }
}
