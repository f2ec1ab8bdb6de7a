import Foundation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

/// The code blocks of a page are one program, which compiles without an error or a warning.
///
/// The messages on a page are those of the library.
final class DocumentationTests: XCTestCase {
  func testTheCodeOfEveryPageCompiles() throws {
    let pages = try Self.pages()
    XCTAssertGreaterThanOrEqual(pages.count, 9)
    let folders = try pages.map { _ in try makeTemporaryFolder() }
    let results = TestMutex<[String: Result<String, any Error>]>([:])
    let blockCount = TestMutex(0)
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

  /// Compiles the samples of all documentation comments as one program, each in a scope of its own.
  func testTheSamplesOfEverySymbolCompile() throws {
    let samples = try Self.sources().flatMap { try Self.swiftBlocks(of: $0) }
      .filter { !$0.isForeign }
    XCTAssertGreaterThan(samples.count, 20)
    func errors(_ samples: [Block]) throws -> String {
      try Compiler.diagnostics(
        of: [([Self.assumedBySamples] + samples.map(\.scope)).joined(separator: "\n")],
        in: makeTemporaryFolder(), options: ["-suppress-warnings"])
    }
    XCTAssertEqual(try errors(samples), "")
    let broken = samples.enumerated().map { index, sample in
      var sample = sample
      sample.lines.append(sample.isOfMembers ? "let x = broken\(index)" : "broken\(index)()")
      return sample
    }
    let found = try errors(broken)
    for index in broken.indices { XCTAssertTrue(found.contains("'broken\(index)'"), "\(index)") }
  }

  /// The declarations that the samples of symbols take for granted.
  private static let assumedBySamples = """
    import Foundation
    import TypedDefaults
    #if canImport(SwiftUI)
      import SwiftUI
    #endif

    enum Theme: String, UserDefaultsSerializable { case system, light, dark }

    struct Settings: SettingsGroup {
      @WrappedDefault("theme") var theme = Theme.system
      @WrappedDefault("volume") var volume = 4
      @WrappedDefault("count") var count = 0
      @WrappedDefault("launchCount") var launchCount = 0
      @WrappedDefault("host") var host = ""
      @WrappedDefault("port") var port = 0
      @WrappedDefault("showsHints") var showsHints = true
      @WrappedDefaultOptional("nickname") var nickname: String?
      @WrappedDefaultOptional("nicknames") var nicknames: [String]?
    }

    typealias AppSettings = Settings
    typealias PaneSettings = Settings
    typealias Account = Settings
    let settings = Settings(in: .inMemory())
    let id = 1

    struct Player { func setVolume(_ volume: Int) {} }
    let player = Player()

    struct Logger: Sendable { func warning(_ message: String) {} }
    let logger = Logger()
    """

  /// A link to an article is readable by its text where `doc:` links lead nowhere. There a line of
  /// HTML, which the documentation leaves out, links the same articles.
  func testTheLinksOfEveryPageLeadSomewhere() throws {
    let pages = try Self.pages()
    let titles = try Dictionary(
      uniqueKeysWithValues: pages.map { page in
        let text = try String(contentsOf: page, encoding: .utf8)
        let title = text.prefix { $0 != "\n" }.drop { "# ".contains($0) }
        return (page.deletingPathExtension().lastPathComponent, String(title))
      })
    var count = 0
    for page in pages {
      let text = try String(contentsOf: page, encoding: .utf8)
        .replacing(/`{3}.*?\n *`{3}/.dotMatchesNewlines(), with: "")
        .replacing(/`+[^`]*`+/, with: "code")
      let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      var named: Set<String> = []
      for link in flat.matches(of: /\[([^\]]+)\]\(doc:(\w+)\)|<doc:(\w+)>/) {
        let name = String(link.2 ?? link.3 ?? "")
        XCTAssertNotNil(titles[name], "\(page.lastPathComponent): \(link.0)")
        named.insert("\(name).md")
      }
      let targets = flat.matches(of: /\]\(([^)]+)\)|href="([^"]+)"/)
        .compactMap { ($0.1 ?? $0.2).map(String.init) }
        .filter { !$0.hasPrefix("doc:") && !$0.contains("://") }
      for target in targets {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false)
        let file =
          parts[0].isEmpty ? page : page.deletingLastPathComponent().appending(path: parts[0])
        let linked = try? String(contentsOf: file, encoding: .utf8)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        XCTAssertTrue(isThere, "\(page.lastPathComponent): \(target)")
        if parts.count == 2 {
          let anchors = (linked ?? "").matches(of: /\n#+ (.+)/).map {
            $0.1.lowercased().replacing(/[^\w -]/, with: "").replacing(" ", with: "-")
          }
          XCTAssertTrue(anchors.contains(String(parts[1])), "\(page.lastPathComponent): \(target)")
        }
        count += 1
      }
      XCTAssertEqual(named.subtracting(targets), [], page.lastPathComponent)
    }
    XCTAssertGreaterThan(count, 50)
  }

  func testTheReadmeListsAllArticlesInTheOrderOfTheLandingPage() throws {
    let pages = try Self.pages()
    func text(_ name: String) throws -> String {
      let page = try XCTUnwrap(pages.first { $0.lastPathComponent == name })
      return try String(contentsOf: page, encoding: .utf8)
    }
    let listed = try text("README.md").matches(of: #/\n- \[.+?\]\(.+/(\w+)\.md\): /#).map(\.1)
    let landing = try text("TypedDefaults.md")
    XCTAssertEqual(landing.matches(of: #/\n- <doc:(\w+)>/#).map(\.1), listed)
    XCTAssertEqual(landing.matches(of: #/href="(\w+)\.md"/#).map(\.1), listed)
    let articles = pages.map { $0.deletingPathExtension().lastPathComponent }
    let others = ["README", "CONTRIBUTING", "TypedDefaults"]
    XCTAssertEqual(Set(articles).subtracting(others), Set(listed.map(String.init)))
  }

  /// A page beside a list of all articles shows no more columns.
  func testSamplesAreNarrow() throws {
    for page in try Self.pages() + Self.sources() {
      for block in try Self.swiftBlocks(of: page) {
        for line in block.lines { XCTAssertLessThanOrEqual(line.count, 78, "\(page): \(line)") }
      }
    }
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

  private static func sources() throws -> [URL] {
    let folder = Compiler.package.appendingPathComponent("Sources/TypedDefaults")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }

  private struct Block {
    let page: String
    let line: Int
    var lines: [Substring] = []

    /// The compiler's messages name the page and the line in it.
    var sourceWithLocation: String {
      "#sourceLocation(file: \"\(page)\", line: \(line))\n\(lines.joined(separator: "\n"))"
    }

    /// Whether it is a part of a type's declaration.
    var isOfMembers: Bool {
      lines.first?.hasPrefix("@") == true || lines.first?.hasPrefix("static") == true
    }

    /// The sample in a scope of its own, where it may be in one.
    var scope: String {
      if isOfMembers { return "do { struct Members {\n\(sourceWithLocation)\n} }" }
      let isExtension = lines.contains { $0.hasPrefix("extension ") }
      return isExtension ? sourceWithLocation : "do {\n\(sourceWithLocation)\n}"
    }

    /// Whether it is a manifest, or needs a module that is not here.
    var isForeign: Bool {
      lines.first == "// Package.swift" || lines.contains("import Logging")
        || lines.contains("import EtcdDefaults") || lines.contains("import XCTest")
        || lines.contains("import Configuration")  // The example's own tests compile this one.
        || lines.contains("import SwiftUI") && !hasSwiftUI
        || page.hasSuffix("Binding.swift") && !hasSwiftUI
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
    let isSource = page.pathExtension == "swift"
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var line = line
      if isSource {
        guard let comment = line.wholeMatch(of: #/\s*/// ?(.*)/#) else { continue }
        line = comment.1
      }
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
