import Crypto
import Foundation
import HTTPTypes
import TypedDefaults

extension MountedSettings {
  /// A message above the settings.
  struct Notice {
    let text: String
    let isError: Bool
  }

  private static let rowsWithSearch = 20
  private static let style = HTML(
    markup: String(decoding: PackageResources.page_css, as: UTF8.self))
  private static let script = HTML(
    markup: [PackageResources.page_js, PackageResources.members_js, PackageResources.events_js]
      .map { String(decoding: $0, as: UTF8.self) }.joined())

  // MARK: Parts

  /// The parts that events bring up to date.
  func parts() -> [EventHub.Part] {
    var parts = sections.flatMap(\.settings).map { setting in
      let tag = tag(of: setting)
      return EventHub.Part(id: setting.key, tag: tag) { [home] in
        Self.event(
          "setting",
          SettingEvent(
            row: SettingRow(setting), tag: tag, html: RowView(setting, at: home, tag: tag).html.text
          ))
      }
    }
    let page = PageEvent(
      theme: theme().rawValue, trouble: saveIssue?.description, unknown: unknown.text)
    let event = Self.event("page", page)
    parts.append(.init(id: "\0page", tag: event) { event })
    return parts
  }

  private struct SettingEvent: Encodable {
    let row: SettingRow
    let tag, html: String
  }

  private struct PageEvent: Encodable {
    let theme: String
    let trouble: String?
    let unknown: String
  }

  private static func event(_ name: String, _ value: some Encodable) -> String {
    let data = (try? PageAnswer.encoder.encode(value)) ?? Data("null".utf8)
    return "event: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }

  private var unknown: HTML {
    let keys = all.strangeKeys
    guard !keys.isEmpty else { return "<section id=\"unknown\" hidden></section>" }
    let items = keys.map { key -> HTML in
      let remove: HTML = """
         <form method="post" action="\(home)"><input type="hidden" name="key" value="\(key)">\
        <button class="plain" name="action" value="remove" aria-label="Remove \(key)">\
        Remove</button></form>
        """
      return "<li><code>\(key)</code>\(store == nil ? nil : remove)</li>"
    }
    return """
      <section class="card" id="unknown">
      <h2>Unknown keys</h2>
      <p>The store holds values that no setting uses. A key may be mistyped.</p>
      <ul class="keys">\(items)</ul></section>
      """
  }

  // MARK: Pages

  func page(
    _ visitor: PageVisitor, mistakes: [String: RowView.Mistake] = [:], notice: Notice? = nil,
    _ status: HTTPResponse.Status = .ok
  ) -> PageAnswer {
    let sections = self.sections.map { section -> HTML in
      let heading: HTML = "<h2>\(section.title)</h2>"
      let rows = section.settings.map { setting in
        RowView(
          setting, at: home, tag: tag(of: setting), mistake: mistakes[setting.key]
        ).html
      }
      return """
        <section class="card">\(self.sections.count > 1 ? heading : nil)<ul class="rows">
        \(rows)</ul></section>

        """
    }
    let search: HTML = """
      <form class="search" role="search" hidden><input type="search" id="search" \
      aria-label="Search settings" placeholder="Search">
      <label><input type="checkbox" id="changed-only"> Changed only</label></form>
      """
    let trouble = saveIssue?.description
    return document(
      status: status,
      body: """
        <header><h1>\(title)</h1><p id="state" role="status" hidden></p></header>
        <main>
        <p id="live" role="status"></p>
        <p id="trouble" role="alert"\(trouble == nil ? " hidden" as HTML : "")>\(trouble ?? "")</p>
        <p id="notice" role="status" class="\(notice?.isError == true ? "error" : "success")"\
        \(notice == nil ? " hidden" as HTML : "")>\(notice?.text ?? "")</p>
        \(settings.count < Self.rowsWithSearch ? nil : search)
        \(visitor.mayChange ? nil : "<p>You may see these settings, and not change them.</p>")
        \(sections)\(unknown)
        <section class="card moves"><h2>Export, import and reset</h2>
        <div><p>An export has what is stored, without secrets.</p>
        <a class="button" href="\(path)/export" download>Export</a></div>
        \(visitor.mayChange ? moves : nil)</section>
        </main>
        """)
  }

  private var moves: HTML {
    """
    <form method="post" action="\(path)/import" enctype="multipart/form-data">
    <p><label for="file">An import resets settings that the file lacks.</label></p>
    <input type="file" id="file" name="file" accept=".plist,application/xml" required>
    <button>Import</button></form>
    <details><summary>Reset all settings…</summary><form method="post" action="\(home)">
    <p>All settings return to their defaults. Secrets are kept.</p>
    <button class="danger" name="action" value="reset-all">Reset all</button></form></details>
    """
  }

  /// What somebody without a token sees.
  func tokenForm() -> PageAnswer {
    document(
      status: .unauthorized,
      body: """
        <main class="sign-in"><section class="card"><h1>\(title)</h1>
        <form method="get" action="\(home)" class="plain-form"><p>Open the address that the server \
        printed at its start, or type its token.</p>
        <label for="token">Token</label>
        <input type="password" id="token" name="token" autocomplete="off" required autofocus>
        <button>Open</button></form></section></main>
        """, hasScript: false)
  }

  private func document(
    status: HTTPResponse.Status, body: HTML, hasScript: Bool = true
  ) -> PageAnswer {
    let nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0).base64EncodedString() }
    let script: HTML = """
      <script nonce="\(nonce)" data-path="\(path)">\(Self.script)</script>
      """
    let html: HTML = """
      <!DOCTYPE html>
      <html lang="en" data-theme="\(theme().rawValue)">
      <head><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
      <style nonce="\(nonce)">\(Self.style)</style></head>
      <body>
      \(body)
      \(hasScript ? script : nil)
      </body></html>

      """
    return .html(
      html, status,
      [
        .contentSecurityPolicy: """
        default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; \
        connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; \
        frame-ancestors 'none'
        """,
        HTTPField.Name("X-Frame-Options")!: "DENY",
        HTTPField.Name("Referrer-Policy")!: "same-origin",
        HTTPField.Name("Cross-Origin-Opener-Policy")!: "same-origin",
      ])
  }
}
