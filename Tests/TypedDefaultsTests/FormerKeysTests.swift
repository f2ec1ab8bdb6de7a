import Foundation
import Observation
import TypedDefaults
import XCTest

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
      WrappedDefaultOptional<Int>(keyName: "old\(key)", userDefaults: store).wrappedValue = 6
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
      wait(for: [heard], timeout: 10)
      XCTAssertEqual(volume.wrappedValue, 4)
      try store.flush()
    }
  }
}

extension UserDefaults {
  /// What is stored, and not only registered.
  fileprivate func persistentObject(_ key: String) -> Any? {
    WrappedDefaultOptional<String>(.init(name: key), userDefaults: self).wrappedValue
  }
}
