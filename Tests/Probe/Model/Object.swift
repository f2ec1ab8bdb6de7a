import Foundation

/// An object of a property list.
enum Object: Equatable, Sendable, CustomStringConvertible {
  case bool(Bool)
  case int(Int)
  case double(Double)
  case text(String)
  case list([Object])
  case dictionary([String: Object])

  init?(_ object: Any?) {
    switch object {
    case let number as NSNumber:
      switch String(cString: number.objCType) {
      case "c": self = .bool(number.boolValue)
      case "d": self = .double(number.doubleValue)
      default: self = .int(number.intValue)
      }
    case let text as String: self = .text(text)
    case let list as [Any]: self = .list(list.compactMap { Object($0) })
    case let dictionary as [String: Any]:
      self = .dictionary(dictionary.compactMapValues { Object($0) })
    default: return nil
    }
  }

  var any: Any {
    switch self {
    case .bool(let bool): bool
    case .int(let int): int
    case .double(let double): double
    case .text(let text): text
    case .list(let list): list.map(\.any)
    case .dictionary(let dictionary): dictionary.mapValues(\.any)
    }
  }

  var description: String {
    switch self {
    case .text(let text): "\"\(text)\""
    default: "\(any)"
    }
  }
}

extension Object {
  /// No number is equal to itself here.
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }
}

/// The types of the model's settings, and the rules by which each is read.
enum ValueType {
  case int, level, text, flag, theme, even, list, point, ratio

  /// Returns the stored form of the value that the object is read as.
  func decoded(_ object: Object) -> Object? {
    switch (self, object) {
    case (.int, .int), (.text, .text), (.flag, .bool): object
    case (.int, .bool(let bool)): .int(bool ? 1 : 0)
    case (.int, .double(let double)): Int(exactly: double).map(Object.int)
    case (.int, .text(let text)): Int(text).map(Object.int)
    case (.text, .bool(let bool)): .text(bool ? "1" : "0")
    case (.text, .int(let int)): .text("\(int)")
    case (.text, .double(let double)): .text("\(double)")
    case (.flag, .int(let int)): .bool(int != 0)
    case (.flag, .double(let double)): .bool(double != 0)
    case (.flag, .text(let text)):
      ["yes": true, "true": true, "1": true, "no": false, "false": false, "0": false][
        text.lowercased()
      ].map(Object.bool)
    case (.ratio, .double): object
    case (.ratio, .int(let int)): .double(Double(int))
    case (.ratio, .bool(let bool)): .double(bool ? 1 : 0)
    // What is too large is no infinity.
    case (.ratio, .text(let text)):
      Double(text).flatMap { $0.isInfinite && text.contains("e") ? nil : .double($0) }
    case (.theme, _):
      ValueType.text.decoded(object).flatMap {
        [.text("system"), .text("light"), .text("dark")].contains($0) ? $0 : nil
      }
    case (.level, _):
      ValueType.int.decoded(object).flatMap { (0...5).contains($0.any as! Int) ? $0 : nil }
    case (.even, _):
      ValueType.int.decoded(object).flatMap { $0.any as! Int % 2 == 0 ? $0 : nil }
    case (.list, .list(let list)): all(list.map(ValueType.int.decoded))
    case (.list, .text(let text)):
      (try? JSONDecoder().decode([Int].self, from: Data(text.utf8)))
        .map { .list($0.map(Object.int)) }
    case (.point, .text(let text)):
      Self.members(of: text).flatMap { decoded(.dictionary($0)) }
    case (.point, .dictionary(let members)):
      if case .int(let x)? = members["x"], case .int(let y)? = members["y"] {
        .text("{\"x\":\(x),\"y\":\(y)}")
      } else {
        nil
      }
    default: nil
    }
  }

  private func all(_ objects: [Object?]) -> Object? {
    objects.contains(nil) ? nil : .list(objects.compactMap { $0 })
  }

  private static func members(of text: String) -> [String: Object]? {
    (try? JSONDecoder().decode([String: Int].self, from: Data(text.utf8)))?.mapValues(Object.int)
  }

  /// The same after a missing member has been taken from the default.
  func decoded(_ object: Object, withMembersOf default: Object) -> Object? {
    guard self == .point, case .text(let text) = `default` else { return nil }
    let members: [String: Object]? =
      switch object {
      case .text(let text): Self.members(of: text)
      case .dictionary(let members): members
      default: nil
      }
    return members.flatMap {
      decoded(.dictionary($0.merging(Self.members(of: text)!) { mine, _ in mine }))
    }
  }

  /// Of an environment variable, and of a text that a person types.
  func decoded(text: String) -> Object? {
    if self == .list, text.hasPrefix("(") {
      return decoded(text: "[" + text.dropFirst().dropLast() + "]")
    }
    return decoded(.text(text))
  }

  /// The text of a value.
  func text(_ value: Object) -> String {
    switch value {
    case .bool(let bool): "\(bool)"
    case .list(let list): "[" + list.map { "\($0)" }.joined(separator: ",") + "]"
    default: value.any as? String ?? "\(value.any)"
    }
  }
}
