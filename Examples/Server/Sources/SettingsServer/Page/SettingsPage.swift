import Hummingbird
import TypedDefaults

/// The page of all settings, and the parts of it that change.
struct SettingsPage {
  let settings: ServerSettings

  /// A part of the page by the id of its element.
  typealias Fragments = [String: HTML]

  /// A message about what was imported.
  struct Notice: Sendable {
    let text: String
    let isError: Bool
  }

  // MARK: Parts

  /// - Parameter token: The token of each form. A script has its own, so that events need none.
  func fragments(token: String = "") -> Fragments {
    var fragments: Fragments = ["unknown": unknown]
    for setting in settings.settings {
      fragments[SettingRow.id(setting.key)] = SettingRow(setting).html(token: token)
    }
    return fragments
  }

  private var unknown: HTML {
    let keys = settings.unknownKeys
    guard !keys.isEmpty else { return "<section id=\"unknown\" hidden></section>" }
    return """
      <section class="card" id="unknown">
      <h2>Unknown keys</h2>
      <p>The store holds values that no setting uses. A key may be mistyped.</p>
      <ul class="keys">\(keys.map { key -> HTML in "<li><code>\(key)</code></li>" })</ul>
      </section>
      """
  }

  func notice(_ notice: Notice?) -> HTML {
    guard let notice else { return "<p id=\"notice\" role=\"status\" hidden></p>" }
    return """
      <p id="notice" role="status" class="\(notice.isError ? "error" : "success")">\(notice.text)</p>
      """
  }

  // MARK: Pages

  func page(
    token: String, nonce: String, canSignOut: Bool, mistakes: [String: SettingRow.Mistake] = [:],
    notice: Notice? = nil
  ) -> HTML {
    func rows(_ settings: [any DeclaredSetting]) -> [HTML] {
      settings.map { SettingRow($0, mistake: mistakes[$0.key]).html(token: token) }
    }
    let all = settings.settings
    let secrets = all.filter(\.isSecret)
    let signOut: HTML = """
      <form method="post" action="/settings/sign-out" data-plain>\(hidden(token))
      <button class="plain">Sign out</button></form>
      """
    return document(
      nonce: nonce, token: token,
      body: """
        <header><h1>Settings</h1><p id="state" hidden></p>\(canSignOut ? signOut : nil)</header>
        <main>
        \(self.notice(notice))
        <section class="card"><ul class="rows">
        \(rows(all.filter { !$0.isSecret }))</ul></section>
        <section class="card"><h2>Access</h2><ul class="rows">
        \(rows(secrets))</ul></section>
        \(unknown)
        <section class="card moves"><h2>Move and reset</h2>
        <div><p>Export what is stored, without secrets.</p>
        <a class="button" href="/settings/export" download>Export</a></div>
        <form method="post" action="/settings/import" enctype="multipart/form-data" class="import">
        \(hidden(token))<p><label for="file">Import an export. Settings that it lacks are reset.</label></p>
        <input type="file" id="file" name="file" accept=".plist,application/xml" required>
        <button>Import</button></form>
        <details><summary>Reset all settings…</summary>
        <form method="post" action="/settings/reset-all">\(hidden(token))
        <p>All settings return to their defaults. The password is kept.</p>
        <button class="danger">Reset all</button></form></details>
        </section>
        </main>
        """)
  }

  func signIn(token: String, nonce: String, message: String? = nil) -> HTML {
    let error: HTML? = message.map {
      "<p class=\"error\" id=\"error-password\" role=\"alert\">\($0)</p>"
    }
    return document(
      nonce: nonce, token: nil,
      body: """
        <main class="sign-in"><section class="card">
        <h1>Settings</h1>
        <form method="post" action="/settings/sign-in" data-plain>\(hidden(token))
        <label for="password">Password</label>
        <input type="password" id="password" name="password" autocomplete="current-password" \
        aria-describedby="error-password" required autofocus>
        \(error)<button>Sign in</button></form>
        </section></main>
        """)
  }

  private func hidden(_ token: String) -> HTML {
    "<input type=\"hidden\" name=\"token\" value=\"\(token)\">"
  }

  private func document(nonce: String, token: String?, body: HTML) -> HTML {
    let script: HTML? = token.map { token in
      """
      <script nonce="\(nonce)" data-token="\(token)">\(HTML(markup: Self.script))</script>
      """
    }
    return """
      <!DOCTYPE html>
      <html lang="en" data-theme="\(settings.site.theme.rawValue)">
      <head><meta charset="utf-8"><title>Settings</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <style nonce="\(nonce)">\(HTML(markup: Self.style))</style></head>
      <body>
      \(body)
      \(script)
      </body></html>

      """
  }

  private static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  private static let script = String(decoding: PackageResources.page_js, as: UTF8.self)
}
