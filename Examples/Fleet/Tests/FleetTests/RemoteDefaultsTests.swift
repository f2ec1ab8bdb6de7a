import RemoteDefaults
import Synchronization
import TypedDefaults
import XCTest

/// What any server's store does, on a server in memory.
final class RemoteDefaultsTests: XCTestCase {
  private let server = MemoryServer()
  private let patience = Duration.milliseconds(300)
  private let a = "a" as UserDefaults.Key<Int>
  private let b = "b" as UserDefaults.Key<Int>

  private func open(localCopy: String? = nil) throws -> RemoteDefaults {
    try RemoteDefaults.open(
      server, within: .seconds(5), patience: patience, localCopy: localCopy)
  }

  private func stored(_ key: String) -> String? {
    server.change { $0.entries[key].map { String(decoding: $0.text, as: UTF8.self) } }
  }

  /// What another program does.
  private func put(_ key: String, _ text: String?) {
    server.change { $0.put([key: text.map { Data($0.utf8) }]) }
  }

  private static let outage = ServerError(.unavailable, "the line is dead", advice: "Mend it.")

  private func counter(_ store: UserDefaults) -> WrappedDefault<Int> {
    WrappedDefault(wrappedValue: 0, "a", userDefaults: store)
  }

  // MARK: Changes under a condition

  func testWithLockComparesEvenIfAnOutageWasReported() throws {
    let recorder = recordIssues()
    let count = counter(try open())
    count.wrappedValue = 1
    count.withLock { $0 += 1 }
    server.change { $0.deaf = Self.outage }
    waitUntil { !recorder.all.isEmpty }
    put("a", "10")
    count.withLock { $0 += 1 }
    XCTAssertEqual(stored("a"), "11")
  }

  func testInAnOutageNothingIsChangedUnderACondition() throws {
    let recorder = recordIssues()
    let store = try open()
    let count = counter(store)
    count.wrappedValue = 1
    try store.flush()
    server.change { $0.before = Self.outage }
    let start = ContinuousClock.now
    count.withLock { $0 += 1 }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(1))
    XCTAssertEqual(count.wrappedValue, 1)
    XCTAssertEqual(
      recorder.all.filter { $0.key == "a" }.map(\.description),
      [
        """
        The change of "a" under a condition is not confirmed: it is made if it had already reached the \
        server, and else never will be. Changes cannot be sent to the memory: the line is dead. They are \
        kept in memory, and sent as soon as that is possible. Mend it.
        """
      ])
    XCTAssertThrowsError(try store.exclusively { count.wrappedValue += 1 }) {
      XCTAssertTrue("\($0)".contains("the line is dead"), "\($0)")
    }
    put("a", "10")
    server.change { $0.before = nil }
    store.set(1, for: b)
    waitUntil { (try? store.flush()) != nil }
    XCTAssertEqual(stored("a"), "10")
    count.withLock { $0 += 1 }
    XCTAssertEqual(stored("a"), "11")
  }

  func testAChangeWhoseAnswerIsLostIsMadeOnce() throws {
    let recorder = recordIssues()
    let count = counter(try open())
    count.wrappedValue = 1
    count.withLock { $0 += 1 }
    server.change { $0.after = Self.outage }
    let changing = Thread { count.withLock { $0 += 1 } }
    changing.start()
    waitUntil { self.stored("a") == "3" }
    server.change { $0.after = nil }
    waitUntil { changing.isFinished }
    XCTAssertEqual(stored("a"), "3")
    XCTAssertTrue(recorder.all.isEmpty, "\(recorder.all)")
  }

  func testExclusivelyRunsAgainIfAKeyThatItHasReadChanges() throws {
    let store = try open()
    store.set(1, for: a)
    var runs = 0
    let result = try store.exclusively {
      runs += 1
      let sum = (store.value(for: a) ?? 0) + (store.value(for: b) ?? 0)
      if runs == 1 { put("b", "5") }
      store.set(sum, for: "sum")
      return sum
    }
    XCTAssertEqual(runs, 2)
    XCTAssertEqual(result, 6)
    XCTAssertEqual(stored("sum"), "6")
  }

  func testExclusivelyLosesNothingAmongThreadsAndStores() throws {
    nonisolated(unsafe) let stores = try (0..<4).map { _ in try open() }
    let (a, b) = (a, b)
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let store = stores[index % 4]
      for _ in 0..<25 {
        try? store.exclusively {
          store.set((store.value(for: a) ?? 0) + 1, for: a)
          store.set((store.value(for: a) ?? 0) - (store.value(for: b) ?? 0), for: "difference")
          store.set((store.value(for: b) ?? 0) + 1, for: b)
        }
      }
    }
    XCTAssertEqual(stored("a"), "200")
    XCTAssertEqual(stored("b"), "200")
    XCTAssertEqual(stored("difference"), "1")
  }

  func testABodyThatThrowsChangesNothing() throws {
    struct Failure: Error {}
    let store = try open()
    store.set(1, for: a)
    XCTAssertThrowsError(
      try store.exclusively {
        store.set(2, for: a)
        throw Failure()
      }
    ) { XCTAssertTrue($0 is Failure) }
    XCTAssertEqual(store.value(for: a), 1)
    XCTAssertEqual(stored("a"), "1")
  }

  func testWhatMayStandInsideExclusively() throws {
    let store = try open()
    let other = try open()
    let count = counter(store)
    try store.exclusively {
      count.withLock { $0 += 1 }
      store.transaction { count.wrappedValue += 1 }
      try store.exclusively { count.wrappedValue += 1 }
      try other.exclusively { other.set(7, for: b) }
      XCTAssertThrowsError(try store.flush())
    }
    XCTAssertEqual(stored("a"), "3")
    XCTAssertEqual(stored("b"), "7")
    XCTAssertThrowsError(
      try store.transaction { try store.exclusively { count.wrappedValue = 9 } }
    ) { XCTAssertTrue("\($0)".contains("inside transaction(_:)"), "\($0)") }
    XCTAssertEqual(count.wrappedValue, 3)
  }

  // MARK: Without blocking

  func testTheAsynchronousForms() async throws {
    let store = try await RemoteDefaults.open(server, within: .seconds(5), patience: patience)
    store.set(1, for: a)
    try await store.flush()
    XCTAssertEqual(stored("a"), "1")
    server.change { $0.before = Self.outage }
    store.set(2, for: a)
    do {
      try await store.flush()
      XCTFail("flushed")
    } catch {
      XCTAssertTrue("\(error)".contains("the line is dead"), "\(error)")
    }
    server.change { $0.deaf = Self.outage }
    do {
      _ = try await RemoteDefaults.open(server, within: .milliseconds(100))
      XCTFail("opened")
    } catch {
      XCTAssertTrue("\(error)".contains("cannot be read: the line is dead. Mend it."), "\(error)")
    }
  }

  func testThreadsMayBlockTheConcurrencyRuntime() async throws {
    nonisolated(unsafe) let store = try await RemoteDefaults.open(server, within: .seconds(5))
    let count = counter(store)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { for _ in 0..<5 { count.withLock { $0 += 1 } } } }
    }
    XCTAssertEqual(stored("a"), "80")
  }
}
