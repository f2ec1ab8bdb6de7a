import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Inner: SettingsGroup {
  @WrappedDefault("depth") var depth = 1
}

private struct Pane: SettingsGroup {
  @WrappedDefault("width", formerly: "size") var width = 200
  let inner = Inner(prefix: "inner.")
}

private struct Settings: SettingsGroup {
  nonisolated(unsafe) static let elsewhere = UserDefaults.inMemory(["mistake": 1])

  let left = Pane(prefix: "left.")
  let plain = Inner()
  @WrappedDefault("volume", formerly: "level") var volume = 4
  @WrappedDefaultOptional("nickname") var nickname: String?
  @WrappedDefault("shared", userDefaults: elsewhere) var shared = 1
}

/// A group that has nothing but a group with a prefix.
private struct Outer: SettingsGroup {
  let pane = Pane(prefix: "pane.")
}

final class UnknownKeysTests: XCTestCase {
  func testWhatIsStoredUnderThePrefixAndIsNoSettingsIsUnknown() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let settings = Settings(in: store, prefix: "a.")
      XCTAssertEqual(settings.unknownKeys, [], "\(store)")
      store.set("loud", forKey: "a.volume")
      settings.volume = 5  // Keeps the old object as a copy.
      XCTAssertEqual(store.string(forKey: "a.volume.undecodable"), "loud", "\(store)")
      settings.nickname = "Zoë"
      for known in ["a.level", "a.left.size", "a.left.width", "a.left.inner.depth", "a.depth"] {
        store.set(1, forKey: known)
      }
      for other in ["volume", "b.volme", "ab"] { store.set(1, forKey: other) }
      store.register(defaults: ["a.registered": 1])
      XCTAssertEqual(settings.unknownKeys, [], "\(store)")
      let unknown = [
        "a.", "a.NSWindow", "a.Volume", "a.left.inner.deep", "a.left.widht", "a.size",
        "a.undecodable", "a.volme", "a.volme.undecodable",
      ]
      for key in unknown { store.set(1, forKey: key) }
      XCTAssertEqual(settings.unknownKeys, unknown, "\(store)")
      XCTAssertEqual(
        settings.left.unknownKeys, ["a.left.inner.deep", "a.left.widht"], "\(store)")
      XCTAssertEqual(settings.left.inner.unknownKeys, ["a.left.inner.deep"], "\(store)")
      store.removeObject(forKey: "a.volme")
      XCTAssertEqual(settings.unknownKeys, unknown.filter { $0 != "a.volme" }, "\(store)")
      XCTAssertEqual(recorder.take().map(\.key), ["a.volume"], "\(store)")
    }
  }

  func testTheCopyOfAKeyThatIsNamedLikeOneIsKnown() {
    struct Settings: SettingsGroup {
      @WrappedDefault("x.undecodable") var x = 1
    }
    let copy = ".undecodable"
    let settings = Settings(in: .inMemory(["x": 1, "x\(copy)\(copy)": 1, "y\(copy)": 1]))
    XCTAssertEqual(settings.unknownKeys, ["x", "y.undecodable"])
  }

  func testAGroupWithoutAPrefixKnowsTheKeysOfFoundation() {
    let settings = Settings(
      in: .inMemory(["NSLanguages": 1, "AppleLocale": 1, "com.apple.x": 1, "common": 1, "x": 1]))
    XCTAssertEqual(settings.unknownKeys, ["common", "x"])
  }

  func testAGroupAroundAnotherHasItsOwnPrefix() {
    let store = UserDefaults.inMemory(["a.width": 1, "a.pane.widht": 1, "pane.width": 1])
    let outer = Outer(in: store, prefix: "a.")
    XCTAssertEqual(outer.unknownKeys, ["a.pane.widht", "a.width"])
    XCTAssertEqual(outer.pane.unknownKeys, ["a.pane.widht"])
  }

  func testAGroupInsideAnotherStoreLooksThere() {
    struct Settings: SettingsGroup {
      nonisolated(unsafe) static let other = UserDefaults.inMemory(["b.deep": 1, "deep": 1])
      let inner = Inner(in: other, prefix: "b.")
      @WrappedDefault("volume") var volume = 4
    }
    let settings = Settings(in: .inMemory(["b.x": 1, "c": 1]))
    XCTAssertEqual(settings.unknownKeys, ["b.x", "c"])
    XCTAssertEqual(settings.inner.unknownKeys, ["b.deep"])
  }

  func testAGroupMadeByItselfLooksInTheStandardStore() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("UnknownKeysTests.volume") var volume = 4
    }
    let settings = Settings()
    let keys = ["UnknownKeysTests.volume", "UnknownKeysTests.volme"]
    for key in keys { UserDefaults.standard.set(1, forKey: key) }
    defer { for key in keys { UserDefaults.standard.removeObject(forKey: key) } }
    XCTAssertEqual(
      settings.unknownKeys.filter { $0.hasPrefix("UnknownKeysTests") }, ["UnknownKeysTests.volme"])
  }
}
