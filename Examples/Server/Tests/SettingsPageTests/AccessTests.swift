import Foundation
import HTTPTypes
import SettingsPageCore
import TypedDefaults
import XCTest

/// Who is let in, and what somebody else can do.
final class AccessTests: XCTestCase {
  func testWithoutTheTokenNothingIsShownOrChanged() async {
    let desk = Desk()
    let fields: [HTTPFields] = [
      [:], [.authorization: "Bearer a-token-of-the-test!"], [.authorization: "Bearer "],
      [.authorization: "Basic a-token-of-the-tests"], [.cookie: "settings-page="],
      [.cookie: "settings-80=a-token-of-the-tests"], [.cookie: "settings-page=a-token-of-the-test"],
      [.authorization: "Bearer \(String(repeating: "a", count: 20))"],
    ]
    for headers in fields {
      for (method, rest) in [
        (HTTPRequest.Method.get, ""), (.get, "/motto"), (.put, "/motto"), (.delete, "/motto"),
        (.get, "/events"), (.get, "/export"), (.post, "/import"), (.post, ""),
        (.get, "?token=wrong"), (.get, "?token="),
      ] {
        let reply = await desk.ask(method, rest, "{\"text\":\"x\"}", headers, isWelcome: false)
        XCTAssertEqual(reply.status, .unauthorized, "\(method) \(rest)")
        XCTAssertFalse(reply.text.contains("Eat") || reply.text.contains("motto"), reply.text)
      }
    }
    XCTAssertFalse(desk.settings.$motto.isStored)
  }

  func testTheAddressSetsACookieAndLeadsToItselfWithoutTheToken() async throws {
    let desk = Desk(authorization: .token(.random(), isBehindTLS: true))
    let address = desk.page.address(host: "127.0.0.1", port: 8080)
    let token = try XCTUnwrap(address.firstMatch(of: /\?token=([A-Za-z0-9_-]{22})$/)).1
    let headers: HTTPFields = [:]
    let reply = await desk.send(
      .get, "/kitchen/settings?token=\(token)", Data(), headers, authority: "127.0.0.1:8080")
    XCTAssertEqual(reply.status, .seeOther)
    XCTAssertEqual(reply.answer.headers[.location], "/kitchen/settings")
    XCTAssertEqual(
      reply.answer.headers[.setCookie],
      "settings-8080=\(token); Path=/kitchen/settings; HttpOnly; SameSite=Strict; Secure")
    let page = await desk.send(
      .get, "/kitchen/settings", Data(), [.cookie: "a=b; settings-8080=\(token)"],
      authority: "127.0.0.1:8080")
    XCTAssertEqual(page.status, .ok)
    // Behind TLS, a page of the same name without it is another one.
    let plain = await desk.send(
      .get, "/kitchen/settings", Data(),
      [.cookie: "settings-8080=\(token)", .origin: "http://127.0.0.1:8080"],
      authority: "127.0.0.1:8080")
    XCTAssertEqual(plain.status, .forbidden)
  }

  func testAFixedTokenComesFromAVariableOrAFileAndIsNotPrinted() throws {
    var warnings: [String] = []
    func token(_ environment: [String: String]) -> PageToken {
      PageToken.ofThisStart(environment) { warnings.append($0) }
    }
    func address(_ token: PageToken) -> String {
      Desk(authorization: .token(token)).page.address(host: "::1", port: 9)
    }
    let folder = try Folder()
    let file = try folder.write("of-a-file-0123456789\n", to: "token")
    for environment in [
      ["SETTINGS_PAGE_TOKEN": "of-a-variable-0123456789"], ["SETTINGS_PAGE_TOKEN_FILE": file.path],
    ] {
      XCTAssertEqual(address(token(environment)), "http://[::1]:9/kitchen/settings")
    }
    XCTAssertEqual(warnings, [])
    for environment in [
      ["SETTINGS_PAGE_TOKEN": ""], ["SETTINGS_PAGE_TOKEN": "short"],
      ["SETTINGS_PAGE_TOKEN": "has a space 0123456789"], ["SETTINGS_PAGE_TOKEN_FILE": "/missing"],
      ["SETTINGS_PAGE_TOKEN": String(repeating: "a", count: 257)],
    ] {
      XCTAssertTrue(address(token(environment)).contains("?token="), "\(environment)")
    }
    XCTAssertEqual(warnings.count, 5)
  }

  func testAChangeByACookieNeedsTheOriginAndOneByABearerDoesNot() async {
    let desk = Desk()
    let cookie: HTTPFields = [.cookie: "settings-page=a-token-of-the-tests"]
    for origin in [
      nil, "http://evil.example", "null", "http://localhost:3000", "localhost", "file://", "",
    ] {
      var headers = cookie
      headers[.origin] = origin
      let put = await desk.ask(.put, "/motto", "{\"text\":\"x\"}", headers)
      XCTAssertEqual(put.status, .forbidden, origin ?? "none")
      let get = await desk.ask(.get, "", "", headers)
      XCTAssertEqual(get.status, origin == nil ? .ok : .forbidden, origin ?? "none")
    }
    XCTAssertFalse(desk.settings.$motto.isStored)
    var headers = cookie
    headers[.origin] = "http://localhost"
    let put = await desk.ask(.put, "/motto", "{\"text\":\"x\"}", headers)
    XCTAssertEqual(put.status, .ok)
    let bearer = await desk.put("motto", "y")
    XCTAssertEqual(bearer.status, .ok)
  }

  func testARequestForAnotherNameIsRefused() async {
    let desk = Desk()
    func status(_ authority: String) async -> HTTPResponse.Status {
      await desk.send(
        .get, "/kitchen/settings", Data(), [.authorization: "Bearer a-token-of-the-tests"],
        authority: authority
      ).status
    }
    for name in [
      "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "localhost.",
      "1.2.3", "256.0.0.1", "localhost:x", "localhost:99999", "[::1", "a.kitchen.example",
      String(repeating: "1", count: 70_000),
    ] {
      let status = await status(name)
      XCTAssertEqual(status, .misdirectedRequest, String(name.prefix(50)))
    }
    for name in ["localhost:8080", "LOCALHOST", "127.0.0.1", "[::1]:8080", "Kitchen.Example"] {
      let status = await status(name)
      XCTAssertEqual(status, .ok, name)
    }
  }

  func testAFunctionDecidesWhoMaySeeAndWhoMayChange() async {
    let desk = Desk(
      authorization: .by { head in
        head.headerFields[HTTPField.Name("X-User")!].map {
          PageVisitor(name: $0, mayChange: $0 == "ann")
        }
      })
    func reply(_ user: String?, _ method: HTTPRequest.Method) async -> Reply {
      var headers: HTTPFields = [.origin: "http://localhost"]
      headers[HTTPField.Name("X-User")!] = user
      return await desk.ask(method, "/seats", "{\"text\":\"7\"}", headers, isWelcome: false)
    }
    for (user, see, change) in [
      (nil, .forbidden, .forbidden), ("bob", .ok, .forbidden), ("ann", .ok, .ok),
    ] as [(String?, HTTPResponse.Status, HTTPResponse.Status)] {
      let seen = await reply(user, .get)
      XCTAssertEqual(seen.status, see, user ?? "none")
      let changed = await reply(user, .put)
      XCTAssertEqual(changed.status, change, user ?? "none")
    }
    XCTAssertEqual(desk.changes.list.map(\.visitor.name), ["ann"])
    XCTAssertEqual(desk.changes.list.map(\.key), ["seats"])
    XCTAssertEqual(desk.changes.list.first?.oldText, "40")
    XCTAssertEqual(desk.changes.list.first?.newText, "7")
  }

  func testABodyThatDoesNotComeIsGivenUp() async {
    let desk = Desk()
    let head = HTTPRequest(
      method: .put, scheme: "http", authority: "localhost", path: "/kitchen/settings/motto",
      headerFields: [
        .authorization: "Bearer a-token-of-the-tests", .contentType: "application/json",
      ])
    let answer = await desk.page.answer(
      to: PageRequest(head: head, timeout: .milliseconds(50)) { _ in
        try await Task.sleep(for: .seconds(3_600))
        return Data()
      })
    XCTAssertEqual(answer.status, .requestTimeout)
  }

  /// Each of these stopped a server for half a minute when texts were cut in quadratic time.
  func testHostileLengthsTakeNoTime() async {
    let desk = Desk()
    let long = String(repeating: "a", count: 1_000_000)
    let many = String(repeating: "settings-page=x;", count: 60_000)
    let start = ContinuousClock.now
    let fields: [HTTPFields] = [
      [.cookie: "settings-page=\(long)"], [.cookie: many], [.authorization: "Bearer \(long)"],
      [.origin: long], [.accept: long], [.contentType: "multipart/form-data; boundary=\(long)"],
      [.ifMatch: long], [.contentLength: long],
    ]
    for isWelcome in [false, true] {
      for headers in fields {
        for (method, rest) in [
          (HTTPRequest.Method.get, ""), (.get, "?token=\(long)"), (.get, "/\(long)"), (.post, ""),
          (.post, "/import"), (.put, "/motto"),
          (.get, "?\(String(repeating: "&", count: 100_000))"),
        ] {
          _ = await desk.ask(method, rest, "{\"text\":\"x\"}", headers, isWelcome: isWelcome)
        }
      }
    }
    XCTAssertLessThan(.now - start, .seconds(10))
    let part = "--x\r\n" + String(repeating: "form-data;", count: 90_000) + "\r\n\r\n"
    for (type, body) in [
      ("multipart/form-data; boundary=x", part),
      ("multipart/form-data; boundary=x", String(repeating: "\r\n--", count: 250_000)),
      ("multipart/form-data; boundary=x", String(repeating: "--x\r\n\r\n", count: 140_000)),
    ] {
      let start = ContinuousClock.now
      let reply = await desk.ask(.post, "/import", body, [.contentType: type])
      XCTAssertEqual(reply.status, .badRequest)
      XCTAssertLessThan(.now - start, .seconds(2))
    }
  }
}
