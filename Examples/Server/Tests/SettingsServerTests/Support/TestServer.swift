import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import SettingsPage
import SettingsServer
import TypedDefaults
import XCTest

/// The server in this process, on a port of its own.
struct TestServer {
  static let token = "a-token-of-the-tests"

  let settings: ServerSettings
  let port: Int

  /// Runs a server while a function tests it.
  static func run(
    in store: UserDefaults = .inMemory(), _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    let settings = ServerSettings(in: store)
    var options = ServerOptions()
    options.port = 0
    let server = SettingsServer.make(
      settings, in: store, options: options,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      authorize: .token(PageToken(token)!))
    try await server.test(.live) { client in
      try await body(TestServer(settings: settings, port: client.port!))
    }
  }

  /// Lets somebody visit the server, over one connection.
  func visit(_ body: @escaping @Sendable (Visitor) async throws -> Void) async throws {
    try await Visitor.visit(port: port, token: Self.token, body)
  }
}

/// What a visitor was answered.
struct Answer {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let text: String
}

/// A program that asks a server.
struct Visitor {
  private let client: TestClient
  private let token: String?
  private let host: String

  static func visit(
    port: Int, token: String? = nil, host: String = "localhost",
    _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
      try await body(Visitor(client: client, token: token, host: host))
    }
  }

  func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
    try await send(.get, path, headers: headers)
  }

  func put(_ key: String, _ text: String) async throws -> Answer {
    let body = try JSONEncoder().encode(["text": text])
    return try await send(
      .put, "/settings/\(key)", headers: [.contentType: "application/json"],
      body: ByteBuffer(bytes: body))
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: ByteBuffer? = nil
  ) async throws -> Answer {
    var headers = headers
    if let token, headers[.authorization] == nil { headers[.authorization] = "Bearer \(token)" }
    let response = try await client.execute(
      .init(path, method: method, authority: host, headers: headers, body: body))
    return Answer(
      status: response.status, headers: response.headers,
      text: response.body.map { String(buffer: $0) } ?? "")
  }
}

/// A folder that ends with its owner.
final class Folder: Sendable {
  let url: URL

  init(in directory: URL = FileManager.default.temporaryDirectory) throws {
    url = directory.appending(path: "SettingsServerTests-\(UUID())")
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
