import Foundation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

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

  /// Takes two things on two threads, in opposite orders: each thread its second one, once both have
  /// their first.
  private func errorsOfTwoThreads(
    _ outer: (_ isFirst: Bool, _ inside: () throws -> Void) throws -> Void,
    _ inner: (_ isFirst: Bool) throws -> Void
  ) -> [any Error] {
    let errors = TestMutex<[any Error]>([])
    let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    withoutActuallyEscaping(outer) { outer in
      withoutActuallyEscaping(inner) { inner in
        nonisolated(unsafe) let (outer, inner) = (outer, inner)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          do {
            try outer(index == 0) {
              begun[index].signal()
              begun[1 - index].wait()
              try inner(index == 0)
            }
          } catch {
            errors.withLock { $0.append(error) }
          }
        }
      }
    }
    return errors.withLock(\.self)
  }

  func testOfTwoStoresInOppositeOrdersOneThrowsAnIssueThatNamesBoth() throws {
    let suites = [try makeSuiteName(), try makeSuiteName()]
    let keys = ["\"first\"", "\"second\""]
    #if TYPED_DEFAULTS_PLATFORM_SAVES
      let files = keys  // The library does not know them.
    #else
      let files = suites
    #endif
    for (made, names) in [
      ([UserDefaults.inMemory(), .inMemory()], keys),
      (suites.map { .saved(suiteName: $0) }, files),
    ] {
      nonisolated(unsafe) let stores = made
      let counts = zip(["first", "second"], made).map {
        WrappedDefault(wrappedValue: 0, .init(name: $0), userDefaults: $1)
      }
      let errors = errorsOfTwoThreads { isFirst, inside in
        try stores[isFirst ? 0 : 1].exclusively(inside)
      } _: { isFirst in
        let index = isFirst ? 1 : 0
        try stores[index].exclusively { counts[index].wrappedValue += 1 }
      }
      XCTAssertEqual(errors.count, 1, "\(errors)")
      XCTAssertEqual((errors.first as? DefaultsIssue)?.kind, .saveFailed)
      XCTAssertEqual(counts.map(\.wrappedValue).sorted(), [0, 1])
      for name in names { XCTAssertTrue("\(errors)".contains(name), "\(errors)") }
    }
  }

  func testAgainstWithLockOfAnotherStoreOneThrows() throws {
    nonisolated(unsafe) let store = UserDefaults.inMemory()
    let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: .inMemory())
    let errors = errorsOfTwoThreads { isFirst, inside in
      if isFirst { try store.exclusively(inside) } else { try other.withLock { _ in try inside() } }
    } _: { isFirst in
      if isFirst { other.withLock { $0 += 1 } } else { try store.exclusively {} }
    }
    XCTAssertEqual(errors.map { ($0 as? DefaultsIssue)?.kind }, [.saveFailed])
    XCTAssertTrue(
      "\(errors)".contains("inside withLock(_:) of the store in memory with the key \"other"))
    XCTAssertEqual(other.wrappedValue, 1)
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
