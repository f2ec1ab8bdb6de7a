import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Pane: SettingsGroup {
  @WrappedDefault("width") var width = 200
}

private struct Settings: SettingsGroup {
  nonisolated(unsafe) static let elsewhere = UserDefaults.inMemory()

  @WrappedDefault("volume") var volume = 4
  @WrappedDefaultOptional("nickname") var nickname: String?
  let left = Pane(prefix: "left.")
  let pane = Pane()
  @WrappedDefault("shared", userDefaults: elsewhere) var shared = 1
  @WrappedDefault(keyName: "named", defaultValue: 7) var named: Int
}

private final class ClassSettings: SettingsGroup {
  let ratio = WrappedDefault(wrappedValue: 0.5, "ratio")
  let pane: Pane? = Pane()
}

final class SettingsGroupTests: XCTestCase {
  func testTheSettingsAreKeptInTheGroupsStoreUnderItsPrefix() throws {
    for store in try makeStores() {
      let settings = Settings(in: store, prefix: "a.")
      settings.volume = 5
      settings.nickname = "Ann"
      settings.left.width = 1
      settings.pane.width = 2
      XCTAssertEqual(store.integer(forKey: "a.volume"), 5)
      XCTAssertEqual(store.string(forKey: "a.nickname"), "Ann")
      XCTAssertEqual(store.integer(forKey: "a.left.width"), 1)
      XCTAssertEqual(store.integer(forKey: "a.width"), 2)
      try store.flush()
    }
  }

  func testADeclarationThatNamesAStoreKeepsItAndHasNoPrefix() {
    let store = UserDefaults.inMemory()
    let settings = Settings(in: store, prefix: "a.")
    settings.shared = 2
    XCTAssertEqual(Settings.elsewhere.integer(forKey: "shared"), 2)
    XCTAssertNil(store.object(forKey: "a.shared"))
    settings.$shared.reset()
  }

  func testAGroupMadeByItselfIsInTheStandardStoreAndGroupsDoNotOutliveTheirInit() {
    _ = Settings(in: .inMemory(), prefix: "a.")
    let width = WrappedDefault(wrappedValue: 1, "SettingsGroupTests.width")
    XCTAssertEqual(width.key, "SettingsGroupTests.width")
    width.wrappedValue = 2
    XCTAssertEqual(UserDefaults.standard.integer(forKey: "SettingsGroupTests.width"), 2)
    width.reset()
    XCTAssertEqual(
      Pane(prefix: "SettingsGroupTests.pane.").$width.key, "SettingsGroupTests.pane.width")
  }

  func testTheDefaultsAreRegisteredAtOnceAndFormerKeysHaveThePrefixToo() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("a") var a = 1
      @WrappedDefault("b", formerly: "c") var b = 2
      let pane = Pane()
    }
    let counting = try XCTUnwrap(RegistrationCounter(suiteName: "SettingsGroupTests"))
    _ = Settings(in: counting, prefix: "x.")
    XCTAssertEqual(
      counting.registered as? [[String: Int]], [["x.a": 1, "x.b": 2, "x.width": 200]])

    let store = UserDefaults.inMemory()
    store.set(3, forKey: "x.c")
    XCTAssertEqual(Settings(in: store, prefix: "x.").b, 3)
    XCTAssertEqual(store.integer(forKey: "x.a"), 1)
  }

  func testItsSettingsAreInTheOrderOfDeclaration() {
    let settings = Settings(in: .inMemory(), prefix: "a.")
    XCTAssertEqual(
      settings.settings.map { $0.key },
      ["a.volume", "a.nickname", "a.left.width", "a.width", "shared", "a.named"])
    XCTAssertEqual(ClassSettings(in: .inMemory()).settings.map { $0.key }, ["ratio", "width"])
  }

  func testSettingsInCollectionsAndPlainStructsBelongToTheGroup() throws {
    struct Account: Sendable {
      let name: WrappedDefault<String>
      init(_ number: Int) { name = WrappedDefault(wrappedValue: "", "name\(number)") }
    }
    struct Settings: SettingsGroup {
      let accounts = [Account(0), Account(1)]
      let panes = ["left": Pane(prefix: "left.")]
      let pair = (WrappedDefault(wrappedValue: 1, "first"), Pane(prefix: "second."))
      let optional: WrappedDefaultOptional<Int>? = .init("optional")
      let pane: Pane? = Pane(prefix: "pane.")
      let none: Pane? = nil
      let list = [WrappedDefault(wrappedValue: 1, "list")]
    }
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "a.")
      let keys = [
        "name0", "name1", "left.width", "first", "second.width", "optional", "pane.width", "list",
      ]
      XCTAssertEqual(settings.settings.map { $0.key }, keys.map { "a.\($0)" }, "\(store)")
      settings.accounts[1].name.wrappedValue = "Ann"
      settings.pair.1.width = 5
      settings.optional?.wrappedValue = 6
      let data = try settings.exportData()
      settings.resetAll()
      XCTAssertEqual(settings.accounts[1].name.wrappedValue, "", "\(store)")
      XCTAssertFalse(settings.pair.1.$width.isStored, "\(store)")
      try settings.importData(data)
      XCTAssertEqual(settings.accounts[1].name.wrappedValue, "Ann", "\(store)")
      XCTAssertEqual(settings.pair.1.width, 5, "\(store)")
      XCTAssertEqual(settings.optional?.wrappedValue, 6, "\(store)")
      settings.resetAll()
    }
  }

  func testSettingsOfADictionaryAreSortedAndObjectsThatAreNoGroupsAreLeftOut() {
    final class Cache: @unchecked Sendable {
      let size = WrappedDefault(wrappedValue: 1, "cache")
    }
    struct Settings: SettingsGroup {
      let accounts = Dictionary(
        uniqueKeysWithValues: (0..<9).map { ("\($0)", [Pane(prefix: "account\($0).")]) })
      let cache = Cache()
      let numbers = Array(0..<100_000)
      @WrappedDefault("list") var list = [1, 2]
    }
    XCTAssertEqual(
      Settings(in: .inMemory()).settings.map { $0.key },
      (0..<9).map { "account\($0).width" } + ["list"])
  }

  func testASettingThatAGroupsInitializerReplacesIsNotReportedAndRegistersNoDefault() {
    struct Settings: SettingsGroup {
      @WrappedDefault("volume") var volume = 4
      init() { _volume = WrappedDefault(wrappedValue: 7, "volume") }
    }
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    let settings = Settings(in: store)
    XCTAssertEqual(settings.volume, 7)
    XCTAssertEqual(store.integer(forKey: "volume"), 7)
    _ = WrappedDefault(wrappedValue: "", "volume", userDefaults: store)
    let issues = recorder.take(atLeast: 1)
    XCTAssertEqual(issues.count, 1)
    let description = issues.first?.description ?? ""
    XCTAssertTrue(description.contains("7), and as String"), description)
  }

  func testTwoGroupsOfOneTypeInOneStoreAreNotReported() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    let groups = (0..<3).map { _ in Settings(in: store) }
    groups[0].volume = 5
    XCTAssertEqual(groups.map(\.volume), [5, 5, 5])
    // What conflicts is reported, and it alone.
    _ = WrappedDefault(wrappedValue: 5, "volume", userDefaults: store)
    XCTAssertEqual(recorder.take(atLeast: 1).map(\.key), ["volume"])
  }

  func testASettingSaysItsValueItsSourceAndItsDefault() {
    let settings = Settings(in: .inMemory())
    settings.volume = 5
    XCTAssertEqual(
      settings.settings.prefix(2).map {
        "\($0.key) \($0.text ?? "-") \($0.source) \($0.defaultText ?? "-") \($0.isStored)"
      }, ["volume 5 stored 4 true", "nickname - default - false"])
  }

  func testResetAllRemovesWhatIsStored() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.volume = 5
      settings.nickname = "Ann"
      settings.left.width = 1
      store.set(1, forKey: "other")
      settings.resetAll()
      XCTAssertEqual(settings.volume, 4)
      XCTAssertNil(settings.nickname)
      XCTAssertEqual(settings.left.width, 200)
      XCTAssertEqual(store.integer(forKey: "other"), 1)
      for setting in settings.settings { XCTAssertFalse(setting.isStored, setting.key) }
      store.removeObject(forKey: "other")
      try store.flush()
    }
  }

  func testGroupsOnManyThreadsShareNothing() {
    DispatchQueue.concurrentPerform(iterations: 1000) { number in
      let store = UserDefaults.inMemory()
      let settings = Settings(in: store, prefix: "\(number).")
      settings.volume = number
      settings.left.width = -number
      XCTAssertEqual(store.integer(forKey: "\(number).volume"), number)
      XCTAssertEqual(Settings(in: store, prefix: "\(number).").left.width, -number)
      XCTAssertEqual(Settings(in: .inMemory(), prefix: "\(number).").volume, 4)
    }
  }
}
