import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// Links lead somewhere, samples of comments compile, and messages are those of the library.
final class DocumentationTests: XCTestCase {
  /// Compiles the samples of all documentation comments as one program, each in a scope of its own.
  func testTheSamplesOfEverySymbolCompile() throws {
    let samples = try Page.sources().flatMap(\.samples).filter { !$0.isForeign }
    XCTAssertGreaterThan(samples.count, 20)
    func errors(_ samples: [Sample]) throws -> String {
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

  func testTheLinksOfEveryPageLeadSomewhere() throws {
    let pages = try Page.readable() + [Page("CONTRIBUTING.md")]
    let names = Set(pages.map(\.name))
    var count = 0
    for page in pages {
      let text = page.text.replacing(/`{3}.*?\n *`{3}/.dotMatchesNewlines(), with: "")
        .replacing(/`+[^`]*`+/, with: "code")
      let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for link in flat.matches(of: /\]\(doc:(\w+)\)|<doc:(\w+)>/) {
        XCTAssertTrue(names.contains(String(link.1 ?? link.2 ?? "")), "\(page.name): \(link.0)")
        count += 1
      }
      let targets = flat.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
      for target in targets where !target.hasPrefix("doc:") && !target.contains("://") {
        let file = page.url.deletingLastPathComponent().appending(path: target)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        XCTAssertTrue(isThere, "\(page.name): \(target)")
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 30)
  }

  func testTheReadmeListsAllArticlesInTheOrderOfTheLandingPage() throws {
    let listed = try Page("README.md").text
      .matches(of: #/\n- \[(.+?)\]\(.+\.docc/(\w+)\.md\): /#)
    let landing = try Page.article("TypedDefaults").text
    XCTAssertEqual(landing.matches(of: #/\n- <doc:(\w+)>/#).map(\.1), listed.map(\.2))
    for (_, title, name) in listed.map(\.output) {
      XCTAssertTrue(try Page.article(String(name)).text.hasPrefix("# \(title)\n"), "\(title)")
    }
    let articles = Set(try Page.readable().map(\.name)).subtracting(["README", "TypedDefaults"])
    XCTAssertEqual(articles, Set(listed.map { String($0.2) }))
    // A title that a group of topics has too stands twice in the sidebar.
    XCTAssertEqual(Set(listed.map(\.1)).filter { landing.contains("### \($0)\n") }, [])
  }

  /// The articles are as long as a person reads in an hour, and the README in five minutes.
  func testThePagesAreShort() throws {
    let words = try Page.readable().map { ($0.name, $0.text.split(whereSeparator: \.isWhitespace)) }
    let articles = words.filter { !["README", "TypedDefaults"].contains($0.0) }
    XCTAssertLessThanOrEqual(articles.map(\.1.count).reduce(0, +), 10_500)
    XCTAssertLessThanOrEqual(words.first { $0.0 == "README" }?.1.count ?? .max, 1_000)
  }

  /// A phone shows no more columns.
  func testSamplesAreNarrow() throws {
    for page in try Page.readable() + Page.sources() {
      for line in page.samples.flatMap(\.lines) {
        XCTAssertLessThanOrEqual(line.count, 60, "\(page.name): \(line)")
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
    let pages = try [Page("README.md"), .article("StoredForms")]
    for (page, message) in zip(pages, messages) {
      let onOneLine = page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      XCTAssertTrue(onOneLine.contains(message), "\(page.name): \(message)")
    }
    XCTAssertEqual(messages.count, 2)
  }
}
