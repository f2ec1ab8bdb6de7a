import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Pane: SettingsGroup {
  @WrappedDefault("width", formerly: "size") var width = 200
}

private struct Account: SettingsGroup {
  @WrappedDefault("name", formerly: "nick", "alias") var name = ""
  @WrappedDefaultOptional("limit") var limit: Int?
  let pane = Pane(prefix: "pane.")
}

/// A group that has had other prefixes.
final class MovedGroupTests: XCTestCase {
  func testAReadTakesTheNamesUnderEachPrefixInTheirOrder() throws {
    let names = [
      "account.name", "account.nick", "account.alias", "user.name", "user.nick", "user.alias",
      "name", "nick", "alias",
    ]
    for store in try makeStoresAndSubclasses() {
      let account = Account(in: store, prefix: "account.", formerly: "user.", "")
      for name in names.reversed() {
        store.set(name, forKey: name)
        XCTAssertEqual(account.name, name, "\(store)")
      }
      account.name = "Zoë"
      XCTAssertEqual(store.string(forKey: "account.name"), "Zoë")
      for name in names.dropFirst() { XCTAssertNil(store.object(forKey: name), "\(name) \(store)") }
      account.resetAll()
      XCTAssertEqual(account.name, "", "\(store)")
    }
  }

  /// Eight times as many take about eight times as long. What is quadratic would take 64 times as long.
  func testTheTimeOfGroupsWithOneFormerPrefixGrowsAsTheirNumberDoes() {
    func time(_ count: Int) -> Duration {
      let store = UserDefaults.inMemory()
      return threadTime {
        let panes = (0..<count).map { Pane(in: store, prefix: "pane\($0).", formerly: "pane.") }
        XCTAssertEqual(panes.count, count)
      }
    }
    let (some, many) = ((1...3).map { _ in time(500) }.min()!, time(4_000))
    XCTAssertLessThan(many, some * 24)
  }

  func testEachSettingAndEachGroupInsideMoves() throws {
    for store in try makeStoresAndSubclasses() {
      store.set(5, forKey: "user.limit")
      store.set(300, forKey: "user.pane.size")
      let account = Account(in: store, prefix: "account.", formerly: "user.")
      XCTAssertEqual(account.limit, 5, "\(store)")
      XCTAssertEqual(account.pane.width, 300, "\(store)")
      XCTAssertEqual(account.$limit.source, .stored, "\(store)")
      account.limit = nil
      account.pane.width += 1
      XCTAssertNil(account.limit, "\(store)")
      XCTAssertNil(store.object(forKey: "user.limit"), "\(store)")
      XCTAssertNil(store.object(forKey: "user.pane.size"), "\(store)")
      XCTAssertEqual(store.integer(forKey: "account.pane.width"), 301, "\(store)")
      store.set(6, forKey: "user.limit")
      account.resetAll()
      XCTAssertNil(store.object(forKey: "user.limit"), "\(store)")
    }
  }

  func testAnExportFromBeforeIsImported() throws {
    struct Old: SettingsGroup {
      @WrappedDefault("nick") var nick = ""
      @WrappedDefaultOptional("limit") var limit: Int?
      let pane = Pane(prefix: "pane.")
    }
    let old = Old(in: .inMemory(), prefix: "user.")
    (old.nick, old.limit, old.pane.width) = ("Zoë", 5, 300)
    for store in try makeStoresAndSubclasses() {
      let account = Account(in: store, prefix: "account.", formerly: "user.")
      try account.importData(old.exportData())
      XCTAssertEqual(account.name, "Zoë", "\(store)")
      XCTAssertEqual(account.limit, 5, "\(store)")
      XCTAssertEqual(account.pane.width, 300, "\(store)")
      XCTAssertEqual(store.string(forKey: "account.name"), "Zoë", "\(store)")
      XCTAssertThrowsError(
        try Account(in: .inMemory(), prefix: "account.").importData(old.exportData()))
      account.resetAll()
    }
  }

  func testTheKeysOfAGroupThatIsStillThereAreLeftAlone() throws {
    for store in try makeStoresAndSubclasses() {
      let user = Account(in: store, prefix: "user.")
      user.name = "Ann"
      let account = Account(in: store, prefix: "account.", formerly: "user.")
      XCTAssertEqual(account.name, "", "\(store)")
      account.name = "Zoë"
      XCTAssertEqual(user.name, "Ann", "\(store)")
      user.resetAll()
      account.resetAll()
    }
  }

  func testAPrefixThatIsTheGroupsOwnIsNone() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(["a.nick": "Zoë"])
    let account = Account(in: store, prefix: "a.", formerly: "a.", "b.")
    XCTAssertEqual(account.name, "Zoë")
    account.name = "Ann"
    XCTAssertEqual(account.name, "Ann")
    XCTAssertEqual(account.unknownKeys, [])
    XCTAssertEqual(recorder.take().count, 0)
  }
}
