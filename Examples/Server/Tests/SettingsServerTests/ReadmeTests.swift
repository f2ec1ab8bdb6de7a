import Foundation
import XCTest

/// The program that README.md shows.
final class ReadmeTests: XCTestCase {
  func testItServesThePageAndEndsBySIGTERM() async throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func text(_ path: String) throws -> String {
      try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }
    let blocks = try text("README.md")
      .matches(of: /```swift\n(import .+?)\n```/.dotMatchesNewlines()).map { String($0.1) }
    XCTAssertEqual(blocks.count, 2)
    let source = try text("Tests/SamplePage/main.swift")
    XCTAssertTrue(source.hasSuffix("\n\n\(blocks.joined(separator: "\n\n"))\n"), source)

    let folder = try Folder()
    let server = try ServerProcess(program: "SamplePage", port: "-port", in: folder)
    try await Visitor.visit(port: server.port, token: server.token) { visitor in
      let answer = try await visitor.send(
        .put, "/settings/greeting", headers: [.contentType: "application/json"],
        body: .init(string: "{\"text\":\"Hi\"}"))
      XCTAssertEqual(answer.status, .ok, answer.text)
    }
    XCTAssertEqual(server.stop(), 0)
    let file = try Data(contentsOf: folder.url.appending(path: "config/SamplePage.plist"))
    let stored = try PropertyListSerialization.propertyList(from: file, format: nil)
    XCTAssertEqual(stored as? [String: String], ["greeting": "Hi"])
  }
}
