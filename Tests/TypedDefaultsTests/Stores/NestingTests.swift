import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// What may stand inside the bodies of `transaction`, `exclusively` and `withLock`.
final class NestingTests: XCTestCase {
  private struct Failure: Error {}

  private typealias Body = (UserDefaults, WrappedDefault<Int>, () throws -> Void) throws -> Void

  private let transaction: Body = { store, _, body in try store.transaction(body) }
  private let exclusively: Body = { store, _, body in try store.exclusively(body) }
  private let withLock: Body = { _, count, body in try count.withLock { _ in try body() } }

  private func count(_ store: UserDefaults) -> WrappedDefault<Int> {
    WrappedDefault(wrappedValue: 0, "count", formerly: "former", userDefaults: store)
  }

  /// Checks that calls throw inside a body, and work after it.
  private func assertRefused(
    in function: String, _ body: Body,
    _ calls: [(name: String, call: (UserDefaults) throws -> Void)],
    line: UInt = #line
  ) throws {
    for store in try makeStoresAndSubclasses() {
      let count = count(store)
      for (name, call) in calls {
        try body(store, count) {
          XCTAssertThrowsError(try call(store), "\(store) \(name)", line: line) { error in
            XCTAssertEqual((error as? DefaultsIssue)?.kind, .saveFailed, line: line)
            XCTAssertEqual(
              "\(error)",
              """
              \(name) was called inside \(function) of the same store, whose changes are saved after it. \
              The call has changed and saved nothing. Call \(name) outside \(function).
              """, line: line)
          }
        }
        XCTAssertNoThrow(try call(store), "\(store) \(name)", line: line)
      }
    }
  }

  func testExclusivelyInsideATransactionOrWithLockIsRefused() throws {
    let call: (UserDefaults) throws -> Void = { store in
      try store.exclusively { store.set(1, for: "other") }
    }
    try assertRefused(in: "transaction(_:)", transaction, [("exclusively(_:)", call)])
    try assertRefused(in: "withLock(_:)", withLock, [("exclusively(_:)", call)])
  }

  func testAFlushInsideAnyOfThemIsRefused() throws {
    let call: (UserDefaults) throws -> Void = { try $0.flush() }
    try assertRefused(in: "transaction(_:)", transaction, [("flush()", call)])
    try assertRefused(in: "exclusively(_:)", exclusively, [("flush()", call)])
    try assertRefused(in: "withLock(_:)", withLock, [("flush()", call)])
  }

  func testWhatIsRefusedHasNotRunItsBody() throws {
    for store in try makeStoresAndSubclasses() {
      let count = count(store)
      XCTAssertThrowsError(
        try store.transaction { try store.exclusively { count.wrappedValue = 7 } })
      XCTAssertFalse(count.isStored, "\(store)")
      let result: Void? = count.withLock { value in
        value += 1
        return try? store.exclusively { count.wrappedValue = 7 }
      }
      XCTAssertNil(result)
      XCTAssertEqual(count.wrappedValue, 1, "\(store)")
      count.reset()
    }
  }

  func testTheBodyAroundCountsHoweverFarOutItIs() throws {
    let store = UserDefaults.inMemory()
    let (count, other) = (count(store), UserDefaults.inMemory())
    try store.transaction {
      try other.exclusively {
        try count.withLock { _ in
          XCTAssertThrowsError(try store.flush())
          XCTAssertThrowsError(try other.flush())
          XCTAssertThrowsError(try store.exclusively {})
        }
      }
    }
    XCTAssertNoThrow(try store.flush())
    // A body that throws is left, too.
    XCTAssertThrowsError(try count.withLock { _ in throw Failure() })
    XCTAssertThrowsError(try store.exclusively { throw Failure() })
    XCTAssertNoThrow(try store.flush())
  }

  func testExclusivelyInsideItselfIsOne() throws {
    for store in try makeStoresAndSubclasses() {
      let count = count(store)
      let result = try store.exclusively {
        try store.exclusively { count.wrappedValue += 1 }
        try store.transaction { try store.exclusively { count.wrappedValue += 1 } }
        try count.withLock { value in
          value += 1
          try store.exclusively { XCTAssertEqual(count.wrappedValue, 2, "\(store)") }
        }
        XCTAssertThrowsError(
          try store.exclusively {
            count.wrappedValue = 7
            throw Failure()
          })
        return count.wrappedValue
      }
      XCTAssertEqual(result, 3, "\(store)")
      XCTAssertThrowsError(
        try store.exclusively {
          try store.exclusively { count.wrappedValue = 7 }
          throw Failure()
        })
      XCTAssertEqual(count.wrappedValue, 3, "\(store)")
    }
  }

  func testAnotherStoreAndAnotherThreadAreNotInside() throws {
    for (store, other) in zip(try makeStores(), try makeStores()) {
      for body in [transaction, withLock] {
        try body(store, count(store)) {
          XCTAssertNoThrow(try other.flush())
          XCTAssertNoThrow(try other.exclusively {})
          let isDone = expectation(description: "done")
          let shared = SharedStore(store)
          Thread.detachNewThread {
            XCTAssertNotNil(try? shared.instance.flush())
            XCTAssertNotNil(try? shared.instance.exclusively {})
            isDone.fulfill()
          }
          wait(for: [isDone], timeout: 60)
        }
      }
    }
  }

  func testAListenerIsCalledAfterItAndMayFlush() throws {
    for made in try makeStoresAndSubclasses() {
      nonisolated(unsafe) let store = made
      let count = count(store)
      nonisolated(unsafe) var results: [Bool] = []
      let observation = count.onChange { _, _ in
        results.append((try? store.flush()) != nil)
        results.append((try? store.exclusively {}) != nil)
      }
      store.transaction { count.wrappedValue = 1 }
      count.withLock { $0 = 2 }
      try store.exclusively { count.wrappedValue = 3 }
      XCTAssertEqual(results, Array(repeating: true, count: 6), "\(store)")
      observation.cancel()
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testSynchronizeOfASavedStoreReturnsFalseInside() throws {
      let store = try makeSavedSuite()
      store.transaction { XCTAssertFalse(store.synchronize()) }
      XCTAssertTrue(store.synchronize())
    }
  #endif
}
