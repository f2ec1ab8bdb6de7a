import Foundation
import TypedDefaults
import XCTest

/// Transactions that nobody comes between.
final class ExclusiveTests: XCTestCase {
  private struct Failure: Error {}

  func testThreadsCountTogetherInEachStore() throws {
    for made in try makeStores() {
      nonisolated(unsafe) let store = made
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<10 {
          do {
            try store.exclusively { count.wrappedValue += 1 }
          } catch {
            XCTFail("\(error)")
          }
        }
      }
      XCTAssertEqual(count.wrappedValue, 40, "\(store)")
    }
  }

  func testItsResultIsTheBodysAndItsChangesAreUndoneIfTheBodyThrows() throws {
    for store in try makeStoresAndSubclasses() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let result = try store.exclusively {
        count.wrappedValue += 1
        return "done"
      }
      XCTAssertEqual(result, "done", "\(store)")
      XCTAssertThrowsError(
        try store.exclusively {
          count.wrappedValue = 7
          throw Failure()
        })
      XCTAssertEqual(count.wrappedValue, 1, "\(store)")
    }
  }

  func testWithLockAndTransactionsWorkInside() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: store)
      try store.exclusively {
        count.withLock { $0 += 1 }
        store.transaction { other.wrappedValue = 5 }
        try? store.transaction {
          other.wrappedValue = 6
          throw Failure()
        }
        try store.exclusively { count.wrappedValue += 1 }
      }
      try store.flush()
      XCTAssertEqual([count.wrappedValue, other.wrappedValue], [2, 5], "\(store)")
    }
  }
}
