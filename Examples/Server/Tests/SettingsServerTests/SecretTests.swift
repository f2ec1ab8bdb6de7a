import Foundation
import HTTPTypes
import Hummingbird
import SettingsServer
import TypedDefaults
import XCTest

/// The password: it is sent to nobody, and nobody gets in without it.
final class SecretTests: XCTestCase {
  func testASecretIsNeverSent() async throws {
    let secret = "correct horse battery staple"
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        var answers = [try await visitor.set("adminPassword", secret)]
        XCTAssertEqual(server.settings.adminPassword?.storedValue, secret)
        // Whoever has set it stays signed in.
        answers.append(try await visitor.open())
        XCTAssertTrue(answers[1].row("adminPassword").contains("A value is set"))
        answers.append(try await visitor.get("/settings/export"))
        answers.append(
          try await visitor.set("cacheSeconds", "1", headers: [.accept: "application/json"]))
        try await visitor.open()
        answers.append(
          try await visitor.post(
            "/settings/reset", ["key": ""], headers: [.accept: "application/json"]))
        try await visitor.open()
        answers.append(try await visitor.upload(Data(answers[2].text.utf8)))
        for answer in answers { XCTAssertFalse(answer.text.contains("horse"), answer.text) }
        let password = try XCTUnwrap(server.settings.adminPassword)
        XCTAssertEqual("\(password) \([password])", "(secret) [(secret)]")
        try await visitor.open()
        _ = try await visitor.post("/settings/reset-all", [:])
        XCTAssertNotNil(server.settings.adminPassword)
      }
      try await server.visit { stranger in
        let page = try await stranger.open()
        XCTAssertTrue(page.text.contains("/settings/sign-in"))
        XCTAssertFalse(page.text.contains("horse"))
        XCTAssertFalse(page.text.contains("cacheSeconds"))
      }
    }
  }

  func testAPasswordClosesEverythingUntilItIsGiven() async throws {
    try await TestServer.run { server in
      try server.settings.$adminPassword.set(text: "correct horse")
      try await server.visit { visitor in
        try await visitor.open()
        for path in ["/settings/export", "/settings/events"] {
          let answer = try await visitor.get(path)
          XCTAssertEqual(answer.status, .forbidden, path)
        }
        for path in ["set", "reset", "reset-all", "import", "sign-out"] {
          let answer = try await visitor.post(
            "/settings/\(path)", ["key": "greeting", "text": "x"])
          XCTAssertEqual(answer.status, .forbidden, path)
          try await visitor.open()
        }
        var answer = try await visitor.post("/settings/sign-in", ["password": "wrong"])
        XCTAssertEqual(answer.status, .unprocessableContent)
        XCTAssertTrue(answer.text.contains("The password is wrong."))
        let before = visitor.cookie
        answer = try await visitor.post("/settings/sign-in", ["password": "correct horse"])
        XCTAssertEqual(answer.status, .seeOther)
        XCTAssertNotEqual(visitor.cookie?.prefix(40), before?.prefix(40))
        answer = try await visitor.open()
        XCTAssertTrue(answer.text.contains("cacheSeconds"))

        // Another password ends the session, also one that another process has stored.
        let cookie = visitor.cookie
        try server.settings.$adminPassword.set(text: "another")
        answer = try await visitor.open()
        XCTAssertFalse(answer.text.contains("cacheSeconds"))
        try server.settings.$adminPassword.set(text: "correct horse")
        _ = try await visitor.open()
        _ = try await visitor.post("/settings/sign-out", [:])
        answer = try await visitor.open()
        XCTAssertFalse(answer.text.contains("cacheSeconds"))
        visitor.cookie = cookie.map { $0.prefix(60) + "0000" }
        answer = try await visitor.open()
        XCTAssertFalse(answer.text.contains("cacheSeconds"))
      }
    }
  }

  func testAPasswordCannotBeGuessedQuickly() async throws {
    try await TestServer.run { server in
      try server.settings.$adminPassword.set(text: "correct horse")
      try await server.visit { visitor in
        var statuses: [HTTPResponse.Status] = []
        for number in 0..<8 {
          try await visitor.open()
          statuses.append(
            try await visitor.post("/settings/sign-in", ["password": "\(number)"]).status)
        }
        XCTAssertEqual(statuses.prefix(5), Array(repeating: .unprocessableContent, count: 5)[...])
        XCTAssertEqual(statuses.suffix(3), Array(repeating: .tooManyRequests, count: 3)[...])
        try await visitor.open()
        let answer = try await visitor.post("/settings/sign-in", ["password": "correct horse"])
        XCTAssertEqual(answer.status, .tooManyRequests)
      }
    }
  }

  func testAPasswordThatCannotBeReadOpensNothing() async throws {
    for password in [["a list"], ""] as [Any] {
      let store = UserDefaults.inMemory()
      store.set(password, forKey: "adminPassword")
      try await TestServer.run(in: store) { server in
        try await server.visit { visitor in
          let page = try await visitor.open()
          XCTAssertFalse(page.text.contains("cacheSeconds"))
          let answer = try await visitor.post("/settings/sign-in", ["password": ""])
          XCTAssertEqual(answer.status, .unprocessableContent)
        }
      }
    }
  }
}
