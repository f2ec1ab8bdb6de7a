import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

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

  // The names are of these tests alone: registered defaults of Foundation's suites count here, too.
  func testARegisteredDefaultIsNotStored() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("SubclassTests.count") var count = 3
      @WrappedDefaultOptional("SubclassTests.name") var name: String?
    }
    for store in [PlainDefaults(), AnnouncingDefaults()] {
      let settings = Settings(in: store)
      // Another declaration of the key has a default.
      _ = WrappedDefault(wrappedValue: "registered", "SubclassTests.name", userDefaults: store)
      XCTAssertEqual(settings.settings.map(\.isStored), [false, false], "\(store)")
      XCTAssertEqual(settings.$count.source, .defaultValue, "\(store)")
      XCTAssertEqual(settings.$name.source, .defaultValue, "\(store)")
      XCTAssertNil(settings.name, "\(store)")
      let empty = try PropertyListSerialization.propertyList(
        from: settings.exportData(), format: nil)
      XCTAssertEqual((empty as? [String: Any])?.keys.sorted(), ["TypedDefaults"], "\(store)")
      settings.count = 4
      settings.name = "stored"
      XCTAssertEqual(settings.settings.map(\.isStored), [true, true], "\(store)")
      XCTAssertEqual(settings.$count.source, .stored, "\(store)")
      settings.resetAll()
      XCTAssertEqual(settings.settings.map(\.isStored), [false, false], "\(store)")
      XCTAssertNil(settings.name, "\(store)")
      XCTAssertEqual(store.stored.keys.sorted(), [], "\(store)")
    }
  }

  func testAnUndoneTransactionStoresNoDefault() {
    struct Failure: Error {}
    for store in [PlainDefaults(), AnnouncingDefaults()] {
      let count = WrappedDefault(wrappedValue: 3, "SubclassTests.count", userDefaults: store)
      try? store.transaction {
        count.wrappedValue = 4
        throw Failure()
      }
      XCTAssertEqual(count.wrappedValue, 3, "\(store)")
      XCTAssertNil(store.stored["SubclassTests.count"], "\(store)")
    }
  }

  func testAnUndoneTransactionLosesNoStoredValue() {
    struct Failure: Error {}
    for store in [PlainDefaults(), AnnouncingDefaults()] {
      let count = WrappedDefault(wrappedValue: 3, "SubclassTests.count", userDefaults: store)
      count.wrappedValue = 4
      for change in [{ count.reset() }, { count.wrappedValue = 3 }, { count.wrappedValue = 5 }] {
        try? store.transaction {
          change()
          throw Failure()
        }
        XCTAssertEqual(count.wrappedValue, 4, "\(store)")
        XCTAssertEqual(store.stored["SubclassTests.count"] as? Int, 4, "\(store)")
      }
    }
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
