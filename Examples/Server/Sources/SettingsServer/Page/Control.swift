import TypedDefaults

/// How a setting is changed on the page, which its type decides.
enum Control {
  case toggle
  case menu([String])
  case number(bounds: (String, String)?)
  case line
  case area
  case secret

  init(_ setting: some DeclaredSetting) {
    func type<V>(_: V.Type) -> Any.Type { (V.self as? any Wrapping.Type)?.wrapped ?? V.self }
    func of<S: DeclaredSetting>(_: S) -> Any.Type { type(S.Value.self) }
    let type = of(setting)
    if type == Secret.self {
      self = .secret
    } else if type == Bool.self {
      self = .toggle
    } else if !setting.choices.isEmpty {
      self = .menu(setting.choices)
    } else if type is any BinaryInteger.Type {
      // The words are for people; what the browser makes of them is a help, and the server decides.
      let range = setting.expectation.firstMatch(of: /from (-?[0-9]+) to (-?[0-9]+)/)
      self = .number(bounds: range.map { (String($0.1), String($0.2)) })
    } else if [setting.text, setting.defaultText].contains(where: Self.isLong) {
      self = .area
    } else {
      self = .line
    }
  }

  private static func isLong(_ text: String?) -> Bool {
    guard let text else { return false }
    return text.hasPrefix("{") || text.hasPrefix("[") || text.contains(where: \.isNewline)
  }
}

extension DeclaredSetting {
  var isSecret: Bool {
    if case .secret = Control(self) { true } else { false }
  }
}

private protocol Wrapping {
  static var wrapped: Any.Type { get }
}

extension Optional: Wrapping {
  static var wrapped: Any.Type { Wrapped.self }
}
