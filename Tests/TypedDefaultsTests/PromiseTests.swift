import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// Sentences of the articles about several parts at once.
final class PromiseTests: XCTestCase {
  private enum Plain: String, UserDefaultsSerializable { case one, two }

  private struct Settings: SettingsGroup {
    @WrappedDefault("language") var language = "en"
    @WrappedDefault("volume", in: 0...10) var volume = 4
    @WrappedDefault("plain") var plain = Plain.one
    @WrappedDefaultOptional("name") var name: String?
  }

  // MARK: Sources

  func testAResetGivesWayToTheNextSource() {
    let store = UserDefaults.inMemory(
      ["language": "de", "volume": 9, "name": "Ann"], managed: ["volume": 3],
      system: ["language": "fr", "name": "Zoë"])
    let settings = Settings(in: store)
    settings.$language.reset()
    XCTAssertEqual(settings.language, "fr")
    settings.resetAll()
    XCTAssertEqual(settings.volume, 3)
    XCTAssertFalse(settings.$volume.isStored)
    XCTAssertEqual(settings.name, "Zoë")
    store.removeValue(for: "name" as UserDefaults.Key<String>)
    XCTAssertEqual(store.value(for: "name" as UserDefaults.Key<String>), "Zoë")
  }

  func testAWrongStoredValueGivesWayToTheNextSource() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(["volume": "loud"], system: ["volume": 6])
    XCTAssertEqual(Settings(in: store).volume, 6)
    XCTAssertEqual(store.value(for: "volume" as UserDefaults.Key<Int>), 6)
    XCTAssertEqual(recorder.take().map(\.kind).first, .undecodableValue)
  }

  func testWhatMovesToAnotherStoreIsWhatIsStored() throws {
    let old = UserDefaults.inMemory(["language": "de"], managed: ["language": "fr"])
    XCTAssertEqual(Settings(in: old).language, "fr")
    XCTAssertEqual(old.storedValue(for: "language" as UserDefaults.Key<String>), "de")
    let new = Settings(in: .inMemory())
    try new.importData(Settings(in: old).exportData())
    XCTAssertEqual(new.language, "de")
  }

  func testASubclassHasNoLayersOfAnAdministrator() {
    for store in [PlainDefaults(), AnnouncingDefaults()] {
      let sources = Store.of(store).backend.layers.map(\.source)
      XCTAssertEqual(sources, [.launchArgument, .environment, .stored, .defaultValue])
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAVariableKeepsTheQuotesOfAString() throws {
      setenv("PROMISE_STRING", "\"quoted\"", 1)
      setenv("PROMISE_LIST", "(a, \"b c\")", 1)
      let store = try makeSavedSuite()
      let string = WrappedDefault(
        wrappedValue: "", "string", environment: "PROMISE_STRING", userDefaults: store)
      let list = WrappedDefault(
        wrappedValue: [""], "list", environment: "PROMISE_LIST", userDefaults: store)
      XCTAssertEqual(string.wrappedValue, "\"quoted\"")
      XCTAssertEqual(list.wrappedValue, ["a", "b c"])
    }
  #endif

  // MARK: Values

  func testATypedKeyHasNoRange() {
    let store = UserDefaults.inMemory()
    store.set(99, for: "volume" as UserDefaults.Key<Int>)
    XCTAssertEqual(store.value(for: "volume" as UserDefaults.Key<Int>), 99)
    _ = recordIssues()
    XCTAssertEqual(Settings(in: store).volume, 4)
  }

  func testJSONDataOfDatesAndOfDataIsNotRead() throws {
    _ = recordIssues()
    let encoder = JSONEncoder()
    let store = UserDefaults.inMemory([
      "dates": try encoder.encode([Date.now]), "data": try encoder.encode([Data([1])]),
      "numbers": try encoder.encode([1, 2]),
    ])
    XCTAssertNil(store.value(for: "dates" as UserDefaults.Key<[Date]>))
    XCTAssertNil(store.value(for: "data" as UserDefaults.Key<[Data]>))
    XCTAssertEqual(store.value(for: "numbers" as UserDefaults.Key<[Int]>), [1, 2])
  }

  func testAnEnumHasChoicesOnlyIfItIsCaseIterable() {
    XCTAssertEqual(Settings(in: .inMemory()).$plain.choices, [])
  }

  // MARK: Groups

  private struct Pane: SettingsGroup {
    @WrappedDefault("width", formerly: "size") var width = 1
  }

  private struct Panes: SettingsGroup {
    let panes = [Pane(prefix: "left/", formerly: "l/"), Pane(prefix: "right/")]
  }

  func testGroupsInListsMoveAlong() {
    let store = UserDefaults.inMemory(["old/l/size": 7, "old/right/width": 8])
    let panes = Panes(in: store, prefix: "new/", formerly: "old/")
    XCTAssertEqual(panes.settings.map(\.key), ["new/left/width", "new/right/width"])
    XCTAssertEqual(panes.panes.map(\.width), [7, 8])
  }
}
