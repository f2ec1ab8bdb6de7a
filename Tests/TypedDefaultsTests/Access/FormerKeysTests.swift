import Foundation
import Observation
import TypedDefaults
import XCTest

@testable import TestSupport

/// Settings that were kept under other keys before.
final class FormerKeysTests: XCTestCase {
  func testAFormerKeyIsReadUntilTheFirstAssignmentAndRemovedByIt() throws {
    for store in try makeStores() {
      store.set(5, forKey: "old")
      store.set(3, forKey: "oldest")
      let volume = WrappedDefault(
        wrappedValue: 1, "former-volume", formerly: "old", "oldest", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 5)
      XCTAssertEqual(volume.source, .stored)
      XCTAssertTrue(volume.isStored)
      XCTAssertNil(store.persistentObject("former-volume"), "a read writes nothing")
      volume.wrappedValue = 6
      XCTAssertEqual(volume.wrappedValue, 6)
      XCTAssertEqual(store.integer(forKey: "former-volume"), 6)
      XCTAssertNil(store.object(forKey: "old"))
      XCTAssertNil(store.object(forKey: "oldest"))
      store.set(7, forKey: "old")
      XCTAssertEqual(volume.wrappedValue, 6, "the own key wins")
      volume.reset()
      XCTAssertEqual(volume.wrappedValue, 1)
      XCTAssertNil(store.object(forKey: "old"))
      XCTAssertFalse(volume.isStored)
      XCTAssertEqual(volume.source, .defaultValue)
      try store.flush()
    }
  }

  func testNilAndWithLockAndTypedKeysDoTheSame() throws {
    for store in try makeStores() {
      store.set("Zoë", forKey: "alias")
      let nickname = WrappedDefaultOptional<String>(
        "former-nickname", formerly: "alias", userDefaults: store)
      XCTAssertEqual(nickname.wrappedValue, "Zoë")
      nickname.withLock { $0?.append("!") }
      XCTAssertEqual(store.string(forKey: "former-nickname"), "Zoë!")
      XCTAssertNil(store.object(forKey: "alias"))
      store.set("Ann", forKey: "alias")
      nickname.wrappedValue = nil
      XCTAssertNil(nickname.wrappedValue)
      XCTAssertNil(store.object(forKey: "alias"))

      let key = UserDefaults.Key<Int>(name: "former-count", formerly: "former-number")
      store.set(4, forKey: "former-number")
      XCTAssertEqual(store.value(for: key), 4)
      XCTAssertNil(store.value(for: UserDefaults.Key<Int>("former-count")))
      store.set(5, for: key)
      XCTAssertNil(store.object(forKey: "former-number"))
      XCTAssertEqual(store.value(for: UserDefaults.Key<Int>("former-count")), 5)
      try store.flush()
    }
  }

  func testARegisteredDefaultOfAFormerKeyIsNone() throws {
    for store in try makeStores() {
      store.register(defaults: ["former-registered": 9])
      let volume = WrappedDefault(
        wrappedValue: 1, "former-volume", formerly: "former-registered", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 1)
      try store.flush()
    }
  }

  func testAMigrationByHandFindsTheRegisteredDefaultAndIsStoredDoesNot() throws {
    for store in try makeStores() {
      let key = UUID().uuidString
      let volume = WrappedDefault(wrappedValue: 1, .init(name: key), userDefaults: store)
      XCTAssertEqual(store.object(forKey: key) as? Int, 1)
      XCTAssertFalse(volume.isStored)
      volume.wrappedValue = 1
      XCTAssertTrue(volume.isStored)
    }
  }

  func testAnArgumentByAFormerNameWinsOverWhatIsStored() throws {
    let key = UUID().uuidString
    for store in try makeStores().dropFirst() {
      store.setVolatileDomain(["old\(key)": "7"], forName: UserDefaults.argumentDomain)
      let volume = WrappedDefault(
        wrappedValue: 1, .init(name: key), formerly: "old\(key)", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 7)
      XCTAssertEqual(volume.source, .launchArgument)
      volume.wrappedValue = 2
      XCTAssertEqual(volume.wrappedValue, 7)
      XCTAssertEqual(store.object(forKey: key) as? Int, 2)
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      XCTAssertEqual(volume.wrappedValue, 2)
    }
  }

  func testAFormerKeyGivesTheFirstOfTheUpdatesAndItsChangesAnother() async throws {
    for store in try makeStores() {
      let key = UUID().uuidString
      store.set(5, forKey: "old\(key)")
      let volume = WrappedDefault(
        wrappedValue: 1, .init(name: key), formerly: "old\(key)", userDefaults: store)
      var values = volume.updates.makeAsyncIterator()
      var next = await values.next()
      XCTAssertEqual(next, 5)
      store.set(6, for: UserDefaults.Key<Int>(name: "old\(key)"))
      next = await values.next()
      XCTAssertEqual(next, 6)
      volume.wrappedValue = 7
      next = await values.next()
      XCTAssertEqual(next, 7)
      volume.reset()
      next = await values.next()
      XCTAssertEqual(next, 1)
    }
  }

  func testAChangeOfAFormerKeyIsHeard() throws {
    for store in try makeStores() {
      let volume = WrappedDefault(
        wrappedValue: 1, "former-volume", formerly: "old", userDefaults: store)
      let heard = expectation(description: "heard")
      withObservationTracking {
        XCTAssertEqual(volume.wrappedValue, 1)
      } onChange: {
        heard.fulfill()
      }
      store.set(4, for: UserDefaults.Key<Int>("old"))
      wait(for: [heard], timeout: 60)
      XCTAssertEqual(volume.wrappedValue, 4)
      try store.flush()
    }
  }

  func testAReportIsForgottenOnceTheFormerKeyHasChanged() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let volume = WrappedDefault(
        wrappedValue: 1, "former-volume", formerly: "old", userDefaults: store)
      for key in ["old", "former-volume"] {
        for object in ["loud", 5, "loud"] as [Any] {
          store.set(object, forKey: key)
          XCTAssertEqual(volume.wrappedValue, object as? Int ?? 1)
          let issues = recorder.take()
          XCTAssertEqual(issues.count, object is Int ? 0 : 1, "\(store) \(key) \(object)")
        }
        store.removeObject(forKey: key)
        XCTAssertEqual(volume.wrappedValue, 1, "\(store)")
      }
    }
  }

  // MARK: Keys that others have

  /// Two declarations, in either order: a key, and another one that had its name before.
  private func declare(
    _ store: UserDefaults, isRenamedFirst: Bool
  ) -> (own: WrappedDefault<Int>, renamed: WrappedDefault<Int>) {
    func makeRenamed() -> WrappedDefault<Int> {
      WrappedDefault(wrappedValue: 1, "volume", formerly: "level", userDefaults: store)
    }
    let first = isRenamedFirst ? makeRenamed() : nil
    let own = WrappedDefault(wrappedValue: 9, "level", userDefaults: store)
    return (own, first ?? makeRenamed())
  }

  func testAFormerKeyThatIsAnotherDeclarationsOwnIsLeftAlone() throws {
    for isRenamedFirst in [true, false] {
      for store in try makeStoresAndSubclasses() {
        let (own, renamed) = declare(store, isRenamedFirst: isRenamedFirst)
        own.wrappedValue = 5
        XCTAssertEqual(renamed.wrappedValue, 1, "\(store)")
        XCTAssertFalse(renamed.isStored, "\(store)")
        XCTAssertEqual(renamed.source, .defaultValue, "\(store)")
        renamed.wrappedValue = 2
        XCTAssertEqual(own.wrappedValue, 5, "\(store)")
        XCTAssertEqual(renamed.wrappedValue, 2, "\(store)")
        renamed.reset()
        XCTAssertEqual(own.wrappedValue, 5, "\(store)")
        XCTAssertTrue(own.isStored, "\(store)")
      }
    }
  }

  func testAFormerKeyThatIsTheKeyOfAnotherMemberOfTheGroupIsLeftAlone() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("volume", formerly: "level") var volume = 1
      @WrappedDefault("level") var level = 9
    }
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "a.")
      settings.level = 5
      XCTAssertEqual(settings.volume, 1, "\(store)")
      let other = Settings(in: .inMemory(), prefix: "a.")
      other.level = 6
      try settings.importData(other.exportData())
      XCTAssertEqual(settings.level, 6, "\(store)")
      XCTAssertFalse(settings.$volume.isStored, "\(store)")
      settings.resetAll()
    }
  }

  func testTheFormerKeyCountsOnceAStoredValueThatEqualsTheDefaultIsRemoved() throws {
    for store in try makeStores() {
      let volume = WrappedDefault(
        wrappedValue: 4, "volume", formerly: "level", userDefaults: store)
      volume.wrappedValue = 4
      XCTAssertEqual(volume.wrappedValue, 4, "\(store)")
      store.set(3, for: "level")
      XCTAssertEqual(volume.wrappedValue, 4, "\(store)")
      store.removeObject(forKey: "volume")
      XCTAssertEqual(volume.wrappedValue, 3, "\(store)")
    }
  }

  func testTwoSettingsThatNameEachOtherShareNothing() throws {
    for store in try makeStoresAndSubclasses() {
      let first = WrappedDefault(wrappedValue: 1, "first", formerly: "second", userDefaults: store)
      let second = WrappedDefault(wrappedValue: 2, "second", formerly: "first", userDefaults: store)
      first.wrappedValue = 3
      XCTAssertEqual(second.wrappedValue, 2, "\(store)")
      second.wrappedValue = 4
      XCTAssertEqual(first.wrappedValue, 3, "\(store)")
      XCTAssertEqual(second.wrappedValue, 4, "\(store)")
    }
  }

  func testASettingThatNamesItselfKeepsEachAssignment() throws {
    for store in try makeStoresAndSubclasses() {
      let volume = WrappedDefault(
        wrappedValue: 1, "volume", formerly: "volume", userDefaults: store)
      for value in 2...5 {
        volume.wrappedValue = value
        XCTAssertEqual(volume.wrappedValue, value, "\(store)")
        XCTAssertTrue(volume.isStored, "\(store)")
      }
    }
  }
}

extension UserDefaults {
  /// What is stored, and not only registered.
  fileprivate func persistentObject(_ key: String) -> Any? {
    WrappedDefaultOptional<String>(.init(name: key), userDefaults: self).wrappedValue
  }
}
