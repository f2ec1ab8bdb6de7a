/// Reads the parts of a text from its beginning. Of a `Regex`, the making alone takes a hundred times
/// as long, and its `\d` matches the digits of all scripts.
struct TextScanner {
  private(set) var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes the next character, if it is one of some ASCII characters.
  mutating func take(_ characters: String) -> Bool {
    guard let next = rest.first, characters.utf8.contains(next) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a number of ASCII digits, or all that follow, but at least one; nil if there are fewer.
  mutating func digits(_ count: Int? = nil) -> Substring? {
    let all = rest.prefix(while: \.isDigit)
    let digits = all.prefix(count ?? all.count)
    guard digits.count >= count ?? 1 else { return nil }
    rest = rest[digits.endIndex...]
    return Substring(digits)
  }

  /// Takes all up to the next ASCII digit.
  mutating func nonDigits() -> Substring {
    let others = rest.prefix { !$0.isDigit }
    rest = rest[others.endIndex...]
    return Substring(others)
  }
}

extension UInt8 {
  /// Whether this is an ASCII digit.
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
