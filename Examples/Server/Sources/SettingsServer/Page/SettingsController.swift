import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import TypedDefaults

/// Answers the requests to `/settings`.
struct SettingsController: Sendable {
  let settings: ServerSettings
  let access: PageAccess
  let changes: PageChanges

  private var page: SettingsPage { SettingsPage(settings: settings) }

  func addRoutes(to group: RouterGroup<ServerContext>) {
    group.get { try show($0, $1) }
    group.get("events") { try events($0, $1) }
    group.get("export") { try export($0, $1) }
    group.post("sign-in") { try await signIn($0, $1) }
    group.post("sign-out") { request, context in
      let session = try await form(request, context).session
      guard access.isSignedIn(session) else { throw Refusal.notSignedIn }
      return redirect(request, to: access.makeSession(isSignedIn: false))
    }
    group.post("set") { try await change($0, $1, set) }
    group.post("reset") { try await change($0, $1, reset) }
    group.post("reset-all") { try await change($0, $1) { _ in settings.site.resetAll() } }
    group.post("import") { try await change($0, $1, importFile) }
  }

  // MARK: Looking

  private func show(_ request: Request, _ context: ServerContext) throws -> Response {
    try access.check(request, from: context.client)
    let found = access.session(of: request)
    let session = found ?? access.makeSession(isSignedIn: false)
    var response = render(request, session)
    if found == nil { response.setCookie(access.cookie(session, for: request)) }
    return response
  }

  private func export(_ request: Request, _ context: ServerContext) throws -> Response {
    _ = try signedIn(request, context)
    var headers = Self.privateHeaders
    headers[.contentType] = "application/xml"
    headers[.contentDisposition] = "attachment; filename=\"server-settings.plist\""
    return Response(
      status: .ok, headers: headers,
      body: .init(byteBuffer: ByteBuffer(bytes: try settings.site.exportData())))
  }

  /// Sends what has changed on the page for as long as it is open.
  private func events(_ request: Request, _ context: ServerContext) throws -> Response {
    let session = try signedIn(request, context)
    guard let wakeUps = changes.listen() else {
      throw Refusal(.serviceUnavailable, "Too many pages are open.")
    }
    var headers = Self.privateHeaders
    headers[.contentType] = "text/event-stream"
    return Response(
      status: .ok, headers: headers,
      body: .init { writer in
        var sent: SettingsPage.Fragments?
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await withGracefulShutdownHandler {
            for await _ in wakeUps.stream {
              guard access.isSignedIn(session) else { break }
              let fragments = page.fragments()
              let news = fragments.filter { sent?[$0.key] != $0.value }
              sent = fragments
              let answer = Answer(
                token: access.makeToken(for: session), theme: settings.site.theme, fragments: news)
              let data = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
              try await writer.write(ByteBuffer(string: "retry: 1000\ndata: \(data)\n\n"))
              try await Task.sleep(for: .milliseconds(50))  // Many changes become one event.
            }
          } onGracefulShutdown: {
            wakeUps.finish()  // Otherwise an open page would keep the server.
          }
        }
        try await writer.finish(nil)
      })
  }

  // MARK: Changing

  /// What a form has brought, after its token was spent.
  private struct Change {
    let form: RequestForm
    let session: PageAccess.Session
  }

  /// What the person is told beside a field, or above the page.
  private enum Objection: Error {
    case field(key: String, SettingRow.Mistake)
    case page(String)
  }

  private func form(_ request: Request, _ context: ServerContext) async throws -> Change {
    try access.check(request, from: context.client)
    guard let session = access.session(of: request) else { throw Refusal.notSignedIn }
    let form = try await RequestForm(of: request, within: settings.site.limits)
    try access.spend(form["token"], in: session)
    return Change(form: form, session: session)
  }

  private func change(
    _ request: Request, _ context: ServerContext, _ body: (RequestForm) throws -> Void
  ) async throws -> Response {
    // A stranger's body is not read.
    let before = try signedIn(request, context)
    let form = try await form(request, context).form
    var mistakes: [String: SettingRow.Mistake] = [:]
    var notice: SettingsPage.Notice?
    do {
      try body(form)
    } catch Objection.field(let key, let mistake) {
      mistakes[key] = mistake
    } catch Objection.page(let message) {
      notice = .init(text: message, isError: true)
    }
    changes.wake()
    // Whoever changes the password stays signed in.
    let session =
      access.isSignedIn(before) ? before : access.makeSession(isSignedIn: true)
    let isDone = mistakes.isEmpty && notice == nil
    var response: Response
    if request.headers[.accept] == "application/json" {
      if isDone, form.data("file") != nil { notice = .init(text: "Imported.", isError: false) }
      response = try answer(session, mistakes: mistakes, notice: notice, of: form["key"])
    } else if isDone {
      response = redirect(request, to: session, row: form["key"])
    } else {
      response = render(request, session, mistakes: mistakes, notice: notice)
    }
    if !isDone { response.status = .unprocessableContent }
    response.setCookie(access.cookie(session, for: request))
    return response
  }

  private func setting(in form: RequestForm) throws -> any DeclaredSetting {
    guard let setting = settings.settings.first(where: { $0.key == form["key"] }) else {
      throw Refusal(.notFound, "There is no such setting.")
    }
    guard !SettingRow.isOverridden(setting.source) else {
      throw Refusal(.conflict, "\(setting.key) is overridden (\(setting.source)).")
    }
    return setting
  }

  private func set(_ form: RequestForm) throws {
    let setting = try setting(in: form)
    let text = form["text"] ?? ""
    do {
      try setting.set(text: text)
    } catch let issue as DefaultsIssue {
      throw Objection.field(
        key: setting.key, .init(typed: setting.isSecret ? "" : text, message: "\(issue)"))
    }
  }

  private func reset(_ form: RequestForm) throws {
    try setting(in: form).reset()
  }

  private func importFile(_ form: RequestForm) throws {
    // Of a form without a file, nothing would be left of the settings.
    guard let file = form.data("file"), !file.isEmpty else {
      throw Objection.page("Choose a file, then import it.")
    }
    do {
      try settings.site.importData(file)
    } catch let issue as DefaultsIssue {
      throw Objection.page("\(issue)")
    }
  }

  // MARK: Signing in

  private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
    let change = try await form(request, context)
    guard try access.admits(change.form["password"] ?? "", from: context.client) else {
      context.logger.warning("Wrong password", metadata: ["path": "/settings"])
      var response = render(request, change.session, message: "The password is wrong.")
      response.status = .unprocessableContent
      return response
    }
    // Another name than before, which somebody may have planted.
    return redirect(request, to: access.makeSession(isSignedIn: true))
  }

  private func signedIn(_ request: Request, _ context: ServerContext) throws -> PageAccess.Session {
    try access.check(request, from: context.client)
    guard let session = access.session(of: request), access.isSignedIn(session) else {
      throw Refusal.notSignedIn
    }
    return session
  }

  // MARK: Answers

  private struct Answer: Encodable {
    let token: String
    let theme: Theme
    let fragments: SettingsPage.Fragments

    private enum CodingKeys: CodingKey { case token, theme, fragments }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(token, forKey: .token)
      try container.encode(theme.rawValue, forKey: .theme)
      try container.encode(fragments, forKey: .fragments)
    }
  }

  private static let privateHeaders: HTTPFields = [
    .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    HTTPField.Name("Cross-Origin-Resource-Policy")!: "same-origin",
  ]

  private func answer(
    _ session: PageAccess.Session, mistakes: [String: SettingRow.Mistake],
    notice: SettingsPage.Notice?, of key: String?
  ) throws -> Response {
    var fragments = key == nil ? page.fragments() : [:]
    if let setting = settings.settings.first(where: { $0.key == key }) {
      let row = SettingRow(setting, mistake: mistakes[setting.key])
      fragments[SettingRow.id(setting.key)] = row.html(token: "")
    }
    fragments["notice"] = page.notice(notice)
    let answer = Answer(
      token: access.makeToken(for: session), theme: settings.site.theme, fragments: fragments)
    var headers = Self.privateHeaders
    headers[.contentType] = "application/json"
    return Response(
      status: .ok, headers: headers,
      body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(answer))))
  }

  private func redirect(
    _ request: Request, to session: PageAccess.Session, row key: String? = nil
  ) -> Response {
    let place = key.map { "#" + SettingRow.id($0) } ?? ""
    var response = Response(
      status: .seeOther, headers: [.location: "/settings\(place)", .cacheControl: "no-store"])
    response.setCookie(access.cookie(session, for: request))
    return response
  }

  /// The page, or the form to sign in.
  private func render(
    _ request: Request, _ session: PageAccess.Session, message: String? = nil,
    mistakes: [String: SettingRow.Mistake] = [:], notice: SettingsPage.Notice? = nil
  ) -> Response {
    let (token, nonce) = (access.makeToken(for: session), PageAccess.random())
    let html =
      access.isSignedIn(session)
      ? page.page(
        token: token, nonce: nonce, canSignOut: settings.adminPassword != nil, mistakes: mistakes,
        notice: notice)
      : page.signIn(token: token, nonce: nonce, message: message)
    var headers = Self.privateHeaders
    headers[.contentType] = "text/html; charset=utf-8"
    headers[.contentSecurityPolicy] = """
      default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; connect-src 'self'; \
      img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
      """
    headers[HTTPField.Name("X-Frame-Options")!] = "DENY"
    headers[HTTPField.Name("Referrer-Policy")!] = "same-origin"
    headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] = "same-origin"
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html.text)))
  }
}

extension Refusal {
  static let notSignedIn = Refusal(.forbidden, "Open /settings first, and sign in.")
}
