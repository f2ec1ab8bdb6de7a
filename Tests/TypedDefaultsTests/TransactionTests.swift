import Foundation
import Observation
import TypedDefaults
import XCTest

/// Several changes as one.
final class TransactionTests: XCTestCase {
  private struct Failure: Error {}

  private struct Address {
    let host: WrappedDefault<String>
    let port: WrappedDefault<Int>

    init(_ store: UserDefaults) {
      host = WrappedDefault(wrappedValue: "localhost", "transaction-host", userDefaults: store)
      port = WrappedDefault(wrappedValue: 80, "transaction-port", userDefaults: store)
    }
  }

  func testItsChangesAreSeenAtOnceAndToldAfterIt() throws {
    for store in try makeStores() {
      let address = Address(store)
      nonisolated(unsafe) var told: [String] = []
      withObservationTracking {
        _ = address.host.wrappedValue
      } onChange: {
        told.append("\(address.host.wrappedValue):\(address.port.wrappedValue)")
      }
      let result = store.transaction {
        address.host.wrappedValue = "example.com"
        address.port.wrappedValue = 443
        XCTAssertEqual(address.host.wrappedValue, "example.com")
        XCTAssertEqual(told, [])
        return 7
      }
      XCTAssertEqual(result, 7)
      XCTAssertEqual(told, ["example.com:443"])
      try store.flush()
    }
  }

  func testEachChangeIsUndoneIfTheBodyThrows() throws {
    for store in try makeStores() {
      let address = Address(store)
      address.port.wrappedValue = 8080
      XCTAssertThrowsError(
        try store.transaction {
          address.host.wrappedValue = "example.com"
          address.port.wrappedValue = 443
          address.port.wrappedValue = 444
          throw Failure()
        }
      ) { XCTAssertTrue($0 is Failure) }
      XCTAssertEqual(address.host.wrappedValue, "localhost")
      XCTAssertFalse(address.host.isStored)
      XCTAssertEqual(address.port.wrappedValue, 8080)
      try store.flush()
    }
  }

  func testACollectionThatWasStoredComesBack() throws {
    for store in try makeStores() {
      let lists = WrappedDefault(
        wrappedValue: [[0]], "transaction-lists", userDefaults: store)
      lists.wrappedValue = [[1, 2], []]
      try? store.transaction {
        lists.reset()
        throw Failure()
      }
      XCTAssertEqual(lists.wrappedValue, [[1, 2], []])
      try store.flush()
    }
  }

  func testATransactionInsideAnotherIsPartOfIt() throws {
    for store in try makeStores() {
      let address = Address(store)
      store.transaction {
        address.host.wrappedValue = "outer"
        try? store.transaction {
          address.host.wrappedValue = "inner"
          address.port.wrappedValue = 1
          throw Failure()
        }
        XCTAssertEqual(address.host.wrappedValue, "outer")
        store.transaction { address.port.wrappedValue = 2 }
      }
      XCTAssertEqual(address.host.wrappedValue, "outer")
      XCTAssertEqual(address.port.wrappedValue, 2)
      XCTAssertThrowsError(
        try store.transaction {
          store.transaction { address.port.wrappedValue = 3 }
          throw Failure()
        })
      XCTAssertEqual(address.port.wrappedValue, 2)
      try store.flush()
    }
  }

  func testWhatAnotherThreadHasStoredMeanwhileIsNotUndone() throws {
    for store in try makeStores() {
      let address = Address(store)
      try? store.transaction {
        address.port.wrappedValue = 1
        let hasStored = expectation(description: "stored")
        Thread.detachNewThread {
          address.port.wrappedValue = 2
          hasStored.fulfill()
        }
        wait(for: [hasStored], timeout: 10)
        throw Failure()
      }
      XCTAssertEqual(address.port.wrappedValue, 2)
      try store.flush()
    }
  }

  #if os(Linux) || os(Android)
    func testItsChangesAreSavedTogetherAndNotBeforeItsEnd() throws {
      for isSaved in [true, false] {
        let folder = try TemporaryFolder()
        let name = folder.path + "/suite"
        let store =
          isSaved ? UserDefaults.saved(suiteName: name) : try XCTUnwrap(.init(suiteName: name))
        let address = Address(store)
        try store.transaction {
          address.host.wrappedValue = "example.com"
          try store.flush()
          XCTAssertNil(try? folder.contents(ofPlist: "suite"))
          address.port.wrappedValue = 443
        }
        try store.flush()
        let contents = try folder.contents(ofPlist: "suite") ?? [:]
        XCTAssertEqual(contents["transaction-host"] as? String, "example.com")
        XCTAssertEqual(contents["transaction-port"] as? Int, 443)
      }
    }

    /// In the file that a killed process leaves, and in the memory of another one that reads.
    func testNobodySeesOneOfItsChangesWithoutTheOther() throws {
      let folder = try TemporaryFolder()
      let reader = UserDefaults.saved(suiteName: folder.path + "/suite")
      let (left, right) = ("left" as UserDefaults.Key<Int>, "right" as UserDefaults.Key<Int>)
      var seen: Set<Int> = []
      for round in 0..<60 {
        let child = try ChildProcess(
          ["saving", "suite:\(folder.path)/suite", "move-forever"], in: folder,
          environment: ["PROBE_STORE": round.isMultiple(of: 2) ? "saved" : ""])
        XCTAssertEqual(child.line(), "flushed")
        // The moment is random, not awaited.
        let end = ContinuousClock.now + .microseconds(Int.random(in: 0...20_000))
        while ContinuousClock.now < end {
          // Time goes on between two reads, so that the second may be the newer one.
          let (a, b) = (reader.value(for: left) ?? 0, -(reader.value(for: right) ?? 0))
          let (c, d) = (-(reader.value(for: right) ?? 0), reader.value(for: left) ?? 0)
          XCTAssertLessThanOrEqual(a, b)
          XCTAssertLessThanOrEqual(c, d)
          seen.insert(d)
        }
        child.kill(SIGKILL)
        _ = try child.wait()
        let contents = try XCTUnwrap(folder.contents(ofPlist: "suite") as? [String: Int])
        XCTAssertEqual(contents["left"], contents["right"].map(-))
      }
      XCTAssertGreaterThan(seen.count, 5)
    }
  #endif
}
