import Foundation
import Synchronization
import TypedDefaults
import XCTest

/// The code blocks of a page are one program, which compiles without an error or a warning.
///
/// The messages on a page are those of the library.
final class DocumentationTests: XCTestCase {
  func testTheCodeOfEveryPageCompiles() throws {
    let pages = try Self.pages()
    XCTAssertGreaterThanOrEqual(pages.count, 9)
    let folders = try pages.map { _ in try makeTemporaryFolder() }
    let results = Mutex<[String: Result<String, any Error>]>([:])
    let blockCount = Mutex(0)
    // Two at a time: a compiler takes a core.
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    for (page, folder) in zip(pages, folders) {
      queue.addOperation {
        let result = Result {
          let blocks = try Self.swiftBlocks(of: page).filter { !$0.isForeign }
          blockCount.withLock { $0 += blocks.count }
          return try Compiler.diagnostics(
            of: [blocks.map(\.sourceWithLocation).joined(separator: "\n")], in: folder)
        }
        results.withLock { $0[page.path] = result }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    for (page, result) in results.withLock({ $0 }) {
      XCTAssertEqual(try result.get(), "", page)
    }
    XCTAssertGreaterThan(blockCount.withLock { $0 }, 25)
  }

  func testThePagesQuoteMessagesAsTheyAreReported() throws {
    enum Theme: String, CaseIterable, UserDefaultsSerializable { case system, light, dark }
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    store.set("purple", forKey: "theme")
    _ = WrappedDefault(wrappedValue: Theme.system, "theme", userDefaults: store).wrappedValue
    store.set("loud", forKey: "volume")
    _ = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store).wrappedValue
    let messages = recorder.take().map(\.description)
    for (page, message) in zip(["README.md", "WhenAStoredValueIsWrong.md"], messages) {
      let page = try XCTUnwrap(Self.pages().first { $0.lastPathComponent == page })
      let text = try String(contentsOf: page, encoding: .utf8)
      let onOneLine = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      XCTAssertTrue(onOneLine.contains(message), "\(page.path): \(message)")
    }
    XCTAssertEqual(messages.count, 2)
  }

  private static func pages() throws -> [URL] {
    let articles = try FileManager.default.contentsOfDirectory(
      at: Compiler.package.appendingPathComponent("Sources/TypedDefaults/Documentation.docc"),
      includingPropertiesForKeys: nil)
    let others = ["README.md", "CONTRIBUTING.md"].map(Compiler.package.appendingPathComponent)
    return others + articles.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
  }

  private struct Block {
    let page: String
    let line: Int
    var lines: [Substring] = []

    /// The compiler's messages name the page and the line in it.
    var sourceWithLocation: String {
      "#sourceLocation(file: \"\(page)\", line: \(line))\n\(lines.joined(separator: "\n"))"
    }

    /// Whether it is a manifest, or needs a module that is not here.
    var isForeign: Bool {
      lines.first == "// Package.swift" || lines.contains("import Logging")
        || lines.contains("import EtcdDefaults") || lines.contains("import XCTest")
        || lines.contains("import SwiftUI") && !hasSwiftUI
    }

    #if canImport(SwiftUI)
      private var hasSwiftUI: Bool { true }
    #else
      private var hasSwiftUI: Bool { false }
    #endif
  }

  private static func swiftBlocks(of page: URL) throws -> [Block] {
    var blocks: [Block] = []
    var current: Block?
    let text = try String(contentsOf: page, encoding: .utf8)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let fence = line.drop { $0 == " " }
      if fence.hasPrefix("```swift"), current == nil {
        current = Block(page: page.path, line: index + 2)
      } else if fence == "```", let block = current {
        blocks.append(block)
        current = nil
      } else {
        current?.lines.append(line)
      }
    }
    return blocks
  }
}
