import Foundation

/// A value to write, from the words of the command.
enum Value {
  case whole(Any)
  /// To be added to the array or dictionary that is stored.
  case elements([Any])
  case entries([String: Any])

  init(_ words: ArraySlice<String>) throws {
    var words = Words(words)
    switch try words.next() {
    case "-array": self = .whole(try words.elements())
    case "-array-add": self = .elements(try words.elements())
    case "-dict": self = .whole(try words.entries())
    case "-dict-add": self = .entries(try words.entries())
    case let first: self = .whole(try words.single(first))
    }
    if let rest = words.rest.first {
      throw Failure("Unexpected argument \(rest); leaving defaults unchanged.")
    }
  }

  /// Returns the value to store in place of another one.
  func added(to old: Any?, of key: String) throws -> Any {
    switch self {
    case .whole(let value): return value
    case .elements(let elements):
      guard let array = (old ?? [Any]()) as? [Any] else {
        throw Self.cannotAppend(key, "an array")
      }
      return array + elements
    case .entries(let entries):
      guard let dictionary = (old ?? [String: Any]()) as? [String: Any] else {
        throw Self.cannotAppend(key, "a dictionary")
      }
      return dictionary.merging(entries) { $1 }
    }
  }

  private static func cannotAppend(_ key: String, _ kind: String) -> Failure {
    Failure("Value for key \(key) is not \(kind); cannot append.  Leaving defaults unchanged.")
  }

  /// Returns what a text in the old style of property lists, or in XML, stands for. A text without any
  /// of their marks is a string.
  static func parse(_ text: String) throws -> Any {
    guard text.contains(where: "\"()[]{}<>".contains) else { return text }
    do {
      return try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    } catch {
      throw Failure("Could not parse: \(text).  Try single-quoting it.")
    }
  }
}

/// The words of a value that are not read yet. Each element of an array, and each key and value of a
/// dictionary, may have a type before it.
private struct Words {
  private(set) var rest: ArraySlice<String>

  init(_ words: ArraySlice<String>) {
    rest = words
  }

  mutating func next() throws -> String {
    guard let word = rest.popFirst() else { throw Failure.usage }
    return word
  }

  mutating func elements() throws -> [Any] {
    var elements: [Any] = []
    while !rest.isEmpty { elements.append(try single(next())) }
    return elements
  }

  mutating func entries() throws -> [String: Any] {
    var entries: [String: Any] = [:]
    while !rest.isEmpty {
      guard let key = try single(next()) as? String else {
        throw Failure("Dictionary keys must be strings")
      }
      if rest.isEmpty { throw Failure("Key \(key) lacks a corresponding value") }
      entries[key] = try single(next())
    }
    return entries
  }

  /// Reads a value whose first word is read.
  mutating func single(_ first: String) throws -> Any {
    func read<R>(_ noun: String, _ read: (String) -> R?) throws -> R {
      let word = try next()
      guard let value = read(word) else {
        throw Failure("\(first) takes \(noun), not \(word); leaving defaults unchanged.")
      }
      return value
    }
    return switch first {
    case "-string": try next()
    case "-int", "-integer": try read("an integer") { Int($0) as Any? ?? UInt64($0) }
    case "-float": try read("a number") { Double($0) }
    case "-bool", "-boolean":
      try read("true, false, yes or no") { word in
        switch word.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil as Bool?
        }
      }
    case "-data": try read("hexadecimal digits", Data.init(hexDigits:))
    case "-date": try read("a date such as 2026-01-31 12:00:00 +0000", Date.init(text:))
    case "-array", "-array-add", "-dict", "-dict-add":
      throw Failure("Cannot nest composite types (arrays and dictionaries); exiting")
    default: try Value.parse(first)
    }
  }
}

extension Data {
  fileprivate init?(hexDigits text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, text.utf8.count == text.count else { return nil }
    // An odd digit is the first byte.
    let padded = (digits.count.isMultiple(of: 2) ? [] : [0]) + digits
    self.init(
      stride(from: 0, to: padded.count, by: 2).map { UInt8(padded[$0] * 16 + padded[$0 + 1]) })
  }
}

extension Date {
  /// - Parameter text: As `read` prints it, in ISO 8601, or a day.
  fileprivate init?(text: String) {
    let form =
      /([0-9]{4,}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2}:[0-9]{2}) ?(Z|[+-][0-9]{2}:?[0-9]{2}))?/
    guard let parts = text.wholeMatch(of: form)?.output else { return nil }
    let iso = "\(parts.1)T\(parts.2 ?? "00:00:00")\(parts.3 ?? "Z")"
    guard let date = try? Date(iso, strategy: .iso8601) else { return nil }
    self = date
  }
}
