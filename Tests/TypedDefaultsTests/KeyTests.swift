import TypedDefaults
import XCTest

@testable import TestSupport

extension UserDefaults.Key where Value == Int {
  fileprivate static var volume: Self { .init() }
  fileprivate static let brightness = Self(name: "display.brightness")
}

final class KeyTests: XCTestCase {
  func testAStoredValueIsReadBeneathOverridesAndRegisteredDefaults() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let key = UserDefaults.Key<Int>(name: "KeyTests.stored", formerly: "KeyTests.former")
      store.register(defaults: [key.name: 1, "KeyTests.former": 2])
      XCTAssertNil(store.storedValue(for: key), "\(store)")
      store.set(3, forKey: "KeyTests.former")
      XCTAssertEqual(store.storedValue(for: key), 3, "\(store)")
      store.set(4, forKey: key.name)
      store.setVolatileDomain([key.name: "5"], forName: UserDefaults.argumentDomain)
      XCTAssertEqual(store.value(for: key), 5, "\(store)")
      XCTAssertEqual(store.storedValue(for: key), 4, "\(store)")
      store.transaction {
        store.set(6, for: key)
        XCTAssertEqual(store.storedValue(for: key), 6, "\(store)")
      }
      XCTAssertEqual(recorder.take().count, 0, "\(store)")
      store.set("loud", forKey: key.name)
      let number = UserDefaults.Key<Int>(name: key.name)
      XCTAssertNil(store.storedValue(for: number), "\(store)")
      XCTAssertNil(store.storedValue(for: number), "\(store)")
      XCTAssertEqual(recorder.take().map(\.kind), [.undecodableValue], "\(store)")
      store.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
      store.removeValue(for: key)
      try store.flush()
    }
  }

  func testAValueIsStoredReadAndRemovedUnderAKey() throws {
    for store in try makeStores() {
      XCTAssertNil(store.value(for: .brightness))
      store.set(7, for: .brightness)
      XCTAssertEqual(store.value(for: .brightness), 7)
      XCTAssertEqual(store.integer(forKey: "display.brightness"), 7)
      store.removeValue(for: .brightness)
      XCTAssertNil(store.value(for: .brightness))
      store.set(7, for: .brightness)
      store.set(nil, for: .brightness)
      XCTAssertNil(store.object(forKey: "display.brightness"))
    }
  }

  func testAKeyIsNamedByItsPropertyItsInitializerOrALiteral() {
    XCTAssertEqual(UserDefaults.Key<Int>.volume.name, "volume")
    XCTAssertEqual(UserDefaults.Key<Int>.brightness.name, "display.brightness")
    let literal: UserDefaults.Key<Int> = "volume"
    XCTAssertEqual(literal, .volume)
    let user = 7
    let interpolated: UserDefaults.Key<Int> = "user.\(user).name"
    XCTAssertEqual(interpolated.name, "user.7.name")
    XCTAssertEqual(Set([literal, .volume, .brightness]).count, 2)
  }

  func testARegisteredDefaultIsReadAsTheRawAccessorsReadIt() throws {
    for store in try makeStores() {
      let key = UserDefaults.Key<Int>(name: UUID().uuidString)
      store.register(defaults: [key.name: 5])
      XCTAssertEqual(store.value(for: key), 5)
      store.set(6, for: key)
      store.removeValue(for: key)
      XCTAssertEqual(store.value(for: key), 5)
    }
  }

  func testAwkwardNamesAreNamesLikeAnyOther() throws {
    for store in try makeStores() {
      for name in ["", ".", "a.b.c", "@count", "ü 😀", "with\nnewline", "-flag", "<key>", "\0"] {
        let key = UserDefaults.Key<String>(name: name)
        store.set("value of \(name)", for: key)
        XCTAssertEqual(store.value(for: key), "value of \(name)")
      }
    }
  }
}
