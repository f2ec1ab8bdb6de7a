import Foundation
import HTTPTypes
import Hummingbird
import SettingsServer
import TypedDefaults
import XCTest

/// What was tried against the page.
final class SafetyTests: XCTestCase {
  // MARK: Where a request comes from

  func testARequestForAnotherNameIsRefused() async throws {
    try await TestServer.run { server in
      for host in [
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "localhost.",
      ] {
        try await server.visit(host: host) { visitor in
          for path in ["/", "/settings", "/settings/export"] {
            let answer = try await visitor.get(path)
            XCTAssertEqual(answer.status, .misdirectedRequest, "\(host) \(path)")
          }
        }
      }
      for host in ["localhost:8080", "LOCALHOST", "127.0.0.1", "[::1]:8080"] {
        try await server.visit(host: host) { visitor in
          let answer = try await visitor.open()
          XCTAssertEqual(answer.status, .ok, host)
        }
      }
    }
  }

  func testARequestOfAnotherOriginIsRefused() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        for origin in [
          "http://evil.example", "null", "http://localhost:3000", "localhost", "file://", "",
        ] {
          try await visitor.open()
          let answer = try await visitor.set("greeting", "x", headers: [.origin: origin])
          XCTAssertEqual(answer.status, .forbidden, origin)
          let page = try await visitor.get("/settings", headers: [.origin: origin])
          XCTAssertEqual(page.status, .forbidden, origin)
        }
        XCTAssertFalse(server.settings.site.$greeting.isStored)
        try await visitor.open()
        let answer = try await visitor.set(
          "greeting", "mine", headers: [.origin: "http://localhost"])
        XCTAssertEqual(answer.status, .seeOther)
      }
    }
  }

  func testFromElsewhereThereIsNoPageWithoutAPassword() async throws {
    var options = ServerOptions()
    options.names = ["settings.example"]
    try await TestServer.run(options: options) { server in
      // As a proxy on the same machine would ask.
      try await server.visit(host: "settings.example") { visitor in
        var answer = try await visitor.open()
        XCTAssertEqual(answer.status, .forbidden)
        answer = try await visitor.get("/")
        XCTAssertEqual(answer.status, .ok)
        try server.settings.$adminPassword.set(text: "correct horse")
        answer = try await visitor.open()
        XCTAssertEqual(answer.status, .ok)
        XCTAssertTrue(answer.text.contains("/settings/sign-in"))
      }
    }
  }

  // MARK: Tokens

  func testATokenIsGoodOnceAndInItsSessionOnly() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        let token = visitor.token
        var answer = try await visitor.set("greeting", "one")
        XCTAssertEqual(answer.status, .seeOther)
        visitor.token = token
        answer = try await visitor.set("greeting", "replayed")
        XCTAssertEqual(answer.status, .forbidden)

        for token in [
          "", "x", "..", "a.b.c", "\(token!)0", token!.replacing(".", with: ".9"),
          String(token!.dropLast(2)),
        ] {
          visitor.token = token
          answer = try await visitor.set("greeting", "forged")
          XCTAssertEqual(answer.status, .forbidden, token)
        }
        try await server.visit { other in
          try await other.open()
          visitor.token = other.token
        }
        answer = try await visitor.set("greeting", "of another session")
        XCTAssertEqual(answer.status, .forbidden)
        // A cookie that somebody has planted, or none.
        try await visitor.open()
        visitor.cookie = nil
        answer = try await visitor.set("greeting", "without a session")
        XCTAssertEqual(answer.status, .forbidden)
        XCTAssertEqual(server.settings.site.greeting, "one")
      }
    }
  }

  func testAChangeNeedsAForm() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        let token = visitor.token!
        let answer = try await visitor.get("/settings/set?key=greeting&text=x&token=\(token)")
        XCTAssertEqual(answer.status, .notFound)
        let json = try await visitor.send(
          .post, "/settings/set", headers: [.contentType: "application/json"],
          body: .init(string: "{\"key\": \"greeting\", \"text\": \"x\", \"token\": \"\(token)\"}"))
        XCTAssertEqual(json.status, .forbidden)
        XCTAssertFalse(server.settings.site.$greeting.isStored)
      }
    }
  }

  func testTheCookieAndThePageKeepScriptsAndFramesOut() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        let page = try await visitor.open()
        let cookie = try XCTUnwrap(page.headers[.setCookie])
        for property in ["HttpOnly", "SameSite=Strict", "Path=/settings"] {
          XCTAssertTrue(cookie.contains(property), cookie)
        }
        let policy = try XCTUnwrap(page.headers[.contentSecurityPolicy])
        XCTAssertTrue(policy.contains("default-src 'none'"))
        XCTAssertTrue(policy.contains("frame-ancestors 'none'"))
        XCTAssertFalse(policy.contains("unsafe"))
        let nonce = try XCTUnwrap(policy.firstMatch(of: /script-src 'nonce-([0-9a-f]{32})'/)).1
        XCTAssertTrue(page.text.contains("<script nonce=\"\(nonce)\""))
        let again = try await visitor.open()
        XCTAssertFalse(again.text.contains(nonce))
        XCTAssertNil(again.headers[.setCookie])
      }
    }
  }

  // MARK: What is sent

  func testTextIsEscapedWhereverItAppears() async throws {
    let script = "</textarea><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    let store = UserDefaults.inMemory()
    store.set(true, forKey: script)
    try await TestServer.run(in: store) { server in
      let site = server.settings.site
      site.greeting = script
      site.headers = [script: script]
      try await server.visit { visitor in
        var pages = [try await visitor.open()]
        pages.append(try await visitor.set("cacheSeconds", script))
        try await visitor.open()
        pages.append(try await visitor.set("theme", script))
        try await visitor.open()
        pages.append(try await visitor.upload(Data(script.utf8)))
        try await visitor.open()
        pages.append(try await visitor.post("/settings/reset", ["key": script]))
        for page in pages {
          XCTAssertFalse(page.text.contains("<script>alert"))
          XCTAssertFalse(page.text.contains("<img"))
          XCTAssertFalse(page.text.contains("</textarea><script"))
        }
        XCTAssertTrue(Answer.unescaped(pages[0].text).contains(script))
        XCTAssertTrue(Answer.unescaped(pages[1].text).contains(script))
      }
    }
  }

  func testAnImportOfTenMegabytesIsRefused() async throws {
    try await TestServer.run { server in
      server.settings.site.greeting = "kept"
      let file = Data(repeating: UInt8(ascii: "x"), count: 10_000_000)
      try await server.visit { visitor in
        try await visitor.open()
        let answer = try await visitor.upload(file)
        XCTAssertEqual(answer.status, .contentTooLarge)
        // The connection and the token are still good.
        let next = try await visitor.set("cacheSeconds", "9")
        XCTAssertEqual(next.status, .seeOther)
        XCTAssertEqual(server.settings.site.greeting, "kept")

        server.settings.site.limits.bodyBytes = 20_000_000
        try await visitor.open()
        let allowed = try await visitor.upload(file)
        XCTAssertEqual(allowed.status, .unprocessableContent)
      }
    }
  }

  func testABodyThatDoesNotComeIsGivenUp() async throws {
    try await TestServer.run { server in
      server.settings.site.limits.bodySeconds = 1
      try await server.visit { visitor in
        try await visitor.open()
        let slow = try await EventReader(
          port: server.port,
          sending: """
            POST /settings/set HTTP/1.1\r
            Host: localhost\r
            Cookie: \(visitor.cookie ?? "")\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: 100\r
            \r
            token=
            """)
        let answer = try await slow.read(until: "\r\n")
        XCTAssertEqual(answer, "HTTP/1.1 408 Request Timeout\r\n")
        _ = try await slow.readToEnd()  // The server has closed the connection.
      }
    }
  }

  func testAHeaderCannotAddAnotherOne() async throws {
    let folder = try Folder()
    try folder.write("a", to: "a.txt")
    try await TestServer.run { server in
      server.settings.site.folder = folder.url
      server.settings.site.headers = ["X-A": "b\r\nX-B: c", "X C": "d", "": "e", "X-D": "f\0"]
      try await server.visit { visitor in
        let answer = try await visitor.get("/a.txt")
        XCTAssertEqual(answer.text, "a")
        for name in ["X-A", "X-B", "X-D"] {
          XCTAssertNil(answer.headers[HTTPField.Name(name)!], name)
        }
      }
    }
  }
}
