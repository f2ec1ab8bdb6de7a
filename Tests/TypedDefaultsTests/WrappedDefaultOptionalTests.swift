import TypedDefaults
import XCTest

@testable import TestSupport

final class WrappedDefaultOptionalTests: XCTestCase {
  func testItIsNilUntilAValueIsAssignedAndAgainAfterNilOrAReset() throws {
    for store in try makeStores() {
      struct Settings {
        @WrappedDefaultOptional var nickname: String?
      }
      let settings = Settings(nickname: WrappedDefaultOptional("nickname", userDefaults: store))
      XCTAssertNil(settings.nickname)
      settings.nickname = "Zoë"
      XCTAssertEqual(settings.nickname, "Zoë")
      XCTAssertEqual(store.string(forKey: "nickname"), "Zoë")
      settings.nickname = nil
      XCTAssertNil(settings.nickname)
      XCTAssertNil(store.object(forKey: "nickname"))
      settings.nickname = "Z"
      settings.$nickname.reset()
      XCTAssertNil(settings.nickname)
      XCTAssertEqual(settings.$nickname.key, "nickname")
    }
  }

  func testTheKeyCanBeGivenByName() {
    struct Settings {
      @WrappedDefaultOptional(keyName: "date", userDefaults: .inMemory()) var date: Date?
    }
    let settings = Settings()
    settings.date = .distantPast
    XCTAssertEqual(settings.date, .distantPast)
  }

  func testADefaultOfTheSameKeyDoesNotShow() throws {
    for store in try makeStores() {
      let key = UUID().uuidString
      let withDefault = WrappedDefault(keyName: key, defaultValue: 3, userDefaults: store)
      let without = WrappedDefaultOptional<Int>(keyName: key, userDefaults: store)
      XCTAssertNil(without.wrappedValue)
      withDefault.wrappedValue = 3
      XCTAssertEqual(without.wrappedValue, 3)
      without.wrappedValue = nil
      XCTAssertNil(without.wrappedValue)
      XCTAssertEqual(withDefault.wrappedValue, 3)
    }
  }

  func testADefaultOfTheSameKeyDoesNotShowAfterARawRemovalEither() throws {
    for store in try makeStores() {
      let key = UUID().uuidString
      let without = WrappedDefaultOptional<Int>(keyName: key, userDefaults: store)
      _ = WrappedDefault(keyName: key, defaultValue: 3, userDefaults: store)
      without.wrappedValue = 5
      XCTAssertEqual(without.wrappedValue, 5)
      store.removeObject(forKey: key)
      XCTAssertNil(without.wrappedValue)
    }
  }

  func testWithLockChangesAndRemoves() throws {
    for store in try makeStores() {
      let names = WrappedDefaultOptional<[String]>("names", userDefaults: store)
      names.withLock { $0?.append("a") }
      XCTAssertNil(names.wrappedValue)
      names.withLock { $0 = ["a"] }
      names.withLock { $0?.append("b") }
      XCTAssertEqual(names.wrappedValue, ["a", "b"])
      names.withLock { $0 = nil }
      XCTAssertNil(store.object(forKey: "names"))
    }
  }
}
