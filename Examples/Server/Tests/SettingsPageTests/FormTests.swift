import Foundation
import HTTPTypes
import SettingsPageCore
import TypedDefaults
import XCTest

/// The page without scripts: what it shows, and what its forms do.
final class FormTests: XCTestCase {
  private func page(_ desk: Desk) async -> Reply { await desk.ask(.get, "", accept: "text/html") }

  private func unescaped(_ text: String) -> String {
    text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  func testThePageShowsEachSettingAsItsTypeAsks() async {
    let desk = Desk()
    desk.settings.flavor = .sour
    let page = await page(desk)
    XCTAssertEqual(page.status, .ok)
    for setting in desk.settings.settings {
      XCTAssertTrue(unescaped(page.row(setting.key)).contains(setting.expectation), setting.key)
    }
    for (key, part) in [
      ("motto", "<p class=\"help\">The words above the door.</p>"), ("motto", "KITCHEN_MOTTO"),
      ("isOpen", "<input type=\"checkbox\" value=\"true\" id"),
      ("flavor", "<option selected>sour</option>"), ("flavor", "data-source=\"stored\""),
      ("seats", "type=\"number\" step=\"1\" min=\"0\" max=\"400\" value=\"40\""),
      ("since", "type=\"datetime-local\" step=\"1\" value=\"1970-01-01T00:00:00\""),
      ("prices", "data-members=\"number\""), ("mix", "data-members=\"any\" data-fixed"),
      ("code", "type=\"password\" value=\"\""), ("garden.trees", "value=\"2\""),
    ] {
      XCTAssertTrue(page.row(key).contains(part), page.row(key))
    }
    XCTAssertFalse(page.row("seats").contains("value=\"reset\""))
    XCTAssertTrue(page.row("flavor").contains("value=\"reset\""))
    XCTAssertTrue(page.text.contains("<h1>Kitchen</h1>"))
    XCTAssertTrue(page.text.contains("<h2>Garden</h2>"))
    XCTAssertFalse(page.text.contains("id=\"search\""))
    let row = await desk.ask(.get, "/garden.trees", accept: "text/html,application/xml;q=0.9,*/*")
    XCTAssertEqual(row.status, .seeOther)
    XCTAssertEqual(row.answer.headers[.location], "/kitchen/settings#row-garden%2Etrees")
  }

  func testAFormChangesASettingAndAnotherResetsIt() async {
    let desk = Desk()
    var reply = await desk.post("key=seats&text=120&action=set")
    XCTAssertEqual(reply.status, .seeOther)
    XCTAssertEqual(reply.answer.headers[.location], "/kitchen/settings#row-seats")
    XCTAssertEqual(desk.settings.seats, 120)
    // A browser sends lines of a text with carriage returns, and the box only if it is checked.
    _ = await desk.post("key=motto&text=one%0D%0Atwo+three&action=set")
    XCTAssertEqual(desk.settings.motto, "one\ntwo three")
    _ = await desk.post("key=isOpen&text=false&text=true&action=set")
    XCTAssertTrue(desk.settings.isOpen)
    _ = await desk.post("key=isOpen&text=false&action=set")
    XCTAssertFalse(desk.settings.isOpen)
    _ = await desk.post("key=since&date=2001-02-03T04%3A05&action=set")
    XCTAssertEqual(desk.settings.$since.text, "2001-02-03T04:05:00Z")
    reply = await desk.post("key=seats&action=reset")
    XCTAssertEqual(reply.status, .seeOther)
    XCTAssertEqual(desk.settings.seats, 40)
    desk.settings.code = "kept"
    _ = await desk.post("action=reset-all")
    XCTAssertEqual(desk.settings.settings.filter(\.isStored).map(\.key), ["code"])
  }

  func testAMalformedFormStoresNothing() async {
    let desk = Desk()
    for form in [
      "", "key=motto", "key=motto&action=set", "key=motto&text&action=set", "text=x&action=set",
      "key=motto&text=%zz&action=set", "key=motto&text=%ff&action=set", "key=motto&text=x",
      "key=motto&text=x&action=other", "&&&", "=", String(repeating: "a=b&", count: 200_000),
      "key=motto&text=\u{0}%0&action=set",
    ] {
      let reply = await desk.post(form)
      XCTAssertEqual(reply.status, .badRequest, String(form.prefix(40)))
    }
    let multipart = await desk.post("x", [.contentType: "multipart/form-data; boundary=x"])
    XCTAssertEqual(multipart.status, .unsupportedMediaType)
    XCTAssertTrue(desk.settings.settings.allSatisfy { !$0.isStored })
  }

  func testAMistakeIsKeptBesideItsMessage() async {
    let desk = Desk()
    for (key, text) in [
      ("seats", "401"), ("seats", "soon"), ("flavor", "purple"), ("mix", "{\"parts\":\"x\"}"),
      ("prices", "{\"a\""), ("since", "now"),
    ] {
      let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
      let reply = await desk.post("key=\(key)&text=\(encoded)&action=set")
      XCTAssertEqual(reply.status, .unprocessableContent)
      let row = unescaped(reply.row(key))
      XCTAssertTrue(row.contains("aria-invalid=\"true\""), row)
      XCTAssertTrue(row.contains(text), row)
      XCTAssertTrue(row.contains("-said\">expected "), row)
    }
    XCTAssertTrue(desk.settings.settings.allSatisfy { !$0.isStored })
  }

  func testAConflictShowsBothTexts() async throws {
    let desk = Desk()
    let page = await page(desk)
    let tag = try XCTUnwrap(page.row("seats").firstMatch(of: /name="tag" value="([^"]+)"/)).1
    desk.settings.seats = 5
    let encoded = unescaped(String(tag)).addingPercentEncoding(
      withAllowedCharacters: .alphanumerics)!
    let reply = await desk.post("key=seats&text=6&action=set&tag=\(encoded)")
    XCTAssertEqual(reply.status, .preconditionFailed)
    XCTAssertTrue(reply.row("seats").contains("It is now <q>5</q>"), reply.row("seats"))
    XCTAssertTrue(reply.row("seats").contains("value=\"6\""))
    XCTAssertEqual(desk.settings.seats, 5)
  }

  func testOverridesUnknownKeysAndUnreadableValuesAreShownWithTheirReasons() async {
    let store = UserDefaults.inMemory(["seats": "soon", "<b>&key": "x"])
    store.setVolatileDomain(
      ["motto": "argument", "isOpen": "NO"], forName: UserDefaults.argumentDomain)
    let desk = Desk(in: store, hasGarden: false)
    let page = await page(desk)
    XCTAssertTrue(page.row("motto").contains(" readonly"))
    XCTAssertTrue(page.row("motto").contains("The argument -motto sets this value"))
    XCTAssertTrue(page.row("isOpen").contains("aria-disabled=\"true\""))
    XCTAssertTrue(unescaped(page.row("seats")).contains("cannot be read as Int"))
    XCTAssertFalse(page.row("seats").contains("data-text"))
    XCTAssertTrue(page.text.contains("<code>&lt;b&gt;&amp;key</code>"))
    let removed = await desk.post("key=%3Cb%3E%26key&action=remove")
    XCTAssertEqual(removed.status, .seeOther)
    XCTAssertNil(store.object(forKey: "<b>&key"))
  }

  func testTextIsEscapedWhereverItAppears() async {
    let script = "</textarea><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    let desk = Desk(in: .inMemory([script: true]))
    (desk.settings.motto, desk.settings.prices) = (script, [script: 1])
    let encoded = script.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
    let replies = [
      await page(desk), await desk.post("key=seats&text=\(encoded)&action=set"),
      await desk.post("key=\(encoded)&action=remove&text=x"),
    ]
    for reply in replies {
      XCTAssertFalse(reply.text.contains("<script>alert"))
      XCTAssertFalse(reply.text.contains("<img"))
    }
    XCTAssertTrue(unescaped(replies[0].row("motto")).contains(script))
    let policy = replies[0].answer.headers[.contentSecurityPolicy] ?? ""
    XCTAssertTrue(policy.hasPrefix("default-src 'none'"))
    XCTAssertTrue(policy.contains("frame-ancestors 'none'"))
    XCTAssertFalse(policy.contains("unsafe"))
  }

  func testFromTwentySettingsOnThePageHasASearch() async {
    struct Many: SettingsGroup {
      let panes = (0..<20).map { Pane(prefix: "pane\($0).") }
      struct Pane: SettingsGroup {
        @WrappedDefault("width") var width = 1
      }
    }
    let page = MountedSettings(
      at: "s", [Many(in: .inMemory())], authorization: .by { _ in PageVisitor(name: "x") })
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "localhost", path: "/s", headerFields: [:])
    let reply = Reply(answer: await page.answer(to: PageRequest(head: head) { _ in Data() }))
    XCTAssertTrue(reply.text.contains("id=\"search\""))
    XCTAssertTrue(reply.text.contains("id=\"changed-only\""))
  }
}
