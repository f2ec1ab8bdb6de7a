import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Wake: SettingsGroup {
  @WrappedDefault("hour", formerly: "h") var hour = 7
}

private struct Settings: SettingsGroup {
  @WrappedDefault("count") var count = 0
  @WrappedDefault("total") var total = 0
  let wake = Wake(prefix: "wake/", formerly: "alarm/", "")
}

/// A group acts on all its settings as a store does.
final class GroupActionTests: XCTestCase {
  private struct Failure: Error {}

  func testATransactionIsUndoneIfItsBodyThrows() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store)
      settings.transaction {
        settings.count = 1
        settings.total = 1
      }
      XCTAssertThrowsError(
        try settings.transaction {
          settings.count = 2
          settings.wake.hour = 2
          throw Failure()
        })
      XCTAssertEqual([settings.count, settings.total, settings.wake.hour], [1, 1, 7], "\(store)")
      settings.resetAll()
    }
  }

  func testExclusivelyReturnsTheResultOfItsBodyAndCounts() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<5 { try! settings.exclusively { settings.count += 1 } }
      }
      XCTAssertEqual(try settings.exclusively { settings.count }, 40, "\(store)")
      settings.resetAll()
    }
  }

  func testEachStoreOfAGroupTakesPart() throws {
    let stores = [try makeSavedSuite(), try makeSuite()]
    let settings = DeclaringTwo.make(stores)
    XCTAssertThrowsError(
      try settings.exclusively {
        settings.own = 1
        settings.outer = 1
        throw Failure()
      })
    XCTAssertEqual([settings.own, settings.outer], [0, 0])
    try settings.exclusively {
      settings.own = 1
      settings.outer = 1
    }
    try settings.flush()
    for (store, key) in zip(stores, ["own", "outer"]) {
      XCTAssertEqual(store.storedValue(for: UserDefaults.Key<Int>(name: key)), 1)
    }
    settings.resetAll()
  }

  private enum DeclaringTwo {
    nonisolated(unsafe) private static var own: UserDefaults?

    struct Group: SettingsGroup {
      @WrappedDefault("own", userDefaults: DeclaringTwo.own) var own = 0
      @WrappedDefault("outer") var outer = 0
    }

    static func make(_ stores: [UserDefaults]) -> Group {
      own = stores[0]
      defer { own = nil }
      return Group(in: stores[1])
    }
  }

  func testFlushThrowsInsideATransactionOfTheGroup() throws {
    let settings = Settings(in: try makeSavedSuite())
    settings.count = 1
    XCTAssertThrowsError(try settings.transaction { try settings.flush() })
    XCTAssertNoThrow(try settings.flush())
  }

  func testAGroupInsideMovesInAllCombinations() throws {
    let names = [
      "new/wake/hour", "new/wake/h", "new/alarm/hour", "new/alarm/h", "new/hour", "new/h",
      "old/wake/hour", "old/wake/h", "old/alarm/hour", "old/alarm/h", "old/hour", "old/h",
    ]
    for store in try makeStores() {
      let settings = Settings(in: store, prefix: "new/", formerly: "old/")
      for (hour, name) in names.enumerated().reversed() {
        store.set(hour, forKey: name)
        XCTAssertEqual(settings.wake.hour, hour, "\(name) \(store)")
      }
      settings.wake.hour = 20
      for name in names.dropFirst() { XCTAssertNil(store.object(forKey: name), "\(name) \(store)") }
      settings.resetAll()
    }
  }

  // MARK: Awaited

  func testAnAwaitedFlushReturnsWhenTheChangeIsInTheFile() async throws {
    for store in [try makeSavedSuite(), try makeSuite()] {
      let settings = Settings(in: store)
      settings.count = 5
      try await settings.flush()
      settings.total = 6
      try await store.flush()
      let file = try XCTUnwrap(store.fileURL)
      let stored = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: file), format: nil)
      XCTAssertEqual(stored as? [String: Int], ["count": 5, "total": 6])
      settings.resetAll()
    }
  }

  func testACanceledFlushStopsWaitingAndTheChangeIsSaved() async throws {
    let store = try makeSavedSuite()
    let settings = Settings(in: store)
    let (isTaken, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let other = UserDefaults.saved(
      suiteName: try XCTUnwrap(store.fileURL).deletingLastPathComponent()
        .appending(path: "other").path)
    // Of the same directory, whose lock the save has to wait for.
    let neighbor = Settings(in: other)
    Thread.detachNewThread {
      try! neighbor.exclusively {
        isTaken.signal()
        mayEnd.wait()
      }
      isTaken.signal()
    }
    Self.wait(isTaken)
    settings.count = 9
    let task = Task { try await settings.flush() }
    task.cancel()
    do {
      try await task.value
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
    mayEnd.signal()
    Self.wait(isTaken)
    try await settings.flush()
    XCTAssertEqual(store.storedValue(for: "count" as UserDefaults.Key<Int>), 9)
    settings.resetAll()
  }

  /// An asynchronous function may not wait for a semaphore by itself.
  private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  func testTheMainActorMayAwaitAStoreThatItKeeps() async throws {
    let name = try makeSuiteName()
    try await Keeper(name).use()
    let stored = UserDefaults(suiteName: name)?.storedValue(for: "kept" as UserDefaults.Key<Int>)
    XCTAssertEqual(stored, 1)
  }

  @MainActor
  private final class Keeper {
    let store: UserDefaults
    init(_ suite: String) { store = .saved(suiteName: suite) }

    func use() async throws {
      store.set(1, forKey: "kept")
      try await store.flush()
    }
  }
}
