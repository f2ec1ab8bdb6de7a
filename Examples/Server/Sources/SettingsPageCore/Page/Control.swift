import Foundation
import TypedDefaults

/// How a setting is changed on the page, which its type decides.
enum Control {
  case toggle
  case menu([String])
  case number(step: String)
  case date
  case line
  /// JSON text, which the script shows as a table of members.
  case members(kind: MemberKind, isFixed: Bool)
  case area
  case secret

  enum MemberKind: String {
    case text, number, boolean, any
  }

  init(_ setting: some DeclaredSetting) {
    func type<V>(_: V.Type) -> Any.Type { (V.self as? any Wrapping.Type)?.wrapped ?? V.self }
    func of<S: DeclaredSetting>(_: S) -> Any.Type { type(S.Value.self) }
    let type = of(setting)
    if setting.isSecret {
      self = .secret
    } else if type == Bool.self {
      self = .toggle
    } else if !setting.choices.isEmpty {
      self = .menu(setting.choices)
    } else if type is any BinaryInteger.Type {
      self = .number(step: "1")
    } else if type is any BinaryFloatingPoint.Type || type == Decimal.self {
      self = .number(step: "any")
    } else if type == Date.self {
      self = .date
    } else if let dictionary = type as? any Keyed.Type {
      self = .members(kind: dictionary.kind, isFixed: false)
    } else {
      let texts = [setting.text, setting.defaultText].compactMap { $0 }
      if texts.contains(where: { $0.hasPrefix("{") }), type is any Codable.Type {
        self = .members(kind: .any, isFixed: true)
      } else {
        let isLong = texts.contains { text in
          text.hasPrefix("{") || text.hasPrefix("[") || text.contains(where: \.isNewline)
        }
        self = isLong ? .area : .line
      }
    }
  }
}

private protocol Wrapping {
  static var wrapped: Any.Type { get }
}

extension Optional: Wrapping {
  static var wrapped: Any.Type { Wrapped.self }
}

private protocol Keyed {
  static var kind: Control.MemberKind { get }
}

extension Dictionary: Keyed {
  static var kind: Control.MemberKind {
    switch Value.self {
    case is String.Type: .text
    case is Bool.Type: .boolean
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: .number
    default: .any
    }
  }
}

/// The text of a date, and what a date field holds of it, in UTC.
enum DateText {
  /// Returns the text of a field, or `nil` if the text of the setting has another form.
  static func field(_ text: String) -> String? {
    text.hasSuffix("Z") && text.utf8.count >= 20 && text.utf8.count <= 24
      ? String(text.dropLast()) : nil
  }

  /// Returns the text of a setting. A field leaves out seconds that are zero.
  static func complete(_ field: String) -> String {
    field.utf8.count == 16 ? "\(field):00Z" : "\(field)Z"
  }
}
