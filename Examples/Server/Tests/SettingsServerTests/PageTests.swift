import Foundation
import Hummingbird
import SettingsServer
import TypedDefaults
import XCTest

/// The page without scripts: what it shows, and what its forms do.
final class PageTests: XCTestCase {
  func testThePageShowsEachSettingAsItsTypeAsks() async throws {
    try await TestServer.run { server in
      server.settings.site.theme = .dark
      try await server.visit { visitor in
        let page = try await visitor.open()
        XCTAssertEqual(page.status, .ok)
        XCTAssertTrue(page.text.contains("data-theme=\"dark\""))
        for setting in server.settings.settings {
          let row = page.row(setting.key)
          XCTAssertTrue(row.contains("<code>\(setting.key)</code>"), setting.key)
          XCTAssertTrue(Answer.unescaped(row).contains(setting.expectation), setting.key)
        }
        XCTAssertTrue(page.row("maintenance").contains("role=\"switch\" aria-checked=\"false\""))
        XCTAssertTrue(page.row("theme").contains("<option selected>dark</option>"))
        XCTAssertTrue(page.row("theme").contains("data-source=\"stored\""))
        XCTAssertTrue(page.row("logLevel").contains("<option>trace</option>"))
        XCTAssertTrue(
          page.row("cacheSeconds").contains("type=\"number\" step=\"1\" min=\"0\" max=\"86400\""))
        XCTAssertTrue(page.row("cacheSeconds").contains("default <q>60</q>"))
        XCTAssertTrue(page.row("cacheSeconds").contains("SERVER_CACHE_SECONDS"))
        XCTAssertTrue(page.row("limits").contains("<textarea"))
        XCTAssertTrue(page.row("adminPassword").contains("type=\"password\" value=\"\""))
        XCTAssertFalse(page.row("cacheSeconds").contains("/settings/reset"))
      }
    }
  }

  func testAFormChangesASettingAndAnotherResetsIt() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        var answer = try await visitor.set("cacheSeconds", "120")
        XCTAssertEqual(answer.status, .seeOther)
        XCTAssertEqual(answer.headers[.location], "/settings#row-cacheSeconds")
        XCTAssertEqual(server.settings.site.cacheSeconds, 120)
        answer = try await visitor.open()
        XCTAssertTrue(answer.row("cacheSeconds").contains("value=\"120\""))
        XCTAssertTrue(answer.row("cacheSeconds").contains("/settings/reset"))
        answer = try await visitor.set("headers", "{\"X-A\": \"b\"}")
        XCTAssertEqual(server.settings.site.headers, ["X-A": "b"])
        try await visitor.open()
        // A browser sends lines of a text with carriage returns.
        _ = try await visitor.set("greeting", "one\r\ntwo")
        XCTAssertEqual(server.settings.site.greeting, "one\ntwo")
        try await visitor.open()
        answer = try await visitor.post("/settings/reset", ["key": "cacheSeconds"])
        XCTAssertEqual(answer.status, .seeOther)
        XCTAssertEqual(server.settings.site.cacheSeconds, 60)
        try await visitor.open()
        _ = try await visitor.post("/settings/reset-all", [:])
        XCTAssertTrue(server.settings.settings.allSatisfy { !$0.isStored })
      }
    }
  }

  func testAnInvalidTextIsKeptBesideItsMessageAndChangesNothing() async throws {
    try await TestServer.run { server in
      let site = server.settings.site
      site.cacheSeconds = 10
      try await server.visit { visitor in
        for (key, text) in [
          ("cacheSeconds", "86401"), ("cacheSeconds", "-1"), ("cacheSeconds", "soon"),
          ("requestsPerSecond", "0"), ("theme", "purple"), ("limits", "{\"bodyBytes\":1}"),
          ("limits", "{\"bodyBytes\":1,\"bodySeconds\":10,\"idleSeconds\":60}"),
          ("headers", "{\"a\""),
          ("maintenance", "perhaps"),
        ] {
          let before = server.settings.settings.map(\.text)
          try await visitor.open()
          let answer = try await visitor.set(key, text)
          XCTAssertEqual(answer.status, .unprocessableContent, "\(key) \(text)")
          XCTAssertEqual(server.settings.settings.map(\.text), before)
          let row = answer.row(key)
          let message = row.firstMatch(of: /role="alert">([^<]+)</)?.1 ?? ""
          XCTAssertTrue(message.contains(key), row)
          if !["theme", "maintenance"].contains(key) {
            XCTAssertTrue(Answer.unescaped(row).contains(text), row)
          }
        }
        try await visitor.open()
        let answer = try await visitor.set("cacheSeconds", "86401")
        XCTAssertTrue(answer.row("cacheSeconds").contains("expected an integer from 0 to 86400"))
      }
    }
  }

  func testOverriddenSettingsAreShownAndCannotBeChanged() async throws {
    let store = UserDefaults.inMemory()
    store.setVolatileDomain(
      ["greeting": "from an argument", "maintenance": "NO"], forName: UserDefaults.argumentDomain)
    try await TestServer.run(in: store) { server in
      try await server.visit { visitor in
        let page = try await visitor.open()
        for key in ["greeting", "maintenance"] {
          XCTAssertTrue(page.row(key).contains("launch argument"))
          XCTAssertTrue(page.row(key).contains(" disabled"))
          XCTAssertTrue(page.row(key).contains("The argument -\(key) sets this value"))
        }
        XCTAssertFalse(page.row("cacheSeconds").contains(" disabled"))
        let answer = try await visitor.set("greeting", "mine")
        XCTAssertEqual(answer.status, .conflict)
        XCTAssertFalse(server.settings.site.$greeting.isStored)
      }
    }
  }

  func testAnExportComesBackByAnImport() async throws {
    try await TestServer.run { server in
      let site = server.settings.site
      (site.greeting, site.cacheSeconds, site.headers) = ("<Grüße> & \"mehr\"", 7, ["X-A": "b"])
      try await server.visit { visitor in
        try await visitor.open()
        let export = try await visitor.get("/settings/export")
        XCTAssertEqual(
          export.headers[.contentDisposition], "attachment; filename=\"server-settings.plist\"")
        site.resetAll()
        site.maintenance = true
        try await visitor.open()
        let answer = try await visitor.upload(Data(export.text.utf8))
        XCTAssertEqual(answer.status, .seeOther)
        XCTAssertEqual(site.greeting, "<Grüße> & \"mehr\"")
        XCTAssertEqual(site.cacheSeconds, 7)
        XCTAssertEqual(site.headers, ["X-A": "b"])
        XCTAssertFalse(site.maintenance)
      }
    }
  }

  func testAnImportThatCannotBeReadIsToldAndChangesNothing() async throws {
    @Sendable func plist(_ contents: String) -> Data {
      Data("<plist version=\"1.0\"><dict>\(contents)</dict></plist>".utf8)
    }
    try await TestServer.run { server in
      server.settings.site.greeting = "kept"
      try await server.visit { visitor in
        for file in [
          Data(), Data("no list".utf8), Data("bplist00".utf8), plist("<key>other</key><true/>"),
          plist(
            "<key>greeting</key><string>new</string><key>cacheSeconds</key><integer>90000</integer>"
          ),
        ] {
          try await visitor.open()
          let answer = try await visitor.upload(file)
          XCTAssertEqual(answer.status, .unprocessableContent)
          XCTAssertNotNil(
            answer.text.firstMatch(of: /id="notice" role="status" class="error">[^<]+</))
          XCTAssertEqual(server.settings.site.greeting, "kept")
        }
      }
    }
  }

  func testUnknownKeysAndUnreadableValuesAreShown() async throws {
    let store = UserDefaults.inMemory()
    store.set(5, forKey: "cacheSecond")
    store.set("soon", forKey: "cacheSeconds")
    store.set("x", forKey: "<b>&key")
    try await TestServer.run(in: store) { server in
      try await server.visit { visitor in
        let page = try await visitor.open()
        XCTAssertTrue(page.text.contains("<li><code>cacheSecond</code></li>"))
        XCTAssertTrue(page.text.contains("<li><code>&lt;b&gt;&amp;key</code></li>"))
        XCTAssertFalse(page.text.contains("<li><code>cacheSeconds</code></li>"))
        XCTAssertTrue(page.row("cacheSeconds").contains("The stored value cannot be read"))
        XCTAssertTrue(page.row("cacheSeconds").contains("data-source=\"default\""))
        _ = try await visitor.post("/settings/reset", ["key": "cacheSeconds"])
        let after = try await visitor.open()
        XCTAssertFalse(after.row("cacheSeconds").contains("cannot be read"))
      }
    }
  }
}
