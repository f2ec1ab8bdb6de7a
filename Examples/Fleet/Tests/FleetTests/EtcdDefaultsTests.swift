import EtcdDefaults
import Observation
import RemoteDefaults
import TypedDefaults
import XCTest

/// Settings that machines share by etcd, without faults.
final class EtcdDefaultsTests: EtcdTestCase {
  // MARK: Stored forms

  func testValuesAreTextThatAPersonReads() throws {
    let store = try open()
    store.set("dark", for: "theme")
    store.set(true, for: "flag")
    store.set(3, for: "count")
    store.set(0.1, for: "rate")
    store.set(["a", "b/c"], for: "tags")
    store.set(Date(timeIntervalSince1970: 0), for: "date")
    try store.flush()
    XCTAssertEqual(try stored("theme"), #""dark""#)
    XCTAssertEqual(try stored("flag"), "true")
    XCTAssertEqual(try stored("count"), "3")
    XCTAssertEqual(try stored("rate"), "0.1")
    XCTAssertEqual(try stored("tags"), #"["a","b/c"]"#)
    XCTAssertTrue(try stored("date").contains("<date>1970-01-01T00:00:00Z</date>"))
  }

  func testEachValueReadsBackEqualOnAnotherMachine() throws {
    func check<V: UserDefaultsSerializable & Equatable>(_ value: V, _ name: String) throws {
      let key = UserDefaults.Key<V>(name: name)
      let store = try open()
      store.set(value, for: key)
      try store.flush()
      XCTAssertEqual(try open().value(for: key), value, name)
    }
    try check(Int.max, "largest")
    try check(UInt64.max, "largest unsigned")
    try check(-1.5e300, "large")
    try check(Double.infinity, "infinity")
    try check("line\nline \u{0} \u{1F600} \"quoted\"", "string")
    try check(Data([0, 255, 1]), "data")
    try check([true, false], "Booleans")
    try check(["a b": ["c": [1, 2]]], "dictionary")
    try check(URL(string: "https://example.com/a?b=c")!, "url")
    try check(UUID(), "uuid")
  }

  func testWhatAPersonPutsIsReadAndHeard() async throws {
    let store = try open()
    var theme = store.updates(for: "theme" as UserDefaults.Key<String>).makeAsyncIterator()
    let first = await theme.next()
    XCTAssertEqual(first, .some(nil))
    try cluster.control("put", "\(prefix)/theme", "dark")
    let second = await theme.next()
    XCTAssertEqual(second, "dark")
    try cluster.control("put", "\(prefix)/theme", #""light""#)
    let third = await theme.next()
    XCTAssertEqual(third, "light")
    try cluster.control("del", "\(prefix)/theme")
    let last = await theme.next()
    XCTAssertEqual(last, .some(nil))
  }

  func testRawAccessorsReadAndWrite() throws {
    let store = try open()
    store.set(true, forKey: "flag")
    store.set(7, forKey: "count")
    store.set(0.5, forKey: "rate")
    store.register(defaults: ["name": "default", "count": 1])
    XCTAssertTrue(store.bool(forKey: "flag"))
    XCTAssertEqual(store.integer(forKey: "count"), 7)
    XCTAssertEqual(store.double(forKey: "rate"), 0.5)
    XCTAssertEqual(store.string(forKey: "name"), "default")
    store.removeObject(forKey: "count")
    XCTAssertEqual(store.integer(forKey: "count"), 1)
    XCTAssertTrue(store.synchronize())
    XCTAssertEqual(try stored("flag"), "true")
    XCTAssertEqual(try stored("count"), "")
  }

  func testAnObjectThatNoPropertyListHoldsIsReported() throws {
    let recorder = recordIssues()
    let store = try open()
    store.set(1, forKey: "key")
    store.set(UUID() as Any, forKey: "key")
    XCTAssertEqual(recorder.all.map(\.kind), [.unencodableValue])
    XCTAssertEqual(store.integer(forKey: "key"), 1)
  }

  func testADeclarationReadsItsOwnDefault() throws {
    let store = try open()
    let one = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
    store.register(defaults: ["count": 2])
    XCTAssertEqual(one.wrappedValue, 1)
    XCTAssertFalse(one.isStored)
    one.wrappedValue = 2
    XCTAssertTrue(one.isStored)
    one.reset()
    XCTAssertEqual(one.wrappedValue, 1)
  }

  // MARK: Two machines

  func testAChangeIsHeardByItsKeyAlone() async throws {
    let (one, two) = (try open(), try open())
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: two)
    let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: two)
    XCTAssertEqual(count.wrappedValue + other.wrappedValue, 0)
    let changed = expectation(description: "changed")
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      changed.fulfill()
    }
    withObservationTracking {
      _ = other.wrappedValue
    } onChange: {
      XCTFail("another key")
    }
    one.set(5, for: "count")
    await fulfillment(of: [changed], timeout: 10)
    XCTAssertEqual(count.wrappedValue, 5)
  }

  func testIncrementsOfEightMachinesAreAllThere() throws {
    let machines = try (0..<8).map { _ in try machine("increment", "\(Scale.increments)") }
    for machine in machines { XCTAssertEqual(machine.end().status, 0) }
    XCTAssertEqual(try stored("count"), "\(8 * Scale.increments)")
  }

  func testNoIncrementIsLostOrMadeTwiceWhileMembersAreKilled() throws {
    let cluster = try cluster
    let machines = try (0..<4).map { _ in try machine("increment", "\(2 * Scale.increments)") }
    for member in 0..<cluster.count {
      cluster.kill(member)
      try cluster.start(member)
      try cluster.waitUntilHealthy()
    }
    for machine in machines { XCTAssertEqual(machine.end().status, 0) }
    XCTAssertEqual(try stored("count"), "\(8 * Scale.increments)")
  }

  func testAnIncrementWhoseAnswerIsLostIsMadeOnce() throws {
    let proxy = try Proxy(to: try cluster.endpoints[0])
    defer { proxy.close() }
    let store = try EtcdDefaults.open(
      EtcdOptions(endpoints: [proxy.endpoint], prefix: prefix), within: .seconds(10))
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    for expected in 1...5 {
      proxy.loseNextAnswer()
      count.withLock { $0 += 1 }
      XCTAssertEqual(try stored("count"), "\(expected)")
    }
    // By now the answer to the change is lost, and it is not the last change any more.
    let other = try open()
    proxy.loseNextAnswer()
    let waiting = Thread { count.withLock { $0 += 1 } }
    waiting.start()
    waitUntil { other.value(for: "count") == 6 }
    other.set(100, for: "count")
    try other.flush()
    waitUntil { waiting.isFinished }
    XCTAssertEqual(try stored("count"), "100")
  }

  func testIncrementsOfThreadsThatBlockTheConcurrencyRuntime() async throws {
    nonisolated(unsafe) let store = try open()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { for _ in 0..<5 { count.withLock { $0 += 1 } } } }
    }
    XCTAssertEqual(try stored("count"), "80")
  }

  func testAReaderSeesATransactionWhole() throws {
    let store = try open()
    let mover = try machine("move", "500")
    // Raw reads: the library forgets decoded values key by key.
    func value(_ key: String) -> Int { abs(store.integer(forKey: key)) }
    var seen = 0
    var last = 0
    while last < 500 {
      // Time goes on between two reads, so that the second may be the newer one.
      let (a, b) = (value("left"), value("right"))
      let (c, d) = (value("right"), value("left"))
      XCTAssertLessThanOrEqual(a, b)
      XCTAssertLessThanOrEqual(c, d)
      if d != last { seen += 1 }
      last = d
    }
    XCTAssertEqual(mover.end().status, 0)
    XCTAssertGreaterThan(seen, 10)
  }

  func testAnUndoneTransactionSendsNothing() throws {
    struct Failure: Error {}
    let (one, two) = (try open(), try open())
    one.set(1, for: "left")
    try one.flush()
    try? one.transaction {
      one.set(2, for: "left")
      one.set(2, for: "right")
      two.set(5, for: "left")
      try two.flush()
      throw Failure()
    }
    try one.flush()
    XCTAssertEqual(try stored("left"), "5")
    XCTAssertEqual(try stored("right"), "")
    waitUntil { one.value(for: "left") == 5 }
  }
}
