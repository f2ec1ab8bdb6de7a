import Foundation
import SettingsServer
import TypedDefaults
import XCTest

/// Changes by anyone reach an open page within a second.
final class EventTests: XCTestCase {
  /// Returns the time until an event with a text has come.
  private static func time(
    until text: String, in events: EventReader, after change: () throws -> Void
  ) async throws -> Duration {
    let start = ContinuousClock.now
    try change()
    let event = try await events.read(until: text)
    XCTAssertNotNil(event)
    return .now - start
  }

  func testAChangeInTheProcessComesAtOnce() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        let events = try await EventReader(port: server.port, cookie: visitor.cookie)
        let first = try await events.read(until: "\n\n")
        XCTAssertTrue(first?.contains("text/event-stream") == true)
        let time = try await Self.time(until: "first &amp; second", in: events) {
          server.settings.site.greeting = "first & second"
        }
        XCTAssertLessThan(time, .seconds(1))
        // An event has only the rows that have changed.
        _ = try await events.read(until: "\n\n")
        server.settings.site.cacheSeconds = 77
        let event = try await events.read(until: "\n\n")
        XCTAssertTrue(event?.contains("row-cacheSeconds") == true)
        XCTAssertFalse(event?.contains("row-greeting") == true)
      }
    }
  }

  func testAnEditOfTheFileComesWithinASecond() async throws {
    let folder = try Folder()
    let file = folder.url.appending(path: "server.plist")
    // A suite whose name is a path is kept in that file.
    let suite = folder.url.appending(path: "server").path
    try await TestServer.run(in: .saved(suiteName: suite)) { server in
      server.settings.site.cacheSeconds = 10
      try await UserDefaults.saved(suiteName: suite).flush()
      try await server.visit { visitor in
        try await visitor.open()
        let events = try await EventReader(port: server.port, cookie: visitor.cookie)
        _ = try await events.read(until: "\n\n")
        let text = try String(contentsOf: file, encoding: .utf8)
        for (new, seen) in [
          ("<integer>3456</integer>", "value=\\\"3456\\\""),
          // No setting changes its value by these.
          ("<integer>3456</integer><key>cacheSecond</key><true/>", "<code>cacheSecond<"),
          ("<integer>60</integer>", "data-source=\\\"stored\\\""),
        ] {
          let time = try await Self.time(until: seen, in: events) {
            let edited = text.replacing("<integer>10</integer>", with: new)
            try Data(edited.utf8).write(to: file, options: .atomic)
          }
          XCTAssertLessThan(time, .seconds(1), new)
        }
      }
    }
  }

  func testASecretIsInNoEventAndAnotherPasswordEndsTheStream() async throws {
    try await TestServer.run { server in
      try server.settings.$adminPassword.set(text: "correct horse")
      try await server.visit { visitor in
        try await visitor.open()
        _ = try await visitor.post("/settings/sign-in", ["password": "correct horse"])
        let events = try await EventReader(port: server.port, cookie: visitor.cookie)
        var all = try await events.read(until: "\n\n") ?? ""
        XCTAssertTrue(all.contains("row-adminPassword"))
        server.settings.site.cacheSeconds = 5
        all += try await events.read(until: "\n\n") ?? ""
        try server.settings.$adminPassword.set(text: "another horse")
        while let more = try await events.read(until: "\n\n") { all += more }
        XCTAssertFalse(all.contains("horse"))
      }
    }
  }

  func testTooManyOpenPagesAreRefused() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        try await visitor.open()
        // A request for the head takes no place.
        for _ in 0..<150 {
          let answer = try await visitor.send(.head, "/settings/events")
          XCTAssertEqual(answer.status, .ok)
        }
        var readers: [EventReader] = []
        for _ in 0..<100 {
          let reader = try await EventReader(port: server.port, cookie: visitor.cookie)
          _ = try await reader.read(until: "\n\n")
          readers.append(reader)
        }
        let refused = try await EventReader(port: server.port, cookie: visitor.cookie)
        let answer = try await refused.read(until: "\r\n")
        XCTAssertEqual(answer, "HTTP/1.1 503 Service Unavailable\r\n")
        readers = []
        // The places are free again.
        for _ in 0..<100 {
          let reader = try await EventReader(port: server.port, cookie: visitor.cookie)
          if try await reader.read(until: "\r\n") == "HTTP/1.1 200 OK\r\n" { return }
          try await Task.sleep(for: .milliseconds(20))
        }
        XCTFail("no place became free")
      }
    }
  }
}
