import Synchronization
import TypedDefaults
import XCTest

/// A subclass of `UserDefaults` is a store of its own, reached by its open methods alone.
final class SubclassTests: XCTestCase {
  private final class ServerDefaults: UserDefaults {
    var values: [String: Any] = [:]
    var registered: [String: Any] = [:]
    var log: [String] = []
    var isSynchronizable = true

    init() { super.init(suiteName: "TypedDefaultsTests.ServerDefaults")! }
    override func object(forKey key: String) -> Any? { values[key] ?? registered[key] }
    override func set(_ value: Any?, forKey key: String) {
      log.append("set \(key)")
      values[key] = value
    }
    override func removeObject(forKey key: String) {
      log.append("remove \(key)")
      values[key] = nil
    }
    override func register(defaults: [String: Any]) { registered.merge(defaults) { $1 } }
    override func synchronize() -> Bool {
      log.append("synchronize")
      return isSynchronizable
    }
  }

  func testWrappersUseItsOpenMethods() throws {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
    XCTAssertEqual(count.wrappedValue, 3)
    XCTAssertEqual(store.registered["count"] as? Int, 3)
    count.wrappedValue = 4
    XCTAssertEqual(store.values["count"] as? Int, 4)
    store.values["count"] = "5"
    XCTAssertEqual(count.wrappedValue, 5)
    count.reset()
    try store.flush()
    XCTAssertEqual(store.log, ["set count", "remove count", "synchronize"])
  }

  func testAFlushThatItRefusesIsThrown() {
    let store = ServerDefaults()
    store.isSynchronizable = false
    XCTAssertThrowsError(try store.flush()) { error in
      XCTAssertEqual((error as? DefaultsIssue)?.kind, .saveFailed)
    }
  }

  func testTwoInstancesAreTwoStores() {
    let recorder = recordIssues()
    let (one, two) = (ServerDefaults(), ServerDefaults())
    let first = WrappedDefault(wrappedValue: 1, "count", userDefaults: one)
    let second = WrappedDefault(wrappedValue: "a", "count", userDefaults: two)
    first.wrappedValue = 7
    XCTAssertEqual(second.wrappedValue, "a")
    XCTAssertEqual(recorder.take().map(\.kind), [])
  }

  func testAnInstanceAtTheAddressOfOneThatIsGoneIsAnotherStore() {
    let recorder = recordIssues()
    for index in 0..<500 {
      let store = ServerDefaults()
      let count = WrappedDefault(wrappedValue: index, "count", userDefaults: store)
      XCTAssertEqual(count.wrappedValue, index)
    }
    XCTAssertEqual(recorder.take().map(\.kind), [])
  }
}
