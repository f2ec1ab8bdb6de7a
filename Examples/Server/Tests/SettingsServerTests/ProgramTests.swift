import Foundation
import Hummingbird
import Logging
import SettingsServer
import Synchronization
import TypedDefaults
import XCTest

/// The program as people and machines start, log and stop it.
final class ProgramTests: XCTestCase {
  func testEachSourceOfAValueOverridesThoseBelowIt() async throws {
    let folder = try Folder()
    func list(_ values: [String: String]) -> String {
      let pairs = values.map { "<key>\($0)</key><string>\($1)</string>" }.joined()
      return "<plist version=\"1.0\"><dict>\(pairs)</dict></plist>"
    }
    try folder.write(list(["theme": "dark", "greeting": "m"]), to: "xdg/server.managed.plist")
    try folder.write(
      list(["greeting": "s", "logLevel": "warning", "cacheSeconds": "3"]), to: "xdg/server.plist")
    try folder.write(
      list(["greeting": "f", "theme": "light", "cacheSeconds": "4", "cacheSecond": "5"]),
      to: "config/server.plist")
    let server = try ServerProcess(
      ["-greeting", "a", "-requestsPerSecond", "500"],
      environment: ["SERVER_REQUESTS_PER_SECOND": "600", "SERVER_MAINTENANCE": "NO"], in: folder)
    try await Visitor.visit(port: server.port) { visitor in
      let page = try await visitor.open()
      for (key, value, source) in [
        ("theme", "<option selected>dark</option>", "managed"),
        ("greeting", "value=\"m\"", "managed"),
        ("requestsPerSecond", "value=\"500\"", "launch argument"),
        ("maintenance", "aria-checked=\"false\"", "environment"),
        ("cacheSeconds", "value=\"4\"", "stored"),
        ("logLevel", "<option selected>warning</option>", "system"),
        ("limits", "1048576", "default"),
      ] {
        let row = page.row(key)
        XCTAssertTrue(row.contains(value), row)
        XCTAssertTrue(row.contains("data-source=\"\(source)\""), row)
        let isOverridden = ["managed", "launch argument", "environment"].contains(source)
        XCTAssertEqual(row.contains(" disabled"), isOverridden, row)
      }
      XCTAssertTrue(
        page.row("theme").contains("The administrator of this machine has set this value"))
      XCTAssertTrue(page.text.contains("<li><code>cacheSecond</code></li>"))
      let greeting = try await visitor.get("/")
      XCTAssertEqual(greeting.text, "m\n")
    }
    XCTAssertEqual(server.stop(), 0)
    XCTAssertTrue(try server.log.contains("key=cacheSecond"))
  }

  func testAConfigMapThatIsReplacedGovernsTheNextRequest() async throws {
    let folder = try Folder()
    // As Kubernetes mounts one: the link in the middle is replaced.
    let mount = folder.url.appending(path: "xdg")
    for version in ["one", "two"] {
      try folder.write(
        "<plist version=\"1.0\"><dict><key>greeting</key><string>\(version)</string></dict></plist>",
        to: "xdg/..\(version)/server.managed.plist")
    }
    @Sendable func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: mount.appending(path: name).path, withDestinationPath: target)
    }
    try link("..data", to: "..one")
    try link("server.managed.plist", to: "..data/server.managed.plist")
    let server = try ServerProcess(in: folder)
    try await Visitor.visit(port: server.port) { visitor in
      let before = try await visitor.get("/")
      XCTAssertEqual(before.text, "one\n")
      try link("..data_tmp", to: "..two")
      XCTAssertEqual(
        rename(mount.appending(path: "..data_tmp").path, mount.appending(path: "..data").path), 0)
      let end = ContinuousClock.now + .seconds(1)
      while try await visitor.get("/").text != "two\n" {
        guard .now < end else { return XCTFail("the other version has not come") }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    XCTAssertEqual(server.stop(), 0)
  }

  func testAStopSavesTheLastChangeAndEndsOpenPages() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Visitor.visit(port: server.port) { visitor in
      try await visitor.open()
      let events = try await EventReader(port: server.port, cookie: visitor.cookie)
      _ = try await events.read(until: "\n\n")
      let answer = try await visitor.set("greeting", "the last words")
      XCTAssertEqual(answer.status, .seeOther)
      XCTAssertEqual(server.stop(), 0)
      while try await events.read(until: "\n\n") != nil {}
    }
    let saved = try String(contentsOf: ServerProcess.file(in: folder), encoding: .utf8)
    XCTAssertTrue(saved.contains("the last words"))
    let next = try ServerProcess(in: folder)
    try await Visitor.visit(port: next.port) { visitor in
      let answer = try await visitor.get("/")
      XCTAssertEqual(answer.text, "the last words\n")
    }
    XCTAssertEqual(next.stop(), 0)
  }

  func testAStopLetsARequestEnd() async throws {
    let folder = try Folder()
    let size = 12_000_000  // More than sockets hold.
    try folder.write(String(repeating: "x", count: size), to: "public/long.txt")
    let server = try ServerProcess(
      ["-folder", folder.url.appending(path: "public").path], in: folder)
    let reader = try await EventReader(port: server.port, path: "/long.txt")
    let head = try await reader.read(until: "\r\n\r\n")
    XCTAssertTrue(head?.contains("Content-Length: \(size)") == true)
    try await reader.pause()
    try await server.startToStop()
    let count = try await reader.readToEnd(isSlow: true)
    XCTAssertEqual(count, size)
    XCTAssertEqual(server.wait(), 0)
  }

  func testAReportIsLoggedWithItsKeyAndKind() async throws {
    let folder = try Folder()
    try folder.write(
      "<plist version=\"1.0\"><dict><key>theme</key><string>purple</string></dict></plist>",
      to: "config/server.plist")
    let server = try ServerProcess(in: folder)
    try await Visitor.visit(port: server.port) { visitor in try await visitor.open() }
    let line = try server.log.split(separator: "\n").first { $0.contains("purple") } ?? ""
    XCTAssertTrue(line.contains("warning settings:"), String(line))
    XCTAssertTrue(line.contains("key=theme kind=undecodableValue"), String(line))
    XCTAssertEqual(server.stop(), 0)
    // A file that is no property list is an error.
    try folder.write("damaged", to: "config/server.plist")
    let next = try ServerProcess(in: folder)
    let log = try next.log
    XCTAssertTrue(log.contains("error settings: kind=damagedFile"), log)
    XCTAssertEqual(next.stop(), 0)
  }

  func testTheLogLevelIsThatOfTheSettingAtEachMessage() {
    let settings = SiteSettings(in: .inMemory())
    struct Counter: LogHandler {
      let log: @Sendable () -> Void
      var logLevel = Logger.Level.trace
      var metadata: Logger.Metadata = [:]
      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }
      func log(event: LogEvent) { log() }
    }
    let count = Count()
    let logger = Logger(label: "test", levelOf: settings) { _ in Counter { count.add() } }
    logger.debug("not logged")
    settings.logLevel = .debug
    logger.debug("logged")
    settings.logLevel = .error
    logger.warning("not logged")
    settings.$logLevel.reset()
    logger.info("logged")
    XCTAssertEqual(count.value, 2)
  }

  func testHelpIsMadeFromTheSettings() throws {
    let folder = try Folder()
    let help = try ServerProcess.run(["--help"], in: folder)
    XCTAssertEqual(help.status, 0)
    for setting in ServerSettings(in: .inMemory()).settings {
      XCTAssertTrue(help.output.contains("  -\(setting.key) VALUE\n"))
      XCTAssertTrue(help.output.contains(setting.expectation))
    }
    XCTAssertTrue(
      help.output.contains(
        "an integer from 0 to 86400; 60 by default; variable SERVER_CACHE_SECONDS"))
    for (arguments, message) in [
      (["-cacheSecond", "5"], "unknown argument \"-cacheSecond\""),
      (["--port", "x"], "--port x: expected"),
      (["-greeting"], "-greeting needs a value"),
    ] {
      let run = try ServerProcess.run(arguments, in: folder)
      XCTAssertEqual(run.status, 2, run.output)
      XCTAssertTrue(run.output.contains(message), run.output)
    }
  }

  func testAPortThatIsTakenIsAnErrorInWords() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    let second = try ServerProcess.run(["--port", "\(server.port)"], in: try Folder())
    XCTAssertEqual(second.status, 1)
    XCTAssertTrue(second.output.contains("the port is taken"), second.output)
    XCTAssertEqual(server.stop(), 0)
  }
}

private final class Count: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
