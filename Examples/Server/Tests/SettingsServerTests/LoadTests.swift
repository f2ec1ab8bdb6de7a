import Foundation
import HTTPTypes
import SettingsServer
import Synchronization
import TypedDefaults
import XCTest

/// Requests while another process, this one, changes settings a hundred times a second.
///
/// `SERVER_LOAD=50000 swift test --filter LoadTests` makes as many requests.
final class LoadTests: XCTestCase {
  private static let connections = 4

  func testEachAnswerIsRightWhileSettingsChangeAndMemoryIsFlat() async throws {
    let count = ProcessInfo.processInfo.environment["SERVER_LOAD"].flatMap(Int.init) ?? 2_000
    let folder = try Folder()
    try folder.write("a file", to: "public/a.txt")
    let server = try ServerProcess(
      ["-folder", folder.url.appending(path: "public").path], in: folder)
    let suite = ServerProcess.file(in: folder).deletingPathExtension().path
    let settings = ServerSettings(in: .saved(suiteName: suite))
    func set(_ number: Int) {
      UserDefaults.saved(suiteName: suite).transaction {
        settings.greeting = "\(number)"
        settings.cacheSeconds = number % 86_400
      }
    }
    func waitUntilServed(_ number: Int) async throws {
      try await UserDefaults.saved(suiteName: suite).flush()
      try await Visitor.visit(port: server.port) { visitor in
        let end = ContinuousClock.now + .seconds(2)
        while try await visitor.get("/").text != "\(number)\n" {
          guard .now < end else { return XCTFail("change \(number) has not come") }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
    set(0)
    try await waitUntilServed(0)

    let progress = Progress()
    let start = ContinuousClock.now
    let changes = Task.detached {
      var next = ContinuousClock.now
      while !Task.isCancelled {
        let number = progress.nextNumber()
        set(number)
        next += .milliseconds(10)
        try? await Task.sleep(until: next)
      }
    }
    let memory = Task.detached {
      var samples: [(requests: Int, kibibytes: Int)] = []
      while !Task.isCancelled {
        if let kibibytes = server.memory { samples.append((progress.requests, kibibytes)) }
        try? await Task.sleep(for: .milliseconds(100))
      }
      return samples
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.connections {
        group.addTask { [port = server.port] in
          try await Self.request(count / Self.connections, port: port, progress: progress)
        }
      }
      try await group.waitForAll()
    }
    let time = ContinuousClock.now - start
    changes.cancel()
    memory.cancel()
    await changes.value

    let newest = progress.newest
    try await waitUntilServed(newest)
    XCTAssertEqual(server.stop(), 0)
    let log = try server.log
    XCTAssertFalse(log.contains("error") || log.contains("warning"), log)

    let samples = await memory.value
    let half = samples.first { $0.requests > count / 2 }
    let rate = Int(Double(newest) / (time / .seconds(1)))
    print(
      """
      \(count) requests, \(Int(Double(count) / (time / .seconds(1)))) a second, beside \(newest) changes, \
      \(rate) a second; distinct values seen: \(progress.distinct); \
      KiB at half and at the end: \(half?.kibibytes ?? 0), \(samples.last?.kibibytes ?? 0)
      """)
    XCTAssertGreaterThan(progress.distinct, 10)
    if let half, let last = samples.last, count >= 20_000 {
      XCTAssertLessThan(last.kibibytes, half.kibibytes + 4_096)
    }
  }

  private static func request(_ count: Int, port: Int, progress: Progress) async throws {
    try await Visitor.visit(port: port) { visitor in
      var (greeting, header) = (0, 0)
      for number in 0..<count {
        if number.isMultiple(of: 2) {
          let answer = try await visitor.get("/")
          let seen = Int(answer.text.dropLast()) ?? -1
          progress.check(answer.status == .ok && seen >= greeting, seen)
          greeting = seen
        } else {
          let answer = try await visitor.get("/a.txt")
          let seen = (answer.headers[.cacheControl]?.dropFirst(8)).flatMap { Int($0) } ?? -1
          progress.check(answer.status == .ok && answer.text == "a file" && seen >= header, seen)
          header = seen
        }
      }
    }
  }

  /// What has been set and seen.
  private final class Progress: Sendable {
    private struct State {
      var newest = 0
      var requests = 0
      var seen: Set<Int> = []
    }
    private let state = Mutex(State())

    var newest: Int { state.withLock { $0.newest } }
    var requests: Int { state.withLock { $0.requests } }
    var distinct: Int { state.withLock { $0.seen.count } }

    func nextNumber() -> Int {
      state.withLock {
        $0.newest += 1
        return $0.newest
      }
    }

    func check(_ isRight: Bool, _ seen: Int) {
      let newest = state.withLock {
        $0.requests += 1
        $0.seen.insert(seen)
        return $0.newest
      }
      XCTAssertTrue(isRight && seen <= newest, "saw \(seen) of \(newest)")
    }
  }
}
