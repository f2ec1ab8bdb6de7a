import Foundation
import Hummingbird
import SettingsServer
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
    let name = "typed-defaults-server"
    try folder.write(list(["theme": "dark", "greeting": "m"]), to: "xdg/\(name).managed.plist")
    try folder.write(list(["greeting": "s", "cacheSeconds": "3"]), to: "xdg/\(name).plist")
    try folder.write(
      list(["greeting": "f", "theme": "light", "cacheSeconds": "4", "cache\nSecond": "5"]),
      to: "config/\(name).plist")
    let server = try ServerProcess(
      ["-greeting", "a", "-folder", "/tmp"],
      environment: ["SERVER_FOLDER": "/var", "SERVER_MAINTENANCE": "NO"], in: folder)
    try await Visitor.visit(port: server.port, token: server.token) { visitor in
      for (key, value, source) in [
        ("theme", "dark", "managed"), ("greeting", "m", "managed"),
        ("folder", "/tmp", "launch argument"), ("maintenance", "false", "environment"),
        ("cacheSeconds", "4", "stored"),
      ] {
        let answer = try await visitor.get("/settings/\(key)")
        XCTAssertTrue(answer.text.contains("\"source\":\"\(source)\""), answer.text)
        XCTAssertTrue(answer.text.contains("\"text\":\"\(value)"), answer.text)
      }
      let greeting = try await visitor.get("/")
      XCTAssertEqual(greeting.text, "m\n")
    }
    XCTAssertEqual(server.stop(), 0)
    XCTAssertTrue(try server.log.contains("key=cache Second"))
  }

  func testOnlyTheAddressThatIsPrintedOpensThePage() async throws {
    let folder = try Folder()
    let server = try ServerProcess(in: folder)
    try await Visitor.visit(port: server.port) { visitor in
      for path in ["/settings", "/settings/greeting", "/settings/events"] {
        let answer = try await visitor.get(path)
        XCTAssertEqual(answer.status, .unauthorized, path)
      }
      let open = try await visitor.get("/settings?token=\(server.token)")
      XCTAssertEqual(open.status, .seeOther)
      let cookie = try XCTUnwrap(open.headers[.setCookie]?.split(separator: ";").first)
      let page = try await visitor.get(
        try XCTUnwrap(open.headers[.location]), headers: [.cookie: String(cookie)])
      XCTAssertEqual(page.status, .ok)
      XCTAssertTrue(page.text.contains("<h1>Server settings</h1>"))
    }
    XCTAssertEqual(server.stop(), 0)
    XCTAssertFalse(try server.log.contains(server.token))
    let fixed = try ServerProcess(
      environment: ["SETTINGS_PAGE_TOKEN": "of-the-deployment-1"], in: folder)
    XCTAssertTrue(fixed.address.hasSuffix("/settings"), fixed.address)
    try await Visitor.visit(port: fixed.port, token: "of-the-deployment-1") { visitor in
      let answer = try await visitor.get("/settings/greeting")
      XCTAssertEqual(answer.status, .ok)
    }
    XCTAssertEqual(fixed.stop(), 0)
  }

  func testAConfigMapThatIsReplacedGovernsTheNextRequest() async throws {
    let folder = try Folder()
    // As Kubernetes mounts one: the link in the middle is replaced.
    let mount = folder.url.appending(path: "xdg")
    for version in ["one", "two"] {
      try folder.write(
        "<plist version=\"1.0\"><dict><key>greeting</key><string>\(version)</string></dict></plist>",
        to: "xdg/..\(version)/typed-defaults-server.managed.plist")
    }
    @Sendable func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: mount.appending(path: name).path, withDestinationPath: target)
    }
    try link("..data", to: "..one")
    try link(
      "typed-defaults-server.managed.plist", to: "..data/typed-defaults-server.managed.plist")
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
    try await Visitor.visit(port: server.port, token: server.token) { visitor in
      let events = try await EventReader(port: server.port, token: server.token)
      _ = try await events.read(until: "\n\n")
      let answer = try await visitor.put("greeting", "the last words")
      XCTAssertEqual(answer.status, .ok)
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
      to: "config/typed-defaults-server.plist")
    let server = try ServerProcess(in: folder)
    try await Visitor.visit(port: server.port, token: server.token) { visitor in
      _ = try await visitor.get("/settings")
    }
    let line = try server.log.split(separator: "\n").first { $0.contains("purple") } ?? ""
    XCTAssertTrue(line.contains("warning settings:"), String(line))
    XCTAssertTrue(line.contains("key=theme kind=undecodableValue"), String(line))
    XCTAssertEqual(server.stop(), 0)
    // A file that is no property list is an error.
    try folder.write("damaged", to: "config/typed-defaults-server.plist")
    let next = try ServerProcess(in: folder)
    let log = try next.log
    XCTAssertTrue(log.contains("error settings: key=- kind=damagedFile"), log)
    XCTAssertEqual(next.stop(), 0)
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
