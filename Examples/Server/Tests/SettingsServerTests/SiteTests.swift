import Foundation
import HTTPTypes
import Hummingbird
import SettingsServer
import TypedDefaults
import XCTest

/// The settings that govern a request are those at its beginning, and no file outside the
/// folder is served.
final class SiteTests: XCTestCase {
  func testEachRequestUsesTheSettingsOfThatMoment() async throws {
    let folder = try Folder()
    try folder.write("one", to: "a.txt")
    let other = try Folder()
    try other.write("two", to: "a.txt")
    try await TestServer.run { server in
      let site = server.settings
      try await server.visit { visitor in
        var answer = try await visitor.get("/")
        XCTAssertEqual(answer.text, "\(site.greeting)\n")
        site.greeting = "Good morning"
        answer = try await visitor.get("/")
        XCTAssertEqual(answer.text, "Good morning\n")

        site.folder = folder.url
        answer = try await visitor.get("/a.txt")
        XCTAssertEqual(answer.text, "one")
        XCTAssertEqual(answer.headers[.cacheControl], "max-age=60")
        XCTAssertEqual(answer.headers[.contentType], "text/plain; charset=utf-8")
        site.folder = other.url
        site.cacheSeconds = 5
        answer = try await visitor.get("/a.txt")
        XCTAssertEqual(answer.text, "two")
        XCTAssertEqual(answer.headers[.cacheControl], "max-age=5")
      }
    }
  }

  func testMaintenanceClosesAllButTheSettingsPage() async throws {
    try await TestServer.run { server in
      server.settings.maintenance = true
      try await server.visit { visitor in
        for path in ["/", "/a.txt", "/settingsX"] {
          let answer = try await visitor.get(path)
          XCTAssertEqual(answer.status, .serviceUnavailable, path)
          XCTAssertNotNil(answer.headers[.retryAfter])
        }
        let answer = try await visitor.put("maintenance", "false")
        XCTAssertEqual(answer.status, .ok)
        let greeting = try await visitor.get("/")
        XCTAssertEqual(greeting.status, .ok)
      }
    }
  }

  func testFilesAreServedWholeAndByTag() async throws {
    let folder = try Folder()
    let long = String((0..<60_000).map { "\($0) " }.joined())
    try folder.write(long, to: "long.html")
    try folder.write("", to: "empty.css")
    try folder.write("home", to: "docs/index.html")
    try await TestServer.run { server in
      server.settings.folder = folder.url
      try await server.visit { visitor in
        var answer = try await visitor.get("/long.html")
        XCTAssertEqual(answer.text, long)
        XCTAssertEqual(answer.headers[.contentLength], "\(long.utf8.count)")
        let tag = try XCTUnwrap(answer.headers[.eTag])
        answer = try await visitor.get("/long.html", headers: [.ifNoneMatch: tag])
        XCTAssertEqual(answer.status, .notModified)
        answer = try await visitor.get("/empty.css")
        XCTAssertEqual(answer.status, .ok)
        XCTAssertEqual(answer.text, "")
        answer = try await visitor.get("/docs/")
        XCTAssertEqual(answer.text, "home")
        answer = try await visitor.get("/docs")
        XCTAssertEqual(answer.status, .notFound)
        try folder.write("changed", to: "long.html")
        answer = try await visitor.get("/long.html", headers: [.ifNoneMatch: tag])
        XCTAssertEqual(answer.text, "changed")
      }
    }
  }

  func testNoPathLeadsOutOfTheFolder() async throws {
    let outside = try Folder()
    try outside.write("secret", to: "secret.txt")
    try outside.write("secret", to: "public-too/secret.txt")
    try outside.write("inside", to: "public/real.txt")
    try outside.write("hidden", to: "public/.env")
    let folder = outside.url.appending(path: "public")
    let manager = FileManager.default
    for (name, target) in [
      "up": "..", "file": "../secret.txt", "absolute": outside.url.path, "inside": "real.txt",
      "loop": "loop",
    ] {
      try manager.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: target)
    }
    XCTAssertEqual(mkfifo(folder.appending(path: "pipe").path, 0o600), 0)
    try await TestServer.run { server in
      server.settings.folder = folder
      try await server.visit { visitor in
        for path in [
          "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/.%2e/secret.txt",
          "/%2e%2e%2fsecret.txt", "/x/../../secret.txt", "/up/secret.txt", "/file",
          "/absolute/secret.txt",
          "/..%5csecret.txt", "/real.txt%00.png", "/%00", "//secret.txt",
          "/../public-too/secret.txt",
          "/up/public-too/secret.txt", "/.env", "/%2eenv", "/pipe", "/loop", "/%ff", "/%zz", "/up",
          "/.",
          "/real.txt/", "/\(outside.url.path)/secret.txt",
          "/" + String(repeating: "a/", count: 4_000),
          "/%252e%252e/secret.txt", "http://localhost/../secret.txt",
        ] {
          let answer = try await visitor.get(path)
          XCTAssertEqual(answer.status, .notFound, path)
          XCTAssertFalse(answer.text.contains("secret"), path)
        }
        for path in ["/real.txt", "/inside", "/r%65al.txt", "/real.txt?x=../.."] {
          let answer = try await visitor.get(path)
          XCTAssertEqual(answer.text, "inside", path)
        }
      }
    }
  }

  func testAPageOfTheFolderCannotActAsTheSettingsPage() async throws {
    let folder = try Folder()
    try folder.write("<script>fetch('/settings')</script>", to: "a.html")
    try await TestServer.run { server in
      server.settings.folder = folder.url
      try await server.visit { visitor in
        let answer = try await visitor.get("/a.html")
        let policy = answer.headers[.contentSecurityPolicy] ?? ""
        XCTAssertTrue(policy.hasPrefix("sandbox"))
        XCTAssertFalse(policy.contains("allow-same-origin"))
      }
    }
  }

  func testNoFileBesideTheStoresIsServed() async throws {
    let folder = try Folder()
    for name in ["store.plist", "store.plist.damaged-1", "other.plist", "www/a.txt"] {
      try folder.write("<plist version=\"1.0\"><dict/></plist>", to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "www/link").path, withDestinationPath: "../store.plist")
    let store = UserDefaults.saved(suiteName: folder.url.appending(path: "store").path)
    try await TestServer.run(in: store) { server in
      server.settings.folder = folder.url
      try await server.visit { visitor in
        for path in ["/store.plist", "/store.plist.damaged-1", "/other.plist", "/www/link"] {
          let answer = try await visitor.get(path)
          XCTAssertEqual(answer.status, .notFound, path)
        }
        let answer = try await visitor.get("/www/a.txt")
        XCTAssertEqual(answer.status, .ok)
      }
    }
  }
}
