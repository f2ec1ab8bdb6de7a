import Foundation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

extension UpdatesTests {
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
      // The first read returns what was there before or after.
      let first = await values.next()
      let last = first == 4 ? await values.next() : first
      XCTAssertEqual(last, 5)
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
      for value in 0..<50_000 { settings.volume = value }
      let growth = try Self.residentMemory() - before
      withExtendedLifetime(iterator) {
        XCTAssertLessThan(growth, 500_000, "10 bytes for each value")
      }
    }

    private static func residentMemory() throws -> Int {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
        separator: " ")
      // Without the pages of libraries, which come with the first use of their code.
      return (Int(pages[1])! - Int(pages[2])!) * sysconf(Int32(_SC_PAGESIZE))
    }
  #endif
}
