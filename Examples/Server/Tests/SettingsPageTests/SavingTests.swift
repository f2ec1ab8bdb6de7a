import Foundation
import HTTPTypes
import SettingsPageCore
import TypedDefaults
import XCTest

/// "Saved" means on the disk.
final class SavingTests: XCTestCase {
  func testAnAnswerComesWhenTheChangeIsOnTheDisk() async throws {
    let folder = try Folder()
    // A suite whose name is a path is kept in that file.
    let desk = Desk(in: .saved(suiteName: folder.url.appending(path: "kitchen").path))
    for number in 1...20 {
      let reply = await desk.put("seats", "\(number)")
      XCTAssertEqual(reply.status, .ok)
      let file = try Data(contentsOf: folder.url.appending(path: "kitchen.plist"))
      let list = try PropertyListSerialization.propertyList(from: file, format: nil)
      XCTAssertEqual((list as? [String: Any])?["seats"] as? Int, number)
    }
    XCTAssertTrue(desk.changes.list.allSatisfy(\.isSaved))
  }

  func testAFailedSaveIsToldUntilASaveSucceeds() async throws {
    let folder = try Folder()
    // No folder, so that no save succeeds, whoever runs the test.
    let place = try folder.write("a file", to: "place")
    DefaultsIssue.setHandler { _ in }
    defer { DefaultsIssue.setHandler(nil) }
    let desk = Desk(in: .saved(suiteName: place.appending(path: "kitchen").path))
    let reply = await desk.put("seats", "5")
    XCTAssertEqual(reply.status, .serviceUnavailable)
    let error = reply.members["error"] as? String ?? ""
    XCTAssertTrue(error.hasPrefix("The change is not saved. "), error)
    XCTAssertTrue(error.contains(place.path), error)
    XCTAssertEqual(desk.changes.list.map(\.isSaved), [false])
    let form = await desk.post("key=seats&text=6&action=set")
    XCTAssertEqual(form.status, .serviceUnavailable)
    XCTAssertTrue(form.row("seats").contains("The change is not saved."), form.row("seats"))
    let page = await desk.ask(.get, "", accept: "text/html")
    XCTAssertTrue(page.text.contains("<p id=\"trouble\" role=\"alert\">"))

    var events = try await Events(desk)
    _ = try await events.next(with: place.path)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    _ = try await events.next(with: "event: page", without: "\"trouble\"")
    let file = try String(contentsOf: place.appending(path: "kitchen.plist"), encoding: .utf8)
    XCTAssertTrue(file.contains("<integer>6</integer>"))
  }
}

/// Changes by anyone reach an open page.
final class EventTests: XCTestCase {
  func testAnEventHasOnlyWhatHasChanged() async throws {
    let desk = Desk()
    var events = try await Events(desk)
    let first = try await events.next(with: "event: setting")
    XCTAssertEqual(first.split(separator: "event: setting").count, desk.settings.settings.count + 1)
    desk.settings.motto = "first & second"
    let event = try await events.next(with: "first &amp; second")
    XCTAssertFalse(event.contains("\"key\":\"seats\""))
    desk.settings.code = "correct horse"
    let secret = try await events.next(with: "\"key\":\"code\"")
    XCTAssertFalse(secret.contains("horse"))
  }

  func testAHundredStreamsAreOpenAndTheNextOneIsRefused() async throws {
    let desk = Desk()
    var streams: [Events] = []
    for _ in 0..<100 { streams.append(try await Events(desk)) }
    let refused = await desk.ask(.get, "/events")
    XCTAssertEqual(refused.status, .serviceUnavailable)
    XCTAssertEqual(refused.answer.headers[.retryAfter], "30")
    let change = await desk.put("seats", "5")
    XCTAssertEqual(change.status, .ok)
    for index in streams.indices { _ = try await streams[index].next(with: "\"text\":\"5\"") }
    streams.removeLast()
    _ = try await Events(desk)
  }

  func testManyChangesBecomeFewEvents() async throws {
    let desk = Desk()
    var events = try await Events(desk)
    _ = try await events.next(with: "event: setting")
    for number in 0...400 { desk.settings.seats = number }
    var count = 0
    while !(try await events.next(with: "\"key\":\"seats\"").contains("\"text\":\"400\"")) {
      count += 1
    }
    XCTAssertLessThan(count, 20)
  }
}

/// The stream of an open page.
struct Events {
  private var iterator: EventStream.AsyncIterator

  init(_ desk: Desk) async throws {
    let reply = await desk.ask(.get, "/events")
    guard case .events(let stream) = reply.answer.body else { throw Ended() }
    iterator = stream.makeAsyncIterator()
  }

  struct Ended: Error {}

  /// Returns the next event that has a text.
  mutating func next(with text: String, without other: String? = nil) async throws -> String {
    while let data = await iterator.next() {
      let event = String(decoding: data, as: UTF8.self)
      if event.contains(text), other.map(event.contains) != true { return event }
    }
    throw Ended()
  }
}
