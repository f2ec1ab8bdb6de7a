import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import SettingsPage
import Synchronization
import TypedDefaults
import XCTest

/// The page in the server of somebody else.
final class MountTests: XCTestCase {
  private struct Shop: SettingsGroup {
    struct Hours: Codable, Equatable, Sendable, UserDefaultsSerializable {
      var opens = 9
      var name = "summer"
      var hasBreak = false
    }
    @WrappedDefault("odd/key? x%") var odd = 1
    @WrappedDefault("prices") var prices: [String: Int] = [:]
    @WrappedDefault("hours") var hours = Hours()
    @WrappedDefault("since") var since = Date(timeIntervalSince1970: 0)
    @WrappedDefaultOptional("code", isSecret: true) var code: String?
  }

  private struct Mail: SettingsGroup {
    let panes = (0..<20).map { Box(prefix: "mail.box\($0).") }
    struct Box: SettingsGroup {
      @WrappedDefault("size", help: "Letters.") var size = 1
    }
  }

  /// A context as a service has one, with the user of a session.
  private struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    var user: String?
    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
  }

  private struct Session: RouterMiddleware {
    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      var context = context
      context.user = request.headers[HTTPField.Name("X-User")!]
      return try await next(request, context)
    }
  }

  private func run(
    _ router: Router<Context>, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let app = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: logger
    )
    try await app.test(.live) { try await body($0.port!) }
  }

  func testTheSessionsOfAServiceDecideAndItHearsWhoChangedWhat() async throws {
    let log = Log()
    let router = Router(context: Context.self).add(middleware: Session())
    router.addSettingsPage(
      at: "/admin/shop", [Shop(in: .inMemory()), Mail(in: .inMemory())],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      onChange: { log.add("\($0.visitor.name) \($0.key) \($0.newText ?? "-")") },
      authorize: { _, context in
        context.user.map { PageVisitor(name: $0, mayChange: $0 == "ann") }
      })
    try await run(router) { port in
      for (user, see, change) in [
        (nil, .forbidden, .forbidden), ("bob", .ok, .forbidden), ("ann", .ok, .ok),
      ] as [(String?, HTTPResponse.Status, HTTPResponse.Status)] {
        try await Visitor.visit(port: port) { visitor in
          var headers: HTTPFields = [
            .origin: "http://localhost", .contentType: "application/json",
          ]
          headers[HTTPField.Name("X-User")!] = user
          let list = try await visitor.get("/admin/shop", headers: headers)
          XCTAssertEqual(list.status, see)
          let put = try await visitor.send(
            .put, "/admin/shop/mail.box3.size", headers: headers,
            body: ByteBuffer(string: "{\"text\":\"7\"}"))
          XCTAssertEqual(put.status, change)
        }
      }
    }
    XCTAssertEqual(log.lines, ["ann mail.box3.size 7"])
  }

  func testAnyPathAndAnyKeyWillDo() async throws {
    for path in ["/", "deep/ly/mounted/"] {
      let shop = Shop(in: .inMemory())
      let router = Router(context: Context.self)
      let page = router.addSettingsPage(
        at: path, [shop], authorize: .token(PageToken("a-token-of-the-tests")!),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      try await run(router) { port in
        try await Visitor.visit(port: port, token: "a-token-of-the-tests") { visitor in
          let put = try await visitor.send(
            .put, "\(page.path)/odd%2Fkey%3F%20x%25", headers: [.contentType: "application/json"],
            body: ByteBuffer(string: "{\"text\":\"7\"}"))
          XCTAssertEqual(put.status, .ok)
          XCTAssertEqual(shop.odd, 7)
          let open = try await visitor.get("\(page.path)/?token=a-token-of-the-tests")
          XCTAssertEqual(open.headers[.location], page.path.isEmpty ? "/" : "/deep/ly/mounted")
          let list = try await visitor.get(
            open.headers[.location] ?? "", headers: [.accept: "application/json"])
          XCTAssertTrue(list.text.hasPrefix("[{"), list.text)
        }
      }
    }
  }

  func testAMethodThatAPathDoesNotKnowIsRefusedWithThoseThatItKnows() async throws {
    let router = Router(context: Context.self)
    router.addSettingsPage(
      at: "/settings", [Shop(in: .inMemory())],
      authorize: .token(PageToken("a-token-of-the-tests")!),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await run(router) { port in
      try await Visitor.visit(port: port, token: "a-token-of-the-tests") { visitor in
        for method in [HTTPRequest.Method.patch, .options] {
          for (path, known) in [
            ("/settings", "GET, POST"), ("/settings/prices", "GET, PUT, DELETE"),
            ("/settings/events", "GET"), ("/settings/import", "POST"),
          ] {
            let answer = try await visitor.send(method, path)
            XCTAssertEqual(answer.status, .methodNotAllowed, "\(method) \(path)")
            XCTAssertEqual(answer.headers[.allow], known)
            XCTAssertTrue(answer.text.contains(known), answer.text)
          }
        }
      }
    }
  }

  func testMembersDatesAndSearchInABrowser() async throws {
    // A server that stops while its first visitor arrives ends the process.
    _ = try Browser.programs()
    let shop = Shop(in: .inMemory())
    let router = Router(context: Context.self)
    let page = router.addSettingsPage(
      at: "/admin/shop", [shop, Mail(in: .inMemory())], authorize: .token(.random()),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await run(router) { port in
      try await Browser.run { browser in
        try await browser.open(page.address(host: "127.0.0.1", port: port))
        try await browser.wait(for: "document.getElementById('state').textContent == 'Live'")
        // A dictionary is a table.
        try await browser.click("#row-prices .members > button")
        try await browser.press("apple\(Browser.tabulator)5\(Browser.enter)")
        try await browser.wait(
          for: "document.getElementById('row-prices-said').textContent.startsWith('Saved.')")
        XCTAssertEqual(shop.prices, ["apple": 5])
        // A Codable has its members.
        let names = try await browser.value(
          "[...document.querySelectorAll('#row-hours .members input[type=text]:read-only')].map(i => i.value)"
        )
        XCTAssertEqual(names, "hasBreak,name,opens")
        try await browser.click("#row-hours .members input[type=checkbox]")
        try await browser.click("#row-hours .save")
        try await browser.wait(
          for: "document.getElementById('row-hours-said').textContent.startsWith('Saved.')")
        XCTAssertTrue(shop.hours.hasBreak)
        try await browser.type(Browser.escape, into: "#row-since-value")
        _ = try await browser.value(
          """
          (() => { const field = document.getElementById('row-since-value');
          field.value = '2001-02-03T04:05'; field.form.requestSubmit(); })()
          """)
        try await browser.wait(
          for: "document.getElementById('row-since-said').textContent.startsWith('Saved.')")
        XCTAssertEqual(shop.$since.text, "2001-02-03T04:05:00Z")

        let headings = try await browser.value(
          "[...document.querySelectorAll('h2')].slice(0, 2).map(h => h.textContent)")
        XCTAssertEqual(headings, "Shop,Mail")
        try await browser.type("box13", into: "#search")
        try await browser.wait(for: "document.querySelectorAll('.row:not([hidden])').length == 1")
        try await browser.type(" \u{E003}", into: "#search")
        try await browser.click("#changed-only")
        try await browser.wait(for: "document.querySelectorAll('.row:not([hidden])').length == 3")
        try await browser.keepPicture("members")
      }
    }
  }

  private final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func add(_ line: String) { all.withLock { $0.append(line) } }
  }
}
