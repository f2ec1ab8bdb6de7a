import RemoteDefaults
import Synchronization
import TypedDefaults
import XCTest

/// What a store does while its server fails, on a server in memory.
final class RemoteOutageTests: XCTestCase {
  private let server = MemoryServer()
  private let a = "a" as UserDefaults.Key<Int>
  private let b = "b" as UserDefaults.Key<Int>

  private func open(localCopy: String? = nil) throws -> RemoteDefaults {
    try RemoteDefaults.open(
      server, within: .seconds(5), patience: .milliseconds(300), localCopy: localCopy)
  }

  private func stored(_ key: String) -> String? {
    server.change { $0.entries[key].map { String(decoding: $0.text, as: UTF8.self) } }
  }

  private func put(_ key: String, _ text: String?) {
    server.change { $0.put([key: text.map { Data($0.utf8) }]) }
  }

  private func fault(_ cause: String, _ kind: ServerError.Kind = .unavailable) -> ServerError {
    ServerError(kind, cause, advice: "Mend it.")
  }

  // MARK: What is told

  func testAnOutageIsToldOnceWithItsNewestCauseAndItsEnd() throws {
    let recorder = recordIssues()
    let store = try open()
    server.change { ($0.before, $0.deaf) = (fault("too busy"), fault("too busy")) }
    store.set(1, for: a)
    usleep(100_000)
    server.change { ($0.before, $0.deaf) = (fault("on fire"), fault("on fire")) }
    waitUntil { !recorder.all.isEmpty }
    XCTAssertTrue("\(recorder.all[0])".contains("the memory: on fire. "), "\(recorder.all[0])")
    XCTAssertThrowsError(try store.flush())
    server.change { ($0.before, $0.deaf) = (nil, nil) }
    waitUntil { recorder.all.count == 2 }
    XCTAssertEqual(
      "\(recorder.all[1])",
      "The outage is over: changes are sent to the memory and heard again.")
    XCTAssertEqual(stored("a"), "1")
  }

  func testALostPermissionToReadIsToldWhileWritingGoesOn() throws {
    let recorder = recordIssues()
    let store = try open()
    server.change { $0.deaf = fault("reading is forbidden", .denied) }
    waitUntil { !recorder.all.isEmpty }
    for value in 1...5 {
      store.set(value, for: a)
      try store.flush()
    }
    // A busy machine may take the outage for ended between two of its signs, and tell it again.
    XCTAssertEqual(
      Set(recorder.all.map(\.description).filter { !$0.hasPrefix("The outage is over") }),
      [
        """
        Changes of other programs are not heard from the memory: reading is forbidden. Settings are read \
        from memory, and may be old. Mend it.
        """
      ])
  }

  func testAnOutageOfSendingIsToldOnceWhileHearingGoesOn() throws {
    let recorder = recordIssues()
    let store = try open()
    server.change { $0.before = fault("database space exceeded") }
    store.set(1, for: a)
    waitUntil { !recorder.all.isEmpty }
    // Signs of life come every half second.
    usleep(1_500_000)
    XCTAssertEqual(recorder.all.count, 1, "\(recorder.all)")
    put("b", "7")
    waitUntil { store.value(for: self.b) == 7 }
  }

  func testASilentServerIsLeftWithinFiveSeconds() throws {
    let store = try open()
    let start = ContinuousClock.now
    server.change { $0.isSilent = true }
    put("a", "5")
    waitUntil { store.value(for: self.a) == 5 }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(5))
    waitUntil { store.sinceHeard! < .seconds(4) }
  }

  func testARestoredServerIsLoadedAgainAndToldOnce() throws {
    let recorder = recordIssues()
    put("a", "1")
    let (entries, version) = server.change { ($0.entries, $0.version) }
    put("gone", "1")
    let store = try open()
    let count = WrappedDefault(wrappedValue: 0, "a", userDefaults: store)
    count.withLock { $0 += 1 }
    XCTAssertEqual(count.wrappedValue, 2)
    server.change { server in
      (server.entries, server.version, server.history) = (entries, version, [])
      server.deaf = fault("restarted")
    }
    waitUntil { !recorder.all.isEmpty }
    server.change { $0.deaf = nil }
    waitUntil { count.wrappedValue == 1 && store.object(forKey: "gone") == nil }
    count.withLock { $0 += 1 }
    XCTAssertEqual(stored("a"), "2")
    XCTAssertEqual(recorder.all.count { "\($0)".contains("a snapshot was restored") }, 1)
  }

  func testAnOlderChangeThatOverwritesANewerOneIsTold() throws {
    let recorder = recordIssues()
    let store = try open()
    store.set(1, for: a)
    store.set(1, for: b)
    try store.flush()
    server.change { $0.before = fault("away") }
    store.set(2, for: a)
    store.set(2, for: b)
    usleep(1_200_000)
    put("a", "9")
    server.change { $0.before = nil }
    waitUntil { (try? store.flush()) != nil }
    XCTAssertEqual(stored("a"), "2")
    XCTAssertEqual(stored("b"), "2")
    // It is told by another thread, perhaps after the flush.
    waitUntil { recorder.all.contains { $0.key == "a" } }
    let told = recorder.all.filter {
      "\($0)".hasPrefix("A newer change of \"a\" by another program")
    }
    XCTAssertEqual(told.map(\.key), ["a"])
    XCTAssertFalse(recorder.all.contains { $0.key == "b" })
  }

  func testARefusedChangeIsUndoneAndTheOthersAreMade() throws {
    let recorder = recordIssues()
    let store = try open()
    server.change { $0.before = fault("away") }
    store.set(1, for: a)
    store.set(1, for: "refused")
    store.set(2, for: a)
    store.set(2, for: b)
    server.change { $0.before = nil }
    XCTAssertThrowsError(try store.flush()) {
      XCTAssertEqual(
        "\($0)",
        #"The change of "refused" is undone: the memory refuses it: it is not allowed. Ask."#)
    }
    XCTAssertEqual(stored("a"), "2")
    XCTAssertEqual(stored("b"), "2")
    XCTAssertNil(store.object(forKey: "refused"))
    waitUntil { recorder.all.count == 1 }
    XCTAssertThrowsError(try store.exclusively { store.set(1, for: "refused") })
    XCTAssertNil(store.object(forKey: "refused"))
  }

  // MARK: What is sent

  func testTooManyChangesAreRefusedBeforeAnyIsMade() throws {
    let recorder = recordIssues()
    let store = try open()
    let version = server.change { $0.version }
    store.transaction { for key in 1...6 { store.set(key, forKey: "\(key)") } }
    XCTAssertTrue("\(recorder.all[0])".contains("changes 6 keys"), "\(recorder.all)")
    XCTAssertTrue(
      "\(recorder.all[0])".contains("at most 5 keys and 4000 bytes. Nothing is changed"))
    XCTAssertThrowsError(try store.flush())
    XCTAssertNil(store.object(forKey: "1"))
    XCTAssertThrowsError(
      try store.exclusively { for key in 1...6 { store.set(key, forKey: "\(key)") } })
    store.set(String(repeating: "x", count: 5000), for: "long")
    XCTAssertEqual(recorder.all.last?.key, "long")
    XCTAssertThrowsError(try store.flush())
    XCTAssertEqual(server.change { $0.version }, version)
    store.transaction { for key in 1...5 { store.set(key, forKey: "\(key)") } }
    try store.flush()
    XCTAssertEqual(server.change { $0.version }, version + 1)
  }

  func testTheOrderOfChangesIsKeptAndOnesOfAKeyCoalesce() throws {
    let store = try open()
    for round in 0..<3 {
      server.change { $0.before = round == 1 ? fault("away") : nil }
      for value in 1...1000 {
        for key in ["a", "b", "c", "d", "e", "f", "g"] {
          store.set(round * 1000 + value, forKey: key)
        }
      }
    }
    server.change { $0.before = nil }
    waitUntil { (try? store.flush()) != nil }
    var seen: [String: Int] = [:]
    for change in server.change({ $0.history }) {
      for (key, text) in change.values { seen[key] = Int(String(decoding: text!, as: UTF8.self)) }
      let values = ["a", "b", "c", "d", "e", "f", "g"].map { seen[$0] ?? 0 }
      XCTAssertEqual(values, values.sorted(by: >), "a later change came first")
    }
    XCTAssertEqual(Set(seen.values), [3000])
  }

  func testAQueueOfAMillionChangesOfAKeyIsOneCommit() throws {
    let store = try open()
    server.change { $0.before = fault("away") }
    func add(_ count: Int) -> Duration {
      ContinuousClock().measure { for value in 1...count { store.set(value, forKey: "a") } }
    }
    _ = add(1000)
    let few = add(Scale.isFull ? 100_000 : 3000)
    let many = add(Scale.isFull ? 1_000_000 : 30_000)
    XCTAssertLessThan(many / few, 30)
    server.change { $0.before = nil }
    waitUntil { (try? store.flush()) != nil }
    XCTAssertLessThanOrEqual(server.change { $0.history.count }, 3)
    XCTAssertEqual(stored("a"), Scale.isFull ? "1000000" : "30000")
  }

  // MARK: The end

  func testAReleasedStoreSendsItsChanges() throws {
    server.change { $0.before = fault("away") }
    var store: RemoteDefaults? = try open()
    for key in 0..<400 { store?.set(key, forKey: "\(key)") }
    weak let released = store
    store = nil
    XCTAssertNil(released)
    server.change { $0.before = nil }
    waitUntil { self.server.change { $0.entries.count } == 400 }
  }

  func testCloseTellsByKeyWhatCannotBeSent() throws {
    let recorder = recordIssues()
    let store = try open()
    server.change { $0.before = fault("away") }
    store.set(1, for: a)
    store.set(1, for: b)
    store.close(within: .milliseconds(100))
    XCTAssertEqual(
      recorder.all.map(\.description),
      [
        """
        The last changes of "a", "b" are lost: they could not be sent to the memory before the end: away. \
        Call flush() before the end, and see what it throws.
        """
      ])
    XCTAssertThrowsError(try store.flush())
  }

  // MARK: The copy on this machine

  func testADeletedKeyDoesNotComeBackFromTheCopy() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "FleetTests-\(UUID())")
    let name = folder.appending(path: "copy").path
    let copy = UserDefaults.saved(suiteName: name)
    defer {
      try? copy.flush()
      try? FileManager.default.removeItem(at: folder)
    }
    put("a", "1")
    put("gone", "1")
    var store: RemoteDefaults? = try open(localCopy: name)
    waitUntil { copy.integer(forKey: "gone") == 1 }
    store?.close()
    put("gone", nil)
    store = try open(localCopy: name)
    waitUntil { copy.object(forKey: "gone") == nil }
    store?.close()
    server.change { $0.deaf = fault("away") }
    store = try RemoteDefaults.open(server, within: .milliseconds(100), localCopy: name)
    XCTAssertEqual(store?.value(for: a), 1)
    XCTAssertNil(store?.object(forKey: "gone"))
    store?.close()
  }
}
