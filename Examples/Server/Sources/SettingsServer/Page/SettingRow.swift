import TypedDefaults

/// A setting on the page, all of which comes from its declaration.
struct SettingRow {
  /// What somebody has typed that is no value of the setting.
  struct Mistake {
    let typed: String
    let message: String
  }

  private let setting: any DeclaredSetting
  private let control: Control
  private let source: SettingSource
  private let mistake: Mistake?

  init(_ setting: any DeclaredSetting, mistake: Mistake? = nil) {
    (self.setting, self.mistake) = (setting, mistake)
    control = Control(setting)
    source = setting.source
  }

  static func id(_ key: String) -> String { "row-\(key)" }

  /// Whether an override decides the value, so that an assignment would not show.
  static func isOverridden(_ source: SettingSource) -> Bool {
    [.managed, .launchArgument, .environment].contains(source)
  }

  func html(token: String) -> HTML {
    """
    <li class="row" id="\(Self.id(key))"\(isOverridden ? " data-overridden" as HTML : "")>
    <div class="what">
    <h3><label for="value-\(key)">\(title)</label> <span class="badge" data-source="\(source.description)">\
    \(badge)</span></h3>
    <p class="facts"><span id="expected-\(key)">\(setting.expectation)</span>\(defaultText)</p>
    <p class="facts"><code>\(key)</code>\(variable)</p>
    \(note)</div>
    <div class="how">
    <form class="set" method="post" action="/settings/set" novalidate>
    <input type="hidden" name="token" value="\(token)"><input type="hidden" name="key" value="\(key)">
    \(field)</form>
    \(reset(token))</div>
    \(error)</li>
    """
  }

  private var key: String { setting.key }

  private var isOverridden: Bool { Self.isOverridden(source) }

  /// "cacheSeconds" as "Cache seconds".
  private var title: String {
    let words = key.reduce(into: "") { title, character in
      title += character.isUppercase ? " \(character.lowercased())" : String(character)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private var badge: String {
    setting.isSecret && source == .defaultValue ? "not set" : source.description
  }

  private var defaultText: HTML? {
    guard !setting.isSecret, let text = setting.defaultText else { return nil }
    return " · default <q>\(text)</q>"
  }

  private var variable: HTML? {
    setting.environmentVariable.map { " · <code>\($0)</code>" }
  }

  private var note: HTML? {
    let text: String
    switch source {
    case .managed:
      text = "The administrator of this machine has set this value. You cannot change it here."
    case .launchArgument:
      text =
        "The argument -\(key) sets this value. Start the server without it to change the value here."
    case .environment:
      let variable = setting.environmentVariable ?? "of the environment"
      text =
        "The variable \(variable) sets this value. Start the server without it to change the value here."
    case .stored where setting.isSecret:
      text = "A value is set. The page never shows it."
    case .stored:
      return nil
    default:
      guard setting.isStored else { return nil }
      text = "The stored value cannot be read, so it is not in force. Set another one, or reset it."
    }
    return "<p class=\"note\">\(text)</p>\n"
  }

  private var attributes: HTML {
    var text: HTML =
      "id=\"value-\(key)\" name=\"text\" aria-describedby=\"expected-\(key) error-\(key)\""
    if isOverridden { text = "\(text) disabled" }
    if mistake != nil { text = "\(text) aria-invalid=\"true\"" }
    return text
  }

  private var field: HTML {
    let text = mistake?.typed ?? (setting.isSecret ? "" : setting.text ?? "")
    let save: HTML? = isOverridden ? nil : "<button class=\"save\">Save</button>"
    switch control {
    case .toggle:
      // The button of a switch sends the other value, so that it works without a script.
      let isOn = setting.text == "true"
      return """
        <button class="switch" role="switch" aria-checked="\(isOn ? "true" : "false")" \
        value="\(isOn ? "false" : "true")" \(attributes)><span>\(isOn ? "On" : "Off")</span></button>
        """
    case .menu(let choices):
      let options = choices.map { choice -> HTML in
        "<option\(choice == text ? " selected" as HTML : "")>\(choice)</option>"
      }
      return "<select \(attributes)>\(options)</select>\(save)"
    case .number(let bounds):
      let range: HTML? = bounds.map { " min=\"\($0.0)\" max=\"\($0.1)\"" }
      // A number field would drop a text that is no number.
      let type: HTML =
        Int(text) == nil ? "type=\"text\" inputmode=\"numeric\"" : "type=\"number\" step=\"1\""
      return "<input \(type)\(range) value=\"\(text)\" \(attributes)>\(save)"
    case .line:
      return
        "<input type=\"text\" value=\"\(text)\" autocomplete=\"off\" spellcheck=\"false\" \(attributes)>\(save)"
    case .area:
      // The parser drops a line end at the beginning.
      return "<textarea rows=\"3\" spellcheck=\"false\" \(attributes)>\n\(text)</textarea>\(save)"
    case .secret:
      let placeholder = setting.isStored || isOverridden ? "••••••••" : ""
      return """
        <input type="password" value="" placeholder="\(placeholder)" autocomplete="new-password" \
        \(attributes)>\(save)
        """
    }
  }

  private func reset(_ token: String) -> HTML? {
    guard setting.isStored, !isOverridden else { return nil }
    return """
      <form class="reset" method="post" action="/settings/reset">
      <input type="hidden" name="token" value="\(token)"><input type="hidden" name="key" value="\(key)">
      <button class="plain" aria-label="Reset \(title)">\(setting.isSecret ? "Remove" : "Reset")</button></form>

      """
  }

  private var error: HTML {
    guard let mistake else { return "" }
    return "<p class=\"error\" id=\"error-\(key)\" role=\"alert\">\(mistake.message)</p>\n"
  }
}
