import TypedDefaults
import XCTest

extension UserDefaults.Key where Value == Int {
  fileprivate static var volume: Self { .init() }
  fileprivate static let brightness = Self(name: "display.brightness")
}

final class KeyTests: XCTestCase {
  func testAValueIsStoredReadAndRemovedUnderAKey() throws {
    for store in try makeStores() {
      XCTAssertNil(store.value(for: .volume))
      store.set(7, for: .volume)
      XCTAssertEqual(store.value(for: .volume), 7)
      XCTAssertEqual(store.integer(forKey: "volume"), 7)
      store.removeValue(for: .volume)
      XCTAssertNil(store.value(for: .volume))
      store.set(7, for: .volume)
      store.set(nil, for: .volume)
      XCTAssertNil(store.object(forKey: "volume"))
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
