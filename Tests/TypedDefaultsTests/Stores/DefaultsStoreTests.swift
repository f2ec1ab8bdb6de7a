import Observation
import TypedDefaults
import XCTest

@testable import TestSupport

/// A subclass of `UserDefaults` that works with the library.
final class DefaultsStoreTests: XCTestCase {
  private final class ServerDefaults: UserDefaults, DefaultsStore {
    var values: [String: (object: Any, revision: Int64)] = [:]
    var registered: [String: Any] = [:]
    var log: [String] = []
    var revision: Int64 = 0
    /// Called before a revision is compared.
    var beforeComparing: () -> Void = {}
    var outage: DefaultsIssue?
    var reads = 0

    init() { super.init(suiteName: "TypedDefaultsTests.DefaultsStore")! }

    override func object(forKey key: String) -> Any? {
      reads += 1
      return values[key]?.object ?? registered[key]
    }
    func storedObject(forKey key: String) -> Any? {
      reads += 1
      return values[key]?.object
    }

    override func set(_ value: Any?, forKey key: String) {
      log.append("set \(key)")
      put(value, key)
      announceChange(of: [key])
    }

    // `nil` alone would be a URL.
    override func removeObject(forKey key: String) { set(nil as Any?, forKey: key) }

    override func register(defaults: [String: Any]) { registered.merge(defaults) { $1 } }

    /// Changes what is stored, without a word.
    func put(_ value: Any?, _ key: String) {
      revision += 1
      values[key] = value.map { ($0, revision) }
    }

    func revision(forKey key: String) -> Int64? { values[key]?.revision ?? 0 }

    func setObject(_ object: Any?, forKey key: String, ifStillAt revision: Int64) throws -> Bool {
      if let outage { throw outage }
      beforeComparing()
      guard revision == values[key]?.revision ?? 0 else { return false }
      set(object, forKey: key)
      return true
    }

    func beginTransaction() { log.append("begin") }
    func endTransaction() { log.append("end") }
    func saveChanges() throws {
      throw DefaultsIssue(kind: .saveFailed, key: "a", message: "the server is full")
    }
  }

  func testAChangeThatItAnnouncesIsHeardByKey() async {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
    let other = WrappedDefault(wrappedValue: 1, "other", userDefaults: store)
    nonisolated(unsafe) var told: [String] = []
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      told.append("count")
    }
    withObservationTracking {
      _ = other.wrappedValue
    } onChange: {
      told.append("other")
    }
    var values = count.updates.makeAsyncIterator()
    let first = await values.next()
    store.put(2, "count")
    store.announceChange(of: ["count", "never asked for"])
    let second = await values.next()
    XCTAssertEqual([first, second], [1, 2])
    XCTAssertEqual(told, ["count"])
  }

  func testAReadSeesAtOnceWhatListenersAreToldLater() {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
    nonisolated(unsafe) var isTold = false
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      isTold = true
    }
    let queue = DispatchQueue(label: "test")
    queue.suspend()
    store.put(2, "count")
    store.announceChange(of: ["count"]) { queue.async(execute: $0) }
    XCTAssertEqual(count.wrappedValue, 2)
    XCTAssertFalse(isTold)
    queue.resume()
    queue.sync {}
    XCTAssertTrue(isTold)
  }

  private struct Counted: UserDefaultsSerializable {
    nonisolated(unsafe) static var decodings = 0
    var storedValue: Int
    init(storedValue: Int) {
      Self.decodings += 1
      self.storedValue = storedValue
    }
  }

  func testAValueIsDecodedOnce() {
    let store = ServerDefaults()
    let count = WrappedDefaultOptional<Counted>("count", userDefaults: store)
    store.set(7, forKey: "count")
    Counted.decodings = 0
    for _ in 0..<10 { XCTAssertEqual(count.wrappedValue?.storedValue, 7) }
    XCTAssertEqual(Counted.decodings, 1)
    store.set(8, forKey: "count")
    XCTAssertEqual(count.wrappedValue?.storedValue, 8)
  }

  func testARegisteredDefaultIsNotTakenForAStoredValue() {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
    store.register(defaults: ["count": 2])
    XCTAssertEqual(count.wrappedValue, 1)
    XCTAssertFalse(count.isStored)
    count.wrappedValue = 2
    XCTAssertTrue(count.isStored)
    XCTAssertEqual(count.source, .stored)
  }

  func testARegisteredDefaultIsReadBeneathAnArgumentThatCannotBe() {
    let recorder = recordIssues()
    let store = ServerDefaults()
    store.setVolatileDomain(["count": "many"], forName: UserDefaults.argumentDomain)
    _ = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
    XCTAssertEqual(store.value(for: "count" as UserDefaults.Key<Int>), 3)
    XCTAssertEqual(recorder.take().map(\.key), ["count"])
  }

  func testWithLockBeginsAgainIfAnotherMachineWasQuicker() {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.wrappedValue = 1
    XCTAssertEqual(count.wrappedValue, 1)
    var bodies = 0
    store.beforeComparing = {
      store.beforeComparing = {}
      // In memory, and not announced yet.
      store.put(10, "count")
    }
    let result = count.withLock { value in
      bodies += 1
      value += 1
      return value
    }
    XCTAssertEqual(result, 11)
    XCTAssertEqual(count.wrappedValue, 11)
    XCTAssertEqual(bodies, 2)
  }

  func testWithLockBeginsAgainWhereAFormerKeyIsStoredToo() {
    for isQuicker in [true, false] {
      let store = ServerDefaults()
      store.put(5, "old")
      let count = WrappedDefault(wrappedValue: 0, "count", formerly: "old", userDefaults: store)
      store.beforeComparing = {
        store.beforeComparing = {}
        if isQuicker { store.put(100, "count") }
      }
      count.withLock { $0 += 1 }
      XCTAssertEqual(store.storedObject(forKey: "count") as? Int, isQuicker ? 101 : 6)
      XCTAssertNil(store.storedObject(forKey: "old"))
    }
  }

  func testWithLockBeginsAgainWhereACopyWouldBeKept() {
    for isQuicker in [true, false] {
      _ = recordIssues()
      let store = ServerDefaults()
      store.put("many", "count")
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      store.beforeComparing = {
        store.beforeComparing = {}
        if isQuicker { store.put(100, "count") }
      }
      count.withLock { $0 += 1 }
      XCTAssertEqual(store.storedObject(forKey: "count") as? Int, isQuicker ? 101 : 1)
      XCTAssertEqual(
        store.storedObject(forKey: "count.undecodable") as? String, isQuicker ? nil : "many")
    }
  }

  func testWithLockMovesNothingInAnOutage() {
    let recorder = recordIssues()
    let store = ServerDefaults()
    store.put(5, "old")
    let count = WrappedDefault(wrappedValue: 0, "count", formerly: "old", userDefaults: store)
    store.outage = DefaultsIssue(kind: .saveFailed, key: "count", message: "the server is away")
    count.withLock { $0 += 1 }
    XCTAssertEqual(count.wrappedValue, 5)
    XCTAssertEqual(store.storedObject(forKey: "old") as? Int, 5)
    XCTAssertEqual(recorder.take().map(\.description), ["the server is away"])
  }

  func testWithLockEndsWithAReportIfTheRevisionNeverAgrees() {
    struct TooOften: Error {}
    let recorder = recordIssues()
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.wrappedValue = 1
    // Another machine is always quicker.
    store.beforeComparing = { store.put(10, "count") }
    var bodies = 0
    XCTAssertNoThrow(
      try count.withLock { value in
        bodies += 1
        if bodies > 100_000 { throw TooOften() }
        value += 1
      })
    XCTAssertEqual(count.wrappedValue, 10)
    XCTAssertEqual(recorder.take().map(\.key), ["count"])
  }

  func testATransactionIsBegunAndEndedOnce() {
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    store.transaction {
      count.wrappedValue = 1
      store.transaction { count.withLock { $0 += 1 } }
    }
    XCTAssertEqual(store.log, ["begin", "set count", "set count", "end"])
    XCTAssertEqual(count.wrappedValue, 2)
  }

  func testAFlushThrowsItsOwnIssue() {
    XCTAssertThrowsError(try ServerDefaults().flush()) { error in
      let issue = error as? DefaultsIssue
      XCTAssertEqual(issue?.kind, .saveFailed)
      XCTAssertEqual(issue?.key, "a")
      XCTAssertEqual(issue?.description, "the server is full")
    }
  }

  func testAnIssueOfItsOwnIsReported() {
    let recorder = recordIssues()
    DefaultsIssue(kind: .saveFailed, key: nil, message: "the server is full").report()
    XCTAssertEqual(recorder.take().map(\.description), ["the server is full"])
  }

  func testWithLockChangesNothingInAnOutageAndReportsIt() {
    let recorder = recordIssues()
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.wrappedValue = 1
    store.outage = DefaultsIssue(kind: .saveFailed, key: "count", message: "the server is away")
    XCTAssertEqual(
      count.withLock {
        $0 += 1
        return $0
      }, 2)
    XCTAssertEqual(count.wrappedValue, 1)
    XCTAssertEqual(recorder.take().map(\.description), ["the server is away"])
    // A body that changes nothing needs no server.
    count.withLock { _ in }
    XCTAssertTrue(recorder.take().isEmpty)
  }

  func testEachReadInsideExclusivelyAsksTheStore() throws {
    struct Failure: Error {}
    let store = ServerDefaults()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.wrappedValue = 1
    _ = count.wrappedValue
    store.log = []
    let last = try store.exclusively {
      store.reads = 0
      _ = (count.wrappedValue, count.wrappedValue)
      XCTAssertGreaterThanOrEqual(store.reads, 2)
      count.withLock { $0 += 1 }
      return count.wrappedValue
    }
    XCTAssertEqual(last, 2)
    XCTAssertEqual(store.log, ["begin", "set count", "end"])
    XCTAssertThrowsError(
      try store.exclusively {
        count.wrappedValue = 5
        throw Failure()
      })
    XCTAssertEqual(count.wrappedValue, 2)
  }
}
