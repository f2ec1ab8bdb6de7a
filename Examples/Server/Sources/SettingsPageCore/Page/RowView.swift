import Foundation
import TypedDefaults

/// A setting on the page, all of which comes from its declaration.
struct RowView {
  /// What somebody has typed and could not be stored.
  struct Mistake {
    let typed: String?
    let message: String
    /// What somebody else has stored meanwhile.
    var current: String?

    init(_ setting: any DeclaredSetting, typed: String?, _ refusal: Refusal) {
      self.typed = setting.isSecret ? nil : typed
      message = refusal.reason
      current = refusal.conflict?.current.text
    }
  }

  private let setting: any DeclaredSetting
  private let row: SettingRow
  private let path, tag: String
  private let mistake: Mistake?

  init(_ setting: any DeclaredSetting, at path: String, tag: String, mistake: Mistake? = nil) {
    (self.setting, self.path, self.tag, self.mistake) = (setting, path, tag, mistake)
    row = SettingRow(setting)
  }

  /// An id of characters that need no escape anywhere.
  static func id(_ key: String) -> String {
    "row-" + (key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
  }

  private var id: String { Self.id(row.key) }

  var html: HTML {
    """
    <li class="row" id="\(id)" data-key="\(row.key)" data-tag="\(tag)" \
    data-stored="\(setting.isStored ? "true" : "false")"\(text)>
    <div class="what">
    <label for="\(id)-value">\(row.title)</label> <span class="badge" \
    data-source="\(row.source)">\(badge)</span>
    \(help)<p class="facts" id="\(id)-facts">\(row.expectation)\(defaultText)</p>
    <details class="more"><summary aria-label="Details of \(row.title)">Details</summary>
    <p class="facts">Key <code>\(row.key)</code>\(variable)</p></details>
    \(note)</div>
    <div class="how">
    <form class="set" method="post" action="\(path)" novalidate>
    \(hidden)\(field)\(save)</form>
    \(reset)</div>
    <p class="said\(mistake == nil ? "" : " error")" id="\(id)-said">\(said)</p></li>
    """
  }

  private var hidden: HTML {
    """
    <input type="hidden" name="key" value="\(row.key)">\
    <input type="hidden" name="tag" value="\(tag)">
    """
  }

  /// The text that an undo restores. There is none for a stored value that cannot be read.
  private var text: HTML? { row.issue == nil ? row.text.map { " data-text=\"\($0)\"" } : nil }

  private var isOverridden: Bool { setting.isOverridden }

  private var badge: String {
    row.isSecret && row.source == SettingSource.defaultValue.description ? "not set" : row.source
  }

  private var help: HTML? { row.help.map { "<p class=\"help\">\($0)</p>\n" } }

  private var defaultText: HTML? { row.default.map { " · default <q>\($0)</q>" } }

  private var variable: HTML? {
    setting.environmentVariable.map { " · variable <code>\($0)</code>" }
  }

  private var note: HTML? {
    var texts: [String] = []
    if let issue = row.issue { texts.append(issue) }
    switch setting.source {
    case .managed: texts.append("The administrator of this machine sets this value.")
    case .launchArgument: texts.append("The argument -\(row.key) sets this value.")
    case .environment:
      texts.append("The variable \(setting.environmentVariable ?? "") sets this value.")
    case .stored where row.isSecret: texts.append("A value is set. The page never shows it.")
    default: break
    }
    return texts.isEmpty ? nil : "<p class=\"note\">\(texts.joined(separator: " "))</p>\n"
  }

  private var said: HTML {
    guard let mistake else { return "" }
    guard let current = mistake.current else { return "\(mistake.message)" }
    return "\(mistake.message) It is now <q>\(current)</q>. Save again to store yours."
  }

  private var save: HTML? {
    isOverridden
      ? nil
      : """
      <button class="save" name="action" value="set" aria-label="Save \(row.title)">Save</button>
      """
  }

  private var reset: HTML? {
    guard setting.isStored, !isOverridden else { return nil }
    return """
      <form class="reset" method="post" action="\(path)">\(hidden)<button class="plain" \
      id="\(id)-reset" name="action" value="reset" aria-label="Reset \(row.title)">\
      \(row.isSecret ? "Remove" : "Reset")</button></form>

      """
  }

  // MARK: The field

  private func attributes(_ name: String = "text") -> HTML {
    let described: HTML = "aria-describedby=\"\(id)-facts \(id)-said\""
    let invalid: HTML? = mistake == nil ? nil : " aria-invalid=\"true\""
    return "id=\"\(id)-value\" name=\"\(name)\" \(described)\(invalid)"
  }

  private var readOnly: HTML? { isOverridden ? " readonly" : nil }

  /// A menu and a checkbox know no `readonly`; the script keeps them as they are.
  private var fixed: HTML? { isOverridden ? " aria-disabled=\"true\"" : nil }

  private var field: HTML {
    let text = mistake?.typed ?? row.text ?? ""
    switch Control(setting) {
    case .toggle:
      return """
        <input type="hidden" name="text" value="false"><input type="checkbox" value="true"\
        \(text == "true" ? " checked" as HTML : "") \(attributes())\(fixed)>
        """
    case .menu(let choices):
      let others = choices.contains(text) ? [] : [text]
      let options = (others + choices).filter { !isOverridden || $0 == text }.map {
        choice -> HTML in
        "<option\(choice == text ? " selected" as HTML : "")>\(choice)</option>"
      }
      return "<select \(attributes())\(fixed)>\(options)</select>"
    case .number(let step) where text.isEmpty || Double(text) != nil:
      let least: HTML? = row.lowerBound.map { " min=\"\($0)\"" }
      let greatest: HTML? = row.upperBound.map { " max=\"\($0)\"" }
      return """
        <input type="number" step="\(step)"\(least)\(greatest) value="\(text)" \
        \(attributes())\(readOnly)>
        """
    case .date where text.isEmpty || DateText.field(text) != nil:
      return """
        <input type="datetime-local" step="1" value="\(DateText.field(text) ?? "")" \
        \(attributes("date"))\(readOnly)><span class="zone">UTC</span>
        """
    case .members(let kind, let isFixed):
      return """
        <textarea rows="3" spellcheck="false" data-members="\(kind.rawValue)"\
        \(isFixed ? " data-fixed" as HTML : "") \(attributes())\(readOnly)>
        \(text)</textarea>
        """
    case .area:
      // The parser drops a line end at the beginning.
      return
        "<textarea rows=\"3\" spellcheck=\"false\" \(attributes())\(readOnly)>\n\(text)</textarea>"
    case .secret:
      let placeholder = setting.isStored || isOverridden ? "••••••••" : ""
      return """
        <input type="password" value="" placeholder="\(placeholder)" autocomplete="new-password" \
        \(attributes())\(readOnly)>
        """
    case .number, .date, .line:
      return """
        <input type="text" value="\(text)" autocomplete="off" spellcheck="false" \
        \(attributes())\(readOnly)>
        """
    }
  }
}
