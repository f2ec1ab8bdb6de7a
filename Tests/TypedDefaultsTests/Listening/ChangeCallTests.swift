import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

/// The functions that are given to `onChange`.
final class ChangeCallTests: XCTestCase {
  private final class Log<Entry: Sendable>: Sendable {
    private let entries = TestMutex<[Entry]>([])
    func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
    func take() -> [Entry] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  func testEachDifferentValueIsToldWithTheOneBeforeOnTheThreadOfTheChange() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 4, "count", userDefaults: store)
      let thread = ObjectIdentifier(Thread.current)
      let calls = Log<[Int]>()
      let observation = count.onChange { old, new in
        XCTAssertEqual(ObjectIdentifier(Thread.current), thread)
        calls.append([old, new])
      }
      count.wrappedValue = 5
      XCTAssertEqual(calls.take(), [[4, 5]], "\(store)")
      count.wrappedValue = 5
      store.set(6, for: UserDefaults.Key<Int>("count"))
      XCTAssertEqual(calls.take(), [[5, 6]], "\(store)")
      count.reset()
      count.wrappedValue = 4  // The default, now stored.
      XCTAssertEqual(calls.take(), [[6, 4]], "\(store)")
      observation.cancel()
      count.wrappedValue = 7
      XCTAssertEqual(calls.take(), [], "\(store)")
    }
  }

  func testAnOptionalSettingTellsNil() {
    let name = WrappedDefaultOptional<String>("name", userDefaults: .inMemory())
    let calls = Log<[String?]>()
    let observation = name.onChange { calls.append([$0, $1]) }
    name.wrappedValue = "Ann"
    name.wrappedValue = nil
    XCTAssertEqual(calls.take(), [[nil, "Ann"], ["Ann", nil]])
    observation.cancel()
  }

  func testAnObservationThatIsReleasedEnds() {
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: .inMemory())
    let calls = Log<Int>()
    var observation: SettingObservation? = count.onChange { calls.append($1) }
    count.wrappedValue = 1
    XCTAssertNotNil(observation)
    observation = nil
    count.wrappedValue = 2
    XCTAssertEqual(calls.take(), [1])
  }

  func testTheFunctionMayAssignItsOwnSettingAndIsNotCalledInsideItself() {
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: .inMemory())
    let calls = Log<[Int]>()
    let depth = Atomic(0)
    let observation = count.onChange { old, new in
      XCTAssertEqual(depth.add(1, ordering: .relaxed).newValue, 1)
      calls.append([old, new])
      if new < 3 { count.wrappedValue = new + 1 }
      depth.subtract(1, ordering: .relaxed)
    }
    count.wrappedValue = 1
    XCTAssertEqual(calls.take(), [[0, 1], [1, 2], [2, 3]])
    observation.cancel()
  }

  func testChangesInsideALockAreToldEachAfterIt() {
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: .inMemory())
    let calls = Log<[Int]>()
    let observation = count.onChange { calls.append([$0, $1]) }
    count.withLock {
      count.wrappedValue = 1
      count.wrappedValue = 2
      XCTAssertEqual(calls.take(), [])
      $0 = 3
    }
    XCTAssertEqual(calls.take(), [[0, 1], [1, 2], [2, 3]])
    observation.cancel()
  }

  func testATransactionIsToldAsOneChangeAndAnUndoneOneNotAtAll() throws {
    struct Failure: Error {}
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let calls = Log<[Int]>()
      let observation = count.onChange { calls.append([$0, $1]) }
      store.transaction {
        count.wrappedValue = 1
        count.wrappedValue = 2
        XCTAssertEqual(calls.take(), [])
      }
      XCTAssertEqual(calls.take(), [[0, 2]], "\(store)")
      XCTAssertThrowsError(
        try store.transaction {
          count.wrappedValue = 3
          throw Failure()
        })
      XCTAssertEqual(calls.take(), [], "\(store)")
      observation.cancel()
    }
  }

  func testThreadsThatChangeAtOnceHaveEachValueToldInOrder() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let calls = Log<[Int]>()
      let running = Atomic(0)
      // The thread that tells others' changes may go on once they have returned.
      let lastIsTold = expectation(description: "the last value is told")
      let observation = count.onChange { old, new in
        XCTAssertEqual(running.add(1, ordering: .acquiringAndReleasing).newValue, 1)
        calls.append([old, new])
        running.subtract(1, ordering: .acquiringAndReleasing)
        if new == 800 { lastIsTold.fulfill() }
      }
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<100 { count.withLock { $0 += 1 } }
      }
      wait(for: [lastIsTold], timeout: 60)
      XCTAssertEqual(calls.take(), (0..<800).map { [$0, $0 + 1] }, "\(store)")
      observation.cancel()
    }
  }

  // MARK: A slow function

  func testWhatWaitsForASlowFunctionIsBounded() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let calls = Log<[Int]>()
      let isCalled = DispatchSemaphore(value: 0)
      let goesOn = DispatchSemaphore(value: 0)
      let number = 5_000
      let lastIsTold = expectation(description: "the last value is told")
      let observation = count.onChange { old, new in
        calls.append([old, new])
        if new == 1 {
          isCalled.signal()
          goesOn.wait()
        }
        if new == number { lastIsTold.fulfill() }
      }
      Thread.detachNewThread { count.wrappedValue = 1 }
      isCalled.wait()
      for value in 2...number { count.wrappedValue = value }
      goesOn.signal()
      wait(for: [lastIsTold], timeout: 60)
      let told = calls.take()
      assertChain(told, from: 0, to: number)
      XCTAssertLessThan(told.count, number / 4, "\(store)")
      observation.cancel()
    }
  }

  private func assertChain(
    _ calls: [[Int]], from first: Int, to last: Int, line: UInt = #line
  ) {
    XCTAssertEqual(calls.first?.first, first, line: line)
    XCTAssertEqual(calls.last?.last, last, line: line)
    XCTAssertEqual(calls.dropFirst().map(\.[0]), calls.dropLast().map(\.[1]), line: line)
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAChangeOfAnotherProcessIsTold() throws {
      let home = try TemporaryFolder()
      let told = expectation(description: "told")
      let path = home.path + "/suite"
      let store = UserDefaults.saved(suiteName: path)
      let count = WrappedDefault(wrappedValue: "none", "count", userDefaults: store)
      let observation = count.onChange { old, new in
        XCTAssertEqual([old, new], ["none", "7"])
        told.fulfill()
      }
      _ = try ChildProcess.save("suite:\(path)", "set:count=7", in: home)
      wait(for: [told], timeout: 60)
      observation.cancel()
      try store.flush()
    }
  #endif
}
