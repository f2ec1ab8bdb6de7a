import Foundation
import Synchronization
import XCTest

@testable import TypedDefaults

private struct Settings: Sendable {
  @WrappedDefault<Int> var volume: Int
  @WrappedDefaultOptional<Int> var optional: Int?

  init(_ userDefaults: UserDefaults, key: String = "volume") {
    _volume = WrappedDefault(keyName: key, defaultValue: 4, userDefaults: userDefaults)
    _optional = WrappedDefaultOptional(keyName: key, userDefaults: userDefaults)
  }
}

final class UpdatesTests: XCTestCase {
  // MARK: What is heard

  func testWrapperHearsEachSource() async throws {
    let suite = try makeSuiteName()
    let settings = Settings(UserDefaults(suiteName: suite)!, key: "heardByWrapper")
    try await expectEachSource(
      suite, "heardByWrapper", heardBy: settings.$volume.updates, unset: 4
    ) { $0 }
  }

  func testOptionalWrapperHearsEachSource() async throws {
    let suite = try makeSuiteName()
    let settings = Settings(UserDefaults(suiteName: suite)!, key: "heardByOptional")
    try await expectEachSource(
      suite, "heardByOptional", heardBy: settings.$optional.updates, unset: nil
    ) { $0 }
  }

  func testTypedKeyHearsEachSource() async throws {
    let suite = try makeSuiteName()
    // Nothing registers a default for this key, which a typed key would read.
    let updates = UserDefaults(suiteName: suite)!.updates(
      for: "heardByKey" as UserDefaults.Key<Int>)
    try await expectEachSource(suite, "heardByKey", heardBy: updates, unset: nil) { $0 }
  }

  /// Makes a change by each source, and after each expects its value and no other.
  private func expectEachSource<V: Equatable & Sendable>(
    _ suite: String, _ key: UserDefaults.Key<Int>, heardBy updates: DefaultUpdates<V>, unset: V,
    _ expected: @escaping @Sendable (Int) -> V
  ) async throws {
    try await withDeadline {
      let userDefaults = UserDefaults(suiteName: suite)!
      let other = UserDefaults(suiteName: suite)!
      let wrapper = WrappedDefaultOptional<Int>(key, userDefaults: userDefaults)
      let otherWrapper = WrappedDefaultOptional<Int>(key, userDefaults: other)
      let state = Store.of(userDefaults).state(of: key.name)

      var values = updates.makeAsyncIterator()
      func expect(_ value: V, _ source: String, line: UInt = #line, _ change: () -> Void) async {
        change()
        let next = await values.next()
        XCTAssertEqual(next, value, source, line: line)
      }
      await expect(unset, "at first") {}
      await expect(expected(5), "wrapper") { wrapper.wrappedValue = 5 }
      await expect(expected(6), "wrapper of another instance") { otherWrapper.wrappedValue = 6 }
      await expect(expected(7), "typed key") { userDefaults.set(7, for: key) }
      await expect(expected(8), "typed key of another instance") { other.set(8, for: key) }
      await expect(expected(9), "withLock") { wrapper.withLock { $0! += 1 } }
      await expect(unset, "reset") { wrapper.reset() }
      await expect(expected(10), "withLock of what is unset") { otherWrapper.withLock { $0 = 10 } }
      await expect(unset, "removeValue") { other.removeValue(for: key) }
      await expect(expected(11), "assigning again") { wrapper.wrappedValue = 11 }
      await expect(unset, "assigning nil") { otherWrapper.wrappedValue = nil }
      await expect(expected(12), "setPersistentDomain") {
        UserDefaults.standard.setPersistentDomain([key.name: 12], forName: suite)
      }
      // Else what Foundation itself has just saved might be taken for another process's change.
      try userDefaults.flush()
      await expect(unset, "removePersistentDomain") {
        UserDefaults.standard.removePersistentDomain(forName: suite)
      }
      // What is done with another process's change.
      await expect(expected(13), "announced change") {
        userDefaults.set(13, forKey: key.name)
        state.announceChange()
      }
      await expect(unset, "announced removal") {
        userDefaults.removeObject(forKey: key.name)
        state.announceChange()
      }
      await expect(expected(15), "after changes that are none") {
        wrapper.reset()
        state.announceChange()
        UserDefaults.standard.removePersistentDomain(forName: suite)
        wrapper.wrappedValue = 15
        userDefaults.set("15", forKey: key.name)
        otherWrapper.wrappedValue = 15
      }
      await expect(expected(16), "after equal values") {
        userDefaults.set("15", forKey: key.name)
        state.announceChange()
        wrapper.wrappedValue = 15
        wrapper.wrappedValue = 16
      }
    }
  }

  func testValueEqualToTheOneBeforeIsNotRepeated() async throws {
    for store in try makeStores() {
      let settings = Settings(store)
      try await withDeadline {
        var values = settings.$volume.updates.makeAsyncIterator()
        var heard = [await values.next()]
        for value in [4, 5, 5, 6, 6, 7] {
          settings.volume = value
          // Each other value is heard before the next one is assigned.
          if value != heard.last { heard.append(await values.next()) }
        }
        XCTAssertEqual(heard, [4, 5, 6, 7])
      }
    }
  }

  func testRawSetOfInMemoryStoreIsHeard() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      raw.set(5, forKey: "volume")
      heard.append(await values.next())
      raw.set(6, forKey: "volume")
      heard.append(await values.next())
      raw.removeObject(forKey: "volume")
      heard.append(await values.next())
      XCTAssertEqual(heard, [4, 5, 6, 4])
    }
  }

  func testKeyNamesWithDotsAndOperatorsAreHeard() async throws {
    let suite = try makeSuiteName()
    for key in ["editor.font.size", "@count", "", "ключ 🔑"] {
      let settings = Settings(UserDefaults(suiteName: suite)!, key: key)
      try await withDeadline {
        var values = settings.$volume.updates.makeAsyncIterator()
        let atFirst = await values.next()
        settings.volume = 5
        let next = await values.next()
        XCTAssertEqual([atFirst, next], [4, 5], key)
      }
    }
  }

  func testUndecodableValueIsTheDefaultAndReported() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    let issues = Mutex<[DefaultsIssue.Kind]>([])
    DefaultsIssue.setHandler { issue in issues.withLock { $0.append(issue.kind) } }
    defer { DefaultsIssue.setHandler(nil) }
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      raw.set(5, forKey: "volume")
      heard.append(await values.next())
      raw.set("loud", forKey: "volume")
      heard.append(await values.next())
      raw.set([1], forKey: "volume")
      raw.set(6, forKey: "volume")
      heard.append(await values.next())
      XCTAssertEqual(heard, [4, 5, 4, 6])
    }
    XCTAssertEqual(issues.withLock { $0 }, [.undecodableValue])
  }

  func testLaunchArgumentHidesWhatIsAssigned() async throws {
    let userDefaults = UserDefaults(suiteName: try makeSuiteName())!
    userDefaults.setVolatileDomain(["volume": "9"], forName: UserDefaults.argumentDomain)
    let settings = Settings(userDefaults)
    nonisolated(unsafe) let raw = userDefaults
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      settings.volume = 5
      async let next = Self.next(of: settings.$volume.updates)
      let other = await next
      XCTAssertEqual(other, 9)
      raw.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      settings.volume = 6
      heard.append(await values.next())
      XCTAssertEqual(heard, [9, 6])
    }
  }

  private static func next<V>(of updates: DefaultUpdates<V>) async -> V? {
    var values = updates.makeAsyncIterator()
    return await values.next()
  }

  // MARK: How it is delivered

  func testEachOf100WritesArrivesInOrder() async throws {
    let settings = Settings(.inMemory())
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      var heard = [await values.next()]
      for value in 1...100 {
        settings.volume = value + 100
        heard.append(await values.next())
      }
      XCTAssertEqual(heard, [4] + (101...200).map(Optional.init))
    }
  }

  func test100QuickWritesToAWaitingConsumerEndWithTheLast() async throws {
    let settings = Settings(UserDefaults(suiteName: try makeSuiteName())!)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    try await withDeadline {
      let listener = Task {
        var heard: [Int] = []
        for await value in settings.$volume.updates {
          heard.append(value)
          start.yield()
          if value == 200 { break }
        }
        return heard
      }
      var starts = started.makeAsyncIterator()
      _ = await starts.next()
      for value in 101...200 { settings.volume = value }
      let heard = await listener.value
      XCTAssertEqual(heard.first, 4)
      XCTAssertEqual(heard.last, 200)
      XCTAssertEqual(heard, heard.sorted(), "in order")
      XCTAssertEqual(heard.count, Set(heard).count, "each once")
    }
  }

  func testSlowConsumerGetsOnlyTheNewest() async throws {
    let settings = Settings(.inMemory())
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      for value in 1...100 { settings.volume = value }
      var heard = [await values.next()]
      for value in 101...200 { settings.volume = value }
      heard.append(await values.next())
      settings.volume = 201
      heard.append(await values.next())
      XCTAssertEqual(heard, [100, 200, 201])
    }
  }

  func testListenersEndWithTheLastValueOfSeveralWritingThreads() async throws {
    let settings = Settings(UserDefaults(suiteName: try makeSuiteName())!)
    let (values, heard) = AsyncStream.makeStream(of: (listener: Int, value: Int).self)
    try await withDeadline {
      let listeners = (0..<4).map { listener in
        Task {
          for await value in settings.$volume.updates { heard.yield((listener, value)) }
        }
      }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for value in 1...100 { settings.volume = thread * 1000 + value }
      }
      // No value is written twice, so who has heard the last is done.
      let last = settings.volume
      var waiting: Set = [0, 1, 2, 3]
      for await heard in values where heard.value == last {
        waiting.remove(heard.listener)
        if waiting.isEmpty { break }
      }
      XCTAssertEqual(waiting, [])
      for listener in listeners { listener.cancel() }
    }
  }

  func testChangeDuringTheFirstReadIsNotLost() async throws {
    let userDefaults = ReadHearingUserDefaults()
    let settings = Settings(userDefaults)
    userDefaults.afterNextRead { settings.volume = 5 }
    try await withDeadline {
      var values = settings.$volume.updates.makeAsyncIterator()
      let heard = [await values.next(), await values.next()]
      XCTAssertEqual(heard, [4, 5])
    }
  }

  func testIterationsAreIndependent() async throws {
    let settings = Settings(.inMemory())
    try await withDeadline {
      let updates = settings.$volume.updates
      var first = updates.makeAsyncIterator()
      var second = updates.makeAsyncIterator()
      var heard = [await first.next()]
      settings.volume = 5
      heard += [await first.next(), await second.next()]
      settings.volume = 6
      var third = updates.makeAsyncIterator()
      heard += [await first.next(), await second.next(), await third.next()]
      XCTAssertEqual(heard, [4, 5, 5, 6, 6, 6])
    }
  }

  func testWriteIsDeliveredToTheListenersOfItsKeyOnly() async throws {
    let userDefaults = ReadHearingUserDefaults()
    let allReads = userDefaults.reads
    let (loud, soft) = (Settings(userDefaults, key: "loud"), Settings(userDefaults, key: "soft"))
    try await withDeadline {
      let listeners = [loud, soft].flatMap { settings in
        (0..<10).map { _ in Task { for await _ in settings.$volume.updates {} } }
      }
      var reads = allReads.makeAsyncIterator()
      for _ in 0..<20 { _ = await reads.next() }
      // The first assignment of a key looks itself, once, what it is to replace.
      loud.volume = 5
      var readAfter: [String?] = []
      for _ in 0..<11 { readAfter.append(await reads.next()) }
      // Had the first write woken anybody else, its read would come before the next one's.
      soft.volume = 6
      for _ in 0..<11 { readAfter.append(await reads.next()) }
      XCTAssertEqual(
        readAfter, Array(repeating: "loud", count: 11) + Array(repeating: "soft", count: 11))
      for listener in listeners { listener.cancel() }
      for listener in listeners { await listener.value }
    }
  }

  func testUpdatesAreAnOrdinarySequence() async throws {
    let settings = Settings(.inMemory())
    let nickname = WrappedDefaultOptional<String>(keyName: "nickname", userDefaults: .inMemory())
    let updates: some AsyncSequence<Int, Never> & Sendable = settings.$volume.updates
    let optionals: some AsyncSequence<String?, Never> & Sendable = nickname.updates
    try await withDeadline {
      let text = await updates.map(String.init).first { _ in true }
      XCTAssertEqual(text, "4")
      let none = await optionals.first { $0 == nil }
      XCTAssertEqual(none, .some(nil))
    }
  }

  // MARK: How it ends

  func testCancelledTaskEndsItsIteration() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    let state = Store.of(userDefaults).state(of: "volume")
    let listeners = state.listeners
    defer { withExtendedLifetime(state) {} }
    try await withDeadline {
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let listener = Task {
        for await _ in settings.$volume.updates { start.yield() }
        return Task.isCancelled
      }
      var starts = started.makeAsyncIterator()
      _ = await starts.next()
      XCTAssertEqual(listeners.count, 1)
      listener.cancel()
      let hasEndedByCancellation = await listener.value
      XCTAssertTrue(hasEndedByCancellation)
      XCTAssertEqual(listeners.count, 0)
    }
  }

  func testCancelledTaskHearsNothing() async throws {
    let settings = Settings(.inMemory())
    try await withDeadline {
      let listener = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in settings.$volume.updates { return true }
        return false
      }
      let hasHeard = await listener.value
      XCTAssertFalse(hasHeard)
    }
  }

  func testDroppedIteratorListensNoMore() async throws {
    let userDefaults = UserDefaults.inMemory()
    let settings = Settings(userDefaults)
    let state = Store.of(userDefaults).state(of: "volume")
    let listeners = state.listeners
    defer { withExtendedLifetime(state) {} }
    for await _ in settings.$volume.updates { break }
    XCTAssertEqual(listeners.count, 0)
    var iterator: DefaultUpdates<Int>.Iterator? = settings.$volume.updates.makeAsyncIterator()
    XCTAssertEqual(listeners.count, 1)
    _ = await iterator?.next()
    iterator = nil
    XCTAssertEqual(listeners.count, 0)
  }

  #if os(Linux)
    func testTenThousandSubscriptionsLeaveNothing() async throws {
      let userDefaults = UserDefaults.inMemory()
      let settings = Settings(userDefaults)
      let state = Store.of(userDefaults).state(of: "volume")
      let listeners = state.listeners
      defer { withExtendedLifetime(state) {} }
      func subscribe(_ count: Int) async throws {
        for _ in 0..<count / 100 {
          let (started, start) = AsyncStream.makeStream(of: Void.self)
          let tasks = (0..<100).map { _ in
            Task { for await _ in settings.$volume.updates { start.yield() } }
          }
          var starts = started.makeAsyncIterator()
          for _ in tasks { _ = await starts.next() }
          XCTAssertEqual(listeners.count, 100)
          settings.volume += 1
          for task in tasks { task.cancel() }
          for task in tasks { await task.value }
        }
      }
      // The allocator's own reserves are filled first.
      try await subscribe(2000)
      let before = try Self.residentMemory()
      try await subscribe(10_000)
      let growth = try Self.residentMemory() - before
      XCTAssertEqual(listeners.count, 0)
      // 100 bytes for each that is left behind, where the smallest has several hundred.
      XCTAssertLessThan(growth, 1_000_000)
    }

    func testListenerThatNeverReadsHoldsNoQueue() throws {
      let settings = Settings(.inMemory())
      let iterator = settings.$volume.updates.makeAsyncIterator()
      for value in 0..<10_000 { settings.volume = value }
      let before = try Self.residentMemory()
      for value in 0..<100_000 { settings.volume = value }
      let growth = try Self.residentMemory() - before
      withExtendedLifetime(iterator) {
        XCTAssertLessThan(growth, 1_000_000, "10 bytes for each value")
      }
    }

    private static func residentMemory() throws -> Int {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
        separator: " ")
      return Int(pages[1])! * sysconf(Int32(_SC_PAGESIZE))
    }
  #endif
}

/// A store in memory that tells of each read.
private final class ReadHearingUserDefaults: UserDefaults {
  let reads: AsyncStream<String>
  private let read: AsyncStream<String>.Continuation
  private let objects = Mutex<[String: Int]>([:])
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  init() {
    (reads, read) = AsyncStream.makeStream()
    super.init(suiteName: "TypedDefaultsTests.\(UUID())")!
  }

  /// Runs a body when the next read has its object but has not returned it.
  func afterNextRead(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  override func object(forKey key: String) -> Any? {
    let object = objects.withLock { $0[key] }
    read.yield(key)
    hook.withLock { $0.take() }?()
    return object
  }

  override func set(_ value: Any?, forKey key: String) {
    objects.withLock { $0[key] = value as? Int }
  }

  override func removeObject(forKey key: String) {
    objects.withLock { $0[key] = nil }
  }

  override func register(defaults registrationDictionary: [String: Any]) {}
}
