import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import SettingsServer
import XCTest

/// The server in this process, on a port of its own.
struct TestServer {
  let settings: ServerSettings
  let port: Int

  /// Runs a server while a function tests it.
  static func run(
    in store: UserDefaults = .inMemory(), site: (any SiteValues)? = nil,
    options: ServerOptions = .init(),
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    let settings = ServerSettings(in: store)
    var options = options
    options.port = 0
    let server = SettingsServer.make(
      settings, in: store, options: options, site: site, logger: logger)
    try await server.test(.live) { client in
      try await body(TestServer(settings: settings, port: client.port!))
    }
  }

  /// Lets somebody visit the server, over one connection.
  func visit(
    host: String = "localhost", _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    try await Visitor.visit(port: port, host: host, body)
  }
}

/// What a visitor was answered.
struct Answer {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let text: String

  /// Returns markup with what was escaped in it.
  static func unescaped(_ text: String) -> String {
    text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  /// The element of a setting.
  func row(_ key: String) -> String {
    text.firstRange(of: "id=\"row-\(key)\"").map { start in
      let rest = text[start.lowerBound...]
      return String(rest[..<(rest.firstRange(of: "</li>")?.lowerBound ?? rest.endIndex)])
    } ?? ""
  }
}

/// A browser without scripts: it keeps a cookie, and sends the token of the page that it saw last.
final class Visitor: @unchecked Sendable {  // One task uses it.
  private let client: TestClient
  private let host: String
  var cookie: String?
  var token: String?

  private init(_ client: TestClient, host: String) {
    (self.client, self.host) = (client, host)
  }

  static func visit(
    port: Int, host: String = "localhost",
    _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
      try await body(Visitor(client, host: host))
    }
  }

  func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
    try await send(.get, path, headers: headers)
  }

  /// Loads the settings page, as everybody does who changes something.
  @discardableResult
  func open() async throws -> Answer { try await get("/settings") }

  /// Sends a form, with the token of the page unless the fields have another.
  func post(
    _ path: String, _ fields: [String: String], headers: HTTPFields = [:]
  ) async throws -> Answer {
    var fields = fields
    fields["token"] = fields["token"] ?? token
    let body = fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await send(.post, path, headers: headers, body: ByteBuffer(string: body))
  }

  func set(_ key: String, _ text: String, headers: HTTPFields = [:]) async throws -> Answer {
    try await post("/settings/set", ["key": key, "text": text], headers: headers)
  }

  /// Sends a file as a browser does.
  func upload(_ file: Data) async throws -> Answer {
    let boundary = "----boundary\(UUID())"
    var body = ByteBuffer()
    body.writeString(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(token ?? "")\r\n")
    body.writeString(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.plist\"\r\n")
    body.writeString("Content-Type: application/xml\r\n\r\n")
    body.writeBytes(file)
    body.writeString("\r\n--\(boundary)--\r\n")
    return try await send(
      .post, "/settings/import",
      headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
      body: body)
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: ByteBuffer? = nil
  ) async throws -> Answer {
    var headers = headers
    if let cookie { headers[.cookie] = cookie }
    let response = try await client.execute(
      .init(path, method: method, authority: host, headers: headers, body: body))
    if let set = response.headers[.setCookie] {
      cookie = String(set.prefix { $0 != ";" })
    }
    let answer = Answer(
      status: response.status, headers: response.headers,
      text: response.body.map { String(buffer: $0) } ?? "")
    if let found = answer.text.firstMatch(of: /name="token" value="([^"]+)"/) {
      token = String(found.1)
    }
    return answer
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
  }
}

/// A folder that ends with its owner.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "SettingsServerTests-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ text: String, to name: String) throws -> URL {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }
}
