import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// A value has at most 64 arrays and dictionaries in each other. What a file holds besides is kept.
final class DeepValueTests: XCTestCase {
  private struct Tree: Codable, Equatable, UserDefaultsSerializable {
    var leaf: Int?
    // An array, because a struct cannot hold itself.
    var a: [Tree]?

    /// - Parameter levels: The objects and lists in each other, an odd number.
    init(levels: Int) {
      (leaf, a) = levels == 1 ? (1, nil) : (nil, [Tree(levels: levels - 2)])
    }
  }

  /// A form that takes any object.
  private struct Anything: PropertyListValue {
    nonisolated(unsafe) let object: Any  // Property-list objects are immutable.
    init(_ object: Any) { self.object = object }
    init?(propertyListObject object: Any) { self.init(object) }
    func propertyListObject() -> Any { object }
  }

  private struct Free: UserDefaultsSerializable {
    var storedValue: Anything
    init(storedValue: Anything) { self.storedValue = storedValue }
    init(levels: Int) { self.init(storedValue: Anything(DeepFile.object(levels: levels))) }
    var levels: Int {
      var (levels, object) = (0, storedValue.object)
      while let dictionary = object as? [String: Any] {
        (levels, object) = (levels + 1, dictionary["a"] ?? 1)
      }
      return levels
    }
  }

  private struct Settings: SettingsGroup {
    @WrappedDefault("count") var count = 0
    @WrappedDefault("tree") var tree = Tree(levels: 1)
    @WrappedDefaultOptional("trees") var trees: [Tree]?
    @WrappedDefaultOptional("deep") var deep: Free?
  }

  private func text(levels: Int) -> String {
    let start = String(repeating: #"{"a":["#, count: levels / 2)
    let end = String(repeating: "]}", count: levels / 2)
    return start + (levels.isMultiple(of: 2) ? "" : "{}") + end
  }

  func testAValueMayHave64LevelsAndNoMore() throws {
    let issues = recordIssues()
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.deep = Free(levels: 64)
      settings.tree = Tree(levels: 63)
      try settings.$trees.set(text: "[\(text(levels: 63))]")
      XCTAssertEqual(settings.deep?.levels, 64)
      XCTAssertEqual(settings.tree, Tree(levels: 63))
      XCTAssertNotNil(settings.trees)
      XCTAssertEqual(issues.take().map(\.description), [])

      settings.deep = Free(levels: 65)
      settings.tree = Tree(levels: 65)
      XCTAssertEqual(settings.deep?.levels, 64)
      XCTAssertEqual(settings.tree, Tree(levels: 63))
      XCTAssertEqual(
        issues.take().map(\.description),
        ["Free", "Tree"].map {
          """
          A value of type \($0) cannot be stored for "\($0 == "Free" ? "deep" : "tree")": its arrays and \
          dictionaries are nested deeper than 64 levels. The old value is kept. Assign a value that \
          can be stored.
          """
        })
      for (setting, text) in [
        (settings.$tree as any DeclaredSetting, text(levels: 65)),
        (settings.$trees, "[\(text(levels: 64))]"), (settings.$trees, "[\(text(levels: 301))]"),
      ] {
        XCTAssertThrowsError(try setting.set(text: text)) {
          XCTAssertTrue("\($0)".contains("nested deeper than 64 levels"), "\($0)")
        }
      }
      // What it stores as text, it reads.
      store.set(text(levels: 65), forKey: "tree")
      XCTAssertEqual(settings.tree, Tree(levels: 1))
      XCTAssertEqual(issues.take(atLeast: 1).map(\.key), ["tree"])
      settings.resetAll()
    }
  }

  func testBracketsInsideOfAStringAreNoLevels() throws {
    struct Named: Codable, UserDefaultsSerializable { var name: String }
    let setting = WrappedDefaultOptional<[Named]>("named", userDefaults: .inMemory())
    let name = String(repeating: #"[{(\""#, count: 100)
    setting.wrappedValue = [Named(name: name)]
    try setting.set(text: XCTUnwrap(setting.text))
    XCTAssertEqual(setting.wrappedValue?.first?.name, name)
  }

  func testAnImportTakes64LevelsAndRefusesMore() throws {
    let settings = Settings(in: .inMemory(["count": 1]))
    try settings.importData(DeepFile.data(levels: 64))
    XCTAssertEqual(settings.deep?.levels, 64)
    for levels in [65, 511] {
      XCTAssertThrowsError(try settings.importData(DeepFile.data(levels: levels))) {
        XCTAssertEqual(
          "\($0)",
          """
          The import failed and changed no setting: "deep" cannot be read as Free: its arrays and \
          dictionaries are nested deeper than 64 levels. Correct the value, or remove it from the data.
          """)
      }
    }
    XCTAssertEqual(settings.deep?.levels, 64)
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    /// Files that the fourth version has written.
    private func withStores(
      levels: Int, _ body: (UserDefaults, TemporaryFolder) throws -> Void
    ) throws {
      for isSaved in [true, false] {
        let folder = try TemporaryFolder()
        try folder.write(DeepFile.data(levels: levels))
        let name = folder.path + "/Probe"
        try body(
          isSaved ? .saved(suiteName: name) : XCTUnwrap(UserDefaults(suiteName: name)), folder)
        XCTAssertEqual(try folder.files.filter { $0.contains("damaged") }, [])
      }
    }

    func testADeepObjectOfAFileIsKeptAndUndecodable() throws {
      let issues = recordIssues()
      for levels in [65, 256] {
        try withStores(levels: levels) { store, folder in
          let settings = Settings(in: store)
          XCTAssertEqual(settings.count, 4)
          XCTAssertNil(settings.deep)
          XCTAssertTrue(settings.$deep.isStored)
          XCTAssertEqual(
            issues.take(atLeast: 1).map(\.description),
            [
              """
              The stored value of "deep" in \(folder.plist()) cannot be read as Free: its arrays \
              and dictionaries are nested deeper than 64 levels. The setting returns nil. Assign a \
              value, which removes the old one without a copy, or reset the setting.
              """
            ])
          XCTAssertEqual(
            store.object(forKey: "deep").map { Free(storedValue: Anything($0)).levels }, levels)
          // A save of another key, and the own export.
          settings.count = 5
          settings.count = 4
          XCTAssertEqual(try settings.importData(settings.exportData()), [])
          try settings.flush()
          XCTAssertEqual(
            try Data(contentsOf: URL(filePath: folder.plist())), DeepFile.data(levels: levels))
          XCTAssertEqual(issues.take().map(\.description), [])
        }
      }
    }

    /// Foundation's `set` of the copy would take half a minute.
    func testADeepObjectOfAFileIsAssignedOverAtOnceAndWithoutACopy() throws {
      let issues = recordIssues()
      try withStores(levels: 400) { store, folder in
        let setting = WrappedDefault(wrappedValue: 0, "deep", userDefaults: store)
        XCTAssertLessThan(threadTime { setting.wrappedValue = 7 }, .seconds(10))
        try store.flush()
        XCTAssertEqual(try folder.contents()?.keys.sorted(), ["count", "deep"])
        XCTAssertEqual(setting.wrappedValue, 7)
        XCTAssertEqual(issues.take(atLeast: 1).map(\.kind), [.undecodableValue])
      }
    }
  #endif
}
