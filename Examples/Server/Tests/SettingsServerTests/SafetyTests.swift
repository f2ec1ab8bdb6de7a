import Foundation
import HTTPTypes
import Hummingbird
import SettingsServer
import Synchronization
import TypedDefaults
import XCTest

/// What unknown visitors tried, beside a clock for the requests of others.
final class SafetyTests: XCTestCase {
  /// Returns the longest time that a request took while a function ran.
  private static func longestWait(
    _ server: TestServer, during body: () async throws -> Void
  ) async throws -> Duration {
    let waits = Waits()
    let others = Task {
      try await server.visit { visitor in
        _ = try await visitor.get("/")
        while !waits.isDone {
          let start = ContinuousClock.now
          _ = try await visitor.get("/")
          waits.add(.now - start)
        }
      }
    }
    try await body()
    waits.end()
    try await others.value
    return waits.longest
  }

  private final class Waits: Sendable {
    private let state = Mutex((longest: Duration.zero, isDone: false))
    var isDone: Bool { state.withLock { $0.isDone } }
    var longest: Duration { state.withLock { $0.longest } }
    func add(_ time: Duration) { state.withLock { $0.longest = max($0.longest, time) } }
    func end() { state.withLock { $0.isDone = true } }
  }

  func testHostileRequestsHoldUpNobody() async throws {
    try await TestServer.run { server in
      func request(_ head: String, _ body: String = "") -> String {
        let end = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return "\(head)\r\nHost: localhost\r\nConnection: close\r\n\(end)\r\n\(body)"
      }
      let long = String(repeating: "a", count: 100_000)
      let multipart = "--x\r\n" + String(repeating: "form-data;", count: 90_000) + "\r\n\r\n"
      let requests = [
        request("GET /settings?token=\(long) HTTP/1.1"),
        request("GET /settings HTTP/1.1\r\nCookie: settings-page=\(long)"),
        request(
          "GET /settings HTTP/1.1\r\nCookie: \(String(repeating: "settings-page=;", count: 500))"),
        request("GET /settings HTTP/1.1\r\nAuthorization: Bearer \(long.prefix(8_000))"),
        request("GET /\(long) HTTP/1.1"),
        request("PUT /settings/greeting HTTP/1.1", String(repeating: "[", count: 1_000_000)),
        request(
          "POST /settings/import HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x",
          multipart),
        request(
          """
          POST /settings/import HTTP/1.1\r\nAuthorization: Bearer \(TestServer.token)\r
          Content-Type: multipart/form-data; boundary=x
          """, multipart),
      ]
      let time = try await Self.longestWait(server) {
        for request in requests + requests {
          let reader = try await EventReader(port: server.port, sending: request)
          _ = try? await reader.readToEnd()
        }
      }
      print("16 hostile requests: another request took \(time) at most")
      XCTAssertLessThan(time, .seconds(1))
      XCTAssertFalse(server.settings.$greeting.isStored)
    }
  }

  func testABodyOfTenMegabytesIsRefusedAndTheConnectionIsStillGood() async throws {
    try await TestServer.run { server in
      try await server.visit { visitor in
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 10_000_000)
        let answer = try await visitor.send(
          .put, "/settings/greeting", headers: [.contentType: "application/json"], body: body)
        XCTAssertEqual(answer.status, .contentTooLarge)
        let next = try await visitor.put("cacheSeconds", "9")
        XCTAssertEqual(next.status, .ok)
      }
    }
  }

  func testStrangersLeaveAConnectionForWhoeverHasTheToken() async throws {
    try await TestServer.run { server in
      let events = try await EventReader(port: server.port, token: TestServer.token)
      _ = try await events.read(until: "\n\n")
      var unknown: [EventReader] = []
      for _ in 0..<600 {
        unknown.append(try await EventReader(port: server.port, sending: "GET / HTTP/1.1\r\n"))
      }
      // The oldest ones are closed.
      let count = try await unknown[0].readToEnd()
      XCTAssertEqual(count, 0)
      try await server.visit { visitor in
        let answer = try await visitor.put("cacheSeconds", "77")
        XCTAssertEqual(answer.status, .ok)
      }
      let event = try await events.read(until: "\\\"77\\\"")
      XCTAssertNotNil(event)
    }
  }

  func testFortyStreamsAndAHundredChangesASecondHoldUpNobody() async throws {
    try await TestServer.run { server in
      var streams: [EventReader] = []
      for _ in 0..<40 {
        let stream = try await EventReader(port: server.port, token: TestServer.token)
        _ = try await stream.read(until: "event: page")
        streams.append(stream)
      }
      let time = try await Self.longestWait(server) {
        var next = ContinuousClock.now
        for number in 0..<200 {
          server.settings.cacheSeconds = number
          next += .milliseconds(10)
          try await Task.sleep(until: next)
        }
      }
      print("40 streams, 100 changes a second: another request took \(time) at most")
      XCTAssertLessThan(time, .milliseconds(500))
      for stream in streams {
        let event = try await stream.read(until: "\"text\":\"199\"")
        XCTAssertNotNil(event)
      }
    }
  }
}
