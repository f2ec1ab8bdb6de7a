import Foundation
import HTTPTypes
import Hummingbird
import SettingsServer
import XCTest

/// The server behind the proxies whose configurations lie in `Deployment`.
final class ProxyTests: XCTestCase {
  func testBehindNginx() async throws {
    try await check("nginx", file: "nginx.conf") { configuration, folder, port, upstream in
      let site = configuration.replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
        .split(separator: "\n").filter { !$0.contains("ssl_certificate") }.joined(separator: "\n")
        .replacing("127.0.0.1:8080", with: "127.0.0.1:\(upstream)")
      let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(folder.url.path)/\($0);" }.joined(separator: " ")
      let file = try folder.write(
        """
        daemon off; master_process off; pid \(folder.url.path)/pid; error_log stderr; events {}
        http { access_log off; \(paths)
        \(site) }
        """, to: "nginx.conf")
      return ["-p", folder.url.path, "-c", file.path]
    }
  }

  func testBehindCaddy() async throws {
    try await check("caddy", file: "Caddyfile") { configuration, folder, port, upstream in
      let site = configuration.replacing("\nsettings.example {", with: "\nhttp://:\(port) {")
        .replacing("127.0.0.1:8080", with: "127.0.0.1:\(upstream)")
      let file = try folder.write("{\n\tadmin off\n\tauto_https off\n}\n\(site)", to: "Caddyfile")
      return ["run", "--adapter", "caddyfile", "--config", file.path]
    }
  }

  private func check(
    _ name: String, file: String,
    _ arguments: (_ file: String, Folder, _ port: Int, _ upstream: Int) throws -> [String]
  ) async throws {
    guard let program = Browser.program(name) else { throw XCTSkip("\(name) is not installed") }
    let folder = try Folder()
    let server = try ServerProcess(["--behind-tls", "--name", "settings.example"], in: folder)
    let deployment = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Deployment/\(file)")
    let port = try Self.freePort()
    let proxy = Process()
    proxy.executableURL = URL(filePath: program)
    proxy.arguments = try arguments(
      String(contentsOf: deployment, encoding: .utf8), folder, port, server.port)
    proxy.environment = ["HOME": folder.url.path, "PATH": "/usr/bin:/bin"]
    proxy.standardError = try FileHandle(forWritingTo: folder.write("", to: "log"))
    try proxy.run()
    defer { kill(proxy.processIdentifier, SIGKILL) }
    let end = ContinuousClock.now + .seconds(10)
    while (try? await EventReader(port: port, path: "/")) == nil {
      guard .now < end, proxy.isRunning else {
        return XCTFail(try String(contentsOf: folder.url.appending(path: "log"), encoding: .utf8))
      }
      try await Task.sleep(for: .milliseconds(20))
    }

    try await Visitor.visit(port: port, host: "settings.example") { visitor in
      // Nobody is let in because the proxy comes from this machine.
      for path in ["/settings", "/settings/greeting", "/settings/export"] {
        let answer = try await visitor.get(path)
        XCTAssertEqual(answer.status, .unauthorized, path)
      }
      let open = try await visitor.get("/settings?token=\(server.token)")
      XCTAssertEqual(open.status, .seeOther)
      let cookie = open.headers[.setCookie] ?? ""
      XCTAssertTrue(cookie.hasSuffix("; Secure"), cookie)
      for (origin, status) in [
        ("https://settings.example", .ok), ("http://settings.example", .forbidden),
        ("https://evil.example", .forbidden),
      ] as [(String, HTTPResponse.Status)] {
        let answer = try await visitor.send(
          .put, "/settings/cacheSeconds",
          headers: [
            .cookie: String(cookie.prefix { $0 != ";" }), .origin: origin,
            .contentType: "application/json",
          ], body: ByteBuffer(string: "{\"text\":\"7\"}"))
        XCTAssertEqual(answer.status, status, origin)
      }
    }
    let events = try await EventReader(port: port, token: server.token, host: "settings.example")
    _ = try await events.read(until: "event: page")
    let start = ContinuousClock.now
    try await Visitor.visit(port: port, token: server.token, host: "settings.example") { visitor in
      let answer = try await visitor.put("cacheSeconds", "4321")
      XCTAssertEqual(answer.status, .ok)
    }
    let event = try await events.read(until: "4321")
    XCTAssertNotNil(event)
    XCTAssertLessThan(.now - start, .seconds(1))
    XCTAssertEqual(server.stop(), 0)
  }

  /// Returns a port that nobody listens on now.
  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(descriptor, address, length)
        getsockname(descriptor, address, &length)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
  }
}
