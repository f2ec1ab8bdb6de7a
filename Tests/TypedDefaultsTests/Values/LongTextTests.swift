import TypedDefaults
import XCTest

@testable import TestSupport

/// A long or deep text ends well, and soon.
final class LongTextTests: XCTestCase {
  private struct Tree: Codable, Equatable, UserDefaultsSerializable { var children: [Tree]? }

  private struct Settings: SettingsGroup {
    @WrappedDefault("name") var name = ""
    @WrappedDefault("count") var count = 0
    @WrappedDefault("ratio") var ratio = 0.0
    @WrappedDefault("price") var price = Decimal(0)
    @WrappedDefault("data") var data = Data()
    @WrappedDefault("date") var date = Date(timeIntervalSince1970: 0)
    @WrappedDefault("site") var site = URL(filePath: "/")
    @WrappedDefault("numbers") var numbers = [1]
    @WrappedDefault("names") var names = ["a"]
    @WrappedDefault("grid") var grid = [[1]]
    @WrappedDefault("levels") var levels = ["a": 1]
    @WrappedDefault("tree") var tree = Tree()
    @WrappedDefault("trees") var trees = [Tree()]
  }

  private let settings = Settings(in: .inMemory())

  private func nested(_ open: String, _ close: String, _ depth: Int) -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  /// Every type takes or refuses each text, and what is refused is undecodable.
  func testAMillionBracketsAndOtherLongTextsAreReadAsEveryTypeInTime() throws {
    let count = 1 << 14
    let texts = [
      nested("[", "]", 1 << 19), nested("(", ")", count), nested(#"{"a":"#, "}", count),
      nested("{a=", ";}", count), nested("<array>", "</array>", count), nested("<", ">", count),
      String(repeating: "[", count: count), String(repeating: "(", count: count),
      String(repeating: #"["a","#, count: count), "<\(String(repeating: "0f", count: count))",
      String(repeating: "7", count: count), "0.\(String(repeating: "7", count: count))x",
    ]
    let start = ContinuousClock.now
    for text in texts {
      for setting in settings.settings {
        do { try setting.set(text: text) } catch {
          XCTAssertEqual((error as? DefaultsIssue)?.kind, .undecodableValue, setting.key)
          XCTAssertLessThan("\(error)".count, 300)
        }
      }
      XCTAssertEqual(settings.name, text, "any text is a string")
    }
    // They take seconds; what grows faster than the text takes hours.
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(60))
  }

  func testATextIsReadAsDeepAsAPersonWouldNestIt() throws {
    try settings.$tree.set(
      text: String(repeating: #"{"children":["#, count: 32) + String(repeating: "]}", count: 32))
    var (depth, tree) = (0, settings.tree)
    while let child = tree.children?.first { (depth, tree) = (depth + 1, child) }
    XCTAssertEqual(depth, 31)
    for depth in [65, 513, 50_000] {
      for (open, close) in [
        ("[", "]"), ("(", ")"), (#"{"children":["#, "]}"), ("{a=", ";}"), ("<array>", "</array>"),
      ] {
        let text = nested(open, close, depth)
        for setting in [
          settings.$grid as any DeclaredSetting, settings.$levels, settings.$tree, settings.$trees,
        ] {
          XCTAssertThrowsError(try setting.set(text: text), "\(setting.key) \(depth) \(open)")
        }
      }
    }
  }

  /// Twice the text takes about twice the time. What is quadratic would take four times as long.
  func testTheTimeGrowsAsTheTextDoes() throws {
    func time(_ count: Int) throws -> Duration {
      let numbers = "[\(String(repeating: "1, ", count: count))1]"
      let names = "[\(String(repeating: #""a\n[", "#, count: count))\"\"]"
      let trees = "[\(String(repeating: #"{"children": [{}]}, "#, count: count / 16)){}]"
      return try (1...3).map { _ in
        try threadTime {
          try settings.$numbers.set(text: numbers)
          try settings.$names.set(text: names)
          try settings.$trees.set(text: trees)
          try settings.$name.set(text: numbers)
        }
      }.min()!
    }
    let (once, eightfold) = (try time(2_000), try time(16_000))
    XCTAssertLessThan(eightfold, once * 24)
  }

  /// What is quadratic in the depth takes hundreds of times as long.
  func testTheTimeDoesNotGrowWithTheDepth() throws {
    func text(_ open: String, _ close: String, depth: Int) -> String {
      let count = 12_000 / (depth * (open.utf8.count + close.utf8.count))
      return
        "[\(Array(repeating: nested(open, close, depth), count: count).joined(separator: ","))]"
    }
    for (open, close) in [("[", "]"), (#"{"children":["#, "]}")] {
      func time(_ depth: Int) -> Duration {
        let text = text(open, close, depth: depth)
        return threadTime { for setting in settings.settings { try? setting.set(text: text) } }
      }
      XCTAssertLessThan(time(30), time(2) * 8)
    }
  }

  func testAMessageNamesTheGreatestDepth() {
    XCTAssertThrowsError(try settings.$tree.set(text: nested(#"{"children":["#, "]}", 300))) {
      XCTAssertTrue("\($0)".contains("nested"), "\($0)")
    }
  }

  /// The object of a file that a person or another program has written.
  func testADeepObjectIsReportedAndEndsNoProgram() {
    let recorder = recordIssues()
    for (object, key) in [
      (nested("[", "]", 50_000) as Any, "text"), (Data(nested("[", "]", 50_000).utf8), "data"),
    ] {
      let store = UserDefaults.inMemory()
      store.set(object, forKey: key)
      XCTAssertNil(store.value(for: UserDefaults.Key<[[Int]]>(name: key)))
      XCTAssertNil(store.value(for: UserDefaults.Key<Tree>(name: key)))
      XCTAssertNil(store.value(for: UserDefaults.Key<[String: [Tree]]>(name: key)))
    }
    XCTAssertEqual(recorder.take().map(\.key), ["text", "data"])
  }

  /// A store of the program's own may return objects of any depth.
  func testADeepPropertyListIsRefusedAndEndsNoProgram() throws {
    var (list, url) = ([] as Any, "https://example.com/" as Any)
    for _ in 1...1_000 {
      list = ["children": [list]]
      url = ["relative": "a", "base": url]
    }
    XCTAssertNil(JSONText<Tree>(propertyListObject: list))
    XCTAssertNil([[String: JSONText<Tree>]](propertyListObject: [["a": list]]))
    XCTAssertNil(URL(propertyListObject: url))
  }
}
