import Foundation
import Hummingbird
import HummingbirdTesting
import XCTest

/// Chromium without a window, driven by its WebDriver.
final class Browser: @unchecked Sendable {  // One test uses it.
  private let driver = Process()
  private let profile: Folder
  private let port: Int
  private var session = ""

  /// Runs a browser while a function uses it. Skips the test where there is none.
  static func run(
    width: Int = 1_000, height: Int = 1_600,
    _ body: @escaping @Sendable (Browser) async throws -> Void
  ) async throws {
    let (driver, chromium) = try programs()
    let browser = try Browser(driver)
    let options: [String: Any] = [
      "binary": chromium,
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--disable-dev-shm-usage",
        "--user-data-dir=\(browser.profile.url.path)", "--window-size=\(width),\(height)",
      ],
    ]
    let capabilities = ["alwaysMatch": ["browserName": "chrome", "goog:chromeOptions": options]]
    let session = try await browser.command(.post, "", ["capabilities": capabilities])
    browser.session = (session as? [String: Any])?["sessionId"] as? String ?? ""
    do {
      try await body(browser)
    } catch {
      _ = try? await browser.command(.delete, "")
      throw error
    }
    _ = try? await browser.command(.delete, "")
  }

  /// Skips the test where there is no browser.
  static func programs() throws -> (driver: String, chromium: String) {
    guard let driver = program("chromedriver"), let chromium = program("chromium") else {
      throw XCTSkip("Chromium and its driver are not installed")
    }
    return (driver, chromium)
  }

  static func program(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  private init(_ path: String) throws {
    // The path of its socket has room for no longer directory.
    profile = try Folder(in: URL(filePath: "/tmp"))
    let output = Pipe()
    driver.executableURL = URL(filePath: path)
    driver.arguments = ["--port=0"]
    // Otherwise it writes its reports into the user's own folder.
    let path = profile.url.path
    let own = ["HOME": path, "XDG_CONFIG_HOME": path, "TMPDIR": path]
    driver.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
    (driver.standardOutput, driver.standardError) = (output, FileHandle.nullDevice)
    try driver.run()
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      text += String(decoding: data, as: UTF8.self)
      if let port = text.firstMatch(of: /successfully on port ([0-9]+)/).flatMap({ Int($0.1) }) {
        self.port = port
        return
      }
      if data.isEmpty { throw XCTSkip("The WebDriver does not start: \(text)") }
    }
  }

  deinit {
    kill(driver.processIdentifier, SIGKILL)
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  @discardableResult
  private func command(
    _ method: HTTPRequest.Method, _ path: String, _ body: [String: Any] = [:]
  ) async throws -> Any {
    let path = "/session" + (session.isEmpty ? "" : "/\(session)") + path
    let body = try JSONSerialization.data(withJSONObject: body)
    let response = try await TestClient.withClient(
      host: "127.0.0.1", port: port, configuration: .init(timeout: .seconds(40))
    ) { client in
      try await client.execute(
        .init(
          path, method: method, authority: "localhost",
          headers: [.contentType: "application/json"],
          body: method == .post ? ByteBuffer(bytes: body) : nil))
    }
    let answer = Data((response.body ?? ByteBuffer()).readableBytesView)
    guard let json = try JSONSerialization.jsonObject(with: answer) as? [String: Any],
      response.status == .ok, let value = json["value"]
    else {
      throw Failure(description: "\(path): \(String(decoding: answer, as: UTF8.self).prefix(400))")
    }
    return value
  }

  func open(_ url: String) async throws {
    try await command(.post, "/url", ["url": url])
  }

  func resize(width: Int, height: Int) async throws {
    try await command(.post, "/window/rect", ["width": width, "height": height])
  }

  func turnScriptsOff() async throws {
    try await execute("Emulation.setScriptExecutionDisabled", ["value": true])
  }

  /// Shows the page as for somebody who has chosen the colors of all programs.
  func forceColors() async throws {
    let feature = ["name": "forced-colors", "value": "active"]
    try await execute("Emulation.setEmulatedMedia", ["features": [feature]])
  }

  private func execute(_ name: String, _ parameters: [String: Any]) async throws {
    try await command(.post, "/goog/cdp/execute", ["cmd": name, "params": parameters])
  }

  /// Opens an address in a tab of its own, and returns the tab.
  func openTab(_ url: String) async throws -> String {
    let value = try await command(.post, "/window/new", ["type": "tab"]) as? [String: String]
    let tab = value?["handle"] ?? ""
    try await choose(tab: tab)
    try await open(url)
    return tab
  }

  func choose(tab: String) async throws {
    try await command(.post, "/window", ["handle": tab])
  }

  var tab: String {
    get async throws { try await command(.get, "/window") as? String ?? "" }
  }

  /// Clicks an element as a person does.
  func click(_ selector: String) async throws {
    try await command(.post, "/element/\(element(selector))/click")
  }

  /// Types into an element, in place of its text.
  func type(_ text: String, into selector: String) async throws {
    let element = try await element(selector)
    try await command(.post, "/element/\(element)/clear")
    try await command(.post, "/element/\(element)/value", ["text": text])
  }

  /// Presses keys where the focus is.
  func press(_ keys: String) async throws {
    let actions = keys.flatMap { key in
      ["keyDown", "keyUp"].map { ["type": $0, "value": String(key)] }
    }
    let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
    try await command(.post, "/actions", ["actions": [keyboard]])
  }

  static let enter = "\u{E007}"
  static let tabulator = "\u{E004}"
  static let down = "\u{E015}"
  static let escape = "\u{E00C}"

  private func element(_ selector: String) async throws -> String {
    let value = try await command(
      .post, "/element", ["using": "css selector", "value": selector])
    return (value as? [String: String])?.values.first ?? ""
  }

  /// Returns the result of an expression as text.
  func value(_ expression: String) async throws -> String {
    let result = try await command(
      .post, "/execute/sync", ["script": "return String(\(expression))", "args": []])
    return result as? String ?? ""
  }

  /// Waits until an expression is true, and returns the time.
  @discardableResult
  func wait(
    for expression: String, file: StaticString = #filePath, line: UInt = #line
  ) async throws -> Duration {
    let start = ContinuousClock.now
    while try await value(expression) != "true" {
      guard .now - start < .seconds(10) else {
        XCTFail("\(expression) is still \(try await value(expression))", file: file, line: line)
        break
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return .now - start
  }

  /// Keeps a picture in the folder that a variable names, so that a person can look at it.
  func keepPicture(_ name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["SERVER_PICTURES"] else { return }
    let picture = try await command(.get, "/screenshot") as? String ?? ""
    try Data(base64Encoded: picture)?.write(to: URL(filePath: "\(folder)/\(name).png"))
  }
}
