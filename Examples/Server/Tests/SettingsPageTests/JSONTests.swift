import Foundation
import HTTPTypes
import SettingsPageCore
import TypedDefaults
import XCTest

/// The settings for programs.
final class JSONTests: XCTestCase {
  func testTheListHasEachSettingWithItsMembers() async throws {
    let desk = Desk()
    desk.settings.seats = 12
    let reply = await desk.ask(.get)
    let rows = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [[String: Any]])
    XCTAssertEqual(
      rows.map { $0["key"] as? String },
      ["motto", "seats", "flavor", "isOpen", "prices", "mix", "since", "code", "garden.trees"])
    for row in rows {
      XCTAssertEqual(
        row.keys.sorted(),
        [
          "choices", "default", "expectation", "help", "isSecret", "issue", "key", "lowerBound",
          "source", "text", "title", "upperBound",
        ])
    }
    XCTAssertEqual(rows[0]["help"] as? String, "The words above the door.")
    XCTAssertTrue(rows[1]["help"] is NSNull)
    XCTAssertEqual(rows[1]["text"] as? String, "12")
    XCTAssertEqual(rows[1]["default"] as? String, "40")
    XCTAssertEqual(rows[1]["source"] as? String, "stored")
    XCTAssertEqual(rows[1]["lowerBound"] as? String, "0")
    XCTAssertEqual(rows[1]["upperBound"] as? String, "400")
    XCTAssertEqual(rows[1]["expectation"] as? String, "an integer from 0 to 400")
    XCTAssertEqual(rows[2]["choices"] as? [String], ["plain", "sweet", "sour"])
    XCTAssertEqual(rows[3]["title"] as? String, "Is open")
    XCTAssertEqual(rows[8]["title"] as? String, "Trees")
  }

  func testASettingIsReadAssignedAndReset() async {
    let desk = Desk()
    var reply = await desk.put("motto", "Drink “&”")
    XCTAssertEqual(reply.status, .ok)
    XCTAssertEqual(reply.members["text"] as? String, "Drink “&”")
    XCTAssertEqual(desk.settings.motto, "Drink “&”")
    reply = await desk.ask(.delete, "/motto")
    XCTAssertEqual(reply.members["source"] as? String, "default")
    XCTAssertEqual(desk.settings.motto, "Eat")
    reply = await desk.ask(.get, "/mott%6F")
    XCTAssertEqual(reply.members["key"] as? String, "motto")
    reply = await desk.put("garden%2Etrees", "3")
    XCTAssertEqual(reply.status, .ok)
    XCTAssertEqual(desk.changes.list.map(\.newText), ["Drink “&”", "Eat", "3"])
  }

  func testEachRefusalSaysWhyAndChangesNothing() async {
    let desk = Desk()
    let json: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    func put(_ key: String, _ body: String, _ headers: HTTPFields) async -> Reply {
      await desk.ask(.put, "/\(key)", body, headers)
    }
    let long = String(repeating: "x", count: 65_536)
    for (key, body, headers, status) in [
      ("none", "{\"text\":\"x\"}", json, .notFound), ("%ff", "{\"text\":\"x\"}", json, .notFound),
      ("motto", "no JSON", json, .badRequest), ("motto", "", json, .badRequest),
      ("motto", "{}", json, .badRequest), ("motto", "{\"text\":5}", json, .badRequest),
      ("motto", "[\"text\"]", json, .badRequest), ("motto", "{\"text\":null}", json, .badRequest),
      ("motto", "{\"text\":\"x\"}", [.contentType: "text/plain"], .unsupportedMediaType),
      ("seats", "{\"text\":\"401\"}", json, .unprocessableContent),
      ("motto", "{\"text\":\"\(String(repeating: long, count: 17))\"}", json, .contentTooLarge),
      ("events", "{\"text\":\"x\"}", json, .methodNotAllowed),
      ("motto/more", "{\"text\":\"x\"}", json, .notFound),
    ] as [(String, String, HTTPFields, HTTPResponse.Status)] {
      let reply = await put(key, body, headers)
      XCTAssertEqual(reply.status, status, "\(key) \(body.prefix(30))")
    }
    XCTAssertTrue(desk.settings.settings.allSatisfy { !$0.isStored })
    let range = await desk.put("seats", "401")
    XCTAssertEqual(range.members["error"] as? String, "expected an integer from 0 to 400")
    let taken = await desk.put("motto", long)
    XCTAssertEqual(taken.status, .ok)
    XCTAssertEqual(desk.settings.motto, long)
  }

  func testTheSecondOfTwoEditorsIsToldAndOverwritesNothing() async {
    let desk = Desk()
    let first = await desk.ask(.get, "/seats")
    let second = await desk.ask(.get, "/seats")
    XCTAssertEqual(first.tag, second.tag)
    let done = await desk.put("seats", "5", ifMatch: first.tag)
    XCTAssertEqual(done.status, .ok)
    let late = await desk.put("seats", "6", ifMatch: second.tag)
    XCTAssertEqual(late.status, .preconditionFailed)
    XCTAssertEqual(late.members["text"] as? String, "6")
    XCTAssertEqual((late.members["current"] as? [String: Any])?["text"] as? String, "5")
    XCTAssertEqual(desk.settings.seats, 5)
    XCTAssertEqual(late.tag, done.tag)
    let reset = await desk.ask(.delete, "/seats", "", [.ifMatch: second.tag])
    XCTAssertEqual(reset.status, .preconditionFailed)
    let again = await desk.put("seats", "6", ifMatch: "\"other\", W/\(late.tag)")
    XCTAssertEqual(again.status, .ok)
    // Of many at once, one wins.
    let tag = again.tag
    let statuses = await withTaskGroup(of: HTTPResponse.Status.self) { group in
      for number in 10..<40 {
        group.addTask { await desk.put("seats", "\(number)", ifMatch: tag).status }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(statuses.filter { $0 == .ok }.count, 1)
  }

  func testASecretIsSentToNobodyAndItsTagTellsNothing() async throws {
    let desk = Desk()
    let other = Desk()
    let before = await desk.ask(.get, "/code")
    let set = await desk.put("code", "correct horse")
    XCTAssertEqual(desk.settings.code, "correct horse")
    _ = await other.put("code", "correct horse")
    let elsewhere = await other.ask(.get, "/code")
    XCTAssertNotEqual(set.tag, before.tag)
    XCTAssertNotEqual(set.tag, elsewhere.tag)
    XCTAssertTrue(set.members["text"] is NSNull && set.members["default"] is NSNull)
    // Somebody sets the same again, which nobody can see, but an editor.
    desk.settings.code = "another horse"
    desk.settings.code = "correct horse"
    let late = await desk.put("code", "third horse", ifMatch: set.tag)
    XCTAssertEqual(late.status, .preconditionFailed)
    var replies = [set, late]
    for rest in ["", "/code", "/export"] { replies.append(await desk.ask(.get, rest)) }
    replies.append(await desk.ask(.get, "", accept: "text/html"))
    for reply in replies { XCTAssertFalse(reply.text.contains("horse"), reply.text) }
    XCTAssertTrue(desk.changes.list.allSatisfy { $0.oldText == nil && $0.newText == nil })
  }

  func testAnOverriddenSettingCannotBeChanged() async {
    let store = UserDefaults.inMemory()
    store.setVolatileDomain(["motto": "argument"], forName: UserDefaults.argumentDomain)
    let desk = Desk(in: store)
    let reply = await desk.put("motto", "mine")
    XCTAssertEqual(reply.status, .conflict)
    XCTAssertFalse(desk.settings.$motto.isStored)
  }

  func testAnExportComesBackByAnImport() async throws {
    let desk = Desk()
    (desk.settings.motto, desk.settings.seats) = ("<Grüße>", 7)
    let export = await desk.ask(.get, "/export")
    XCTAssertEqual(
      export.answer.headers[.contentDisposition], "attachment; filename=\"kitchen-settings.plist\"")
    _ = await desk.put("motto", "other")
    _ = await desk.put("isOpen", "true")
    let count = desk.changes.list.count
    let xml: HTTPFields = [.contentType: "application/xml"]
    let reply = await desk.ask(.post, "/import", export.text, xml)
    XCTAssertEqual(reply.status, .ok)
    XCTAssertEqual(desk.settings.motto, "<Grüße>")
    XCTAssertFalse(desk.settings.isOpen)
    XCTAssertEqual(desk.changes.list.dropFirst(count).map(\.key), ["isOpen", "motto"])
    for (body, status) in [
      ("", .badRequest), ("no list", .unprocessableContent), ("bplist00", .unprocessableContent),
    ] as [(String, HTTPResponse.Status)] {
      let reply = await desk.ask(.post, "/import", body, xml)
      XCTAssertEqual(reply.status, status)
    }
    let wrong = await desk.ask(.post, "/import", export.text, [.contentType: "text/html"])
    XCTAssertEqual(wrong.status, .unsupportedMediaType)
    let upload = """
      --x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n\(export.text)\r\n--x--\r\n
      """
    desk.settings.seats = 1
    let form = await desk.ask(
      .post, "/import", upload, [.contentType: "multipart/form-data; boundary=\"x\""])
    XCTAssertEqual(form.status, .ok)
    XCTAssertEqual(desk.settings.seats, 7)
    XCTAssertEqual(desk.settings.motto, "<Grüße>")
  }

  func testAnUnknownKeyIsRemoved() async {
    let store = UserDefaults.inMemory(["motte": 1])
    let both = Desk(in: store)
    let refused = await both.ask(.delete, "/motte")
    XCTAssertEqual(refused.status, .notFound)
    let desk = Desk(in: store, hasGarden: false)
    let reply = await desk.ask(.delete, "/motte")
    XCTAssertEqual(reply.status, .noContent)
    XCTAssertNil(store.object(forKey: "motte"))
    let again = await desk.ask(.delete, "/motte")
    XCTAssertEqual(again.status, .notFound)
  }
}
