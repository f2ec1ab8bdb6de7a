import Foundation
import Observation
import TypedDefaults
import XCTest

@testable import TestSupport

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

  private func storeByAnotherThread(_ port: Int, _ address: Address) {
    let hasStored = expectation(description: "stored")
    Thread.detachNewThread {
      address.port.wrappedValue = port
      hasStored.fulfill()
    }
    wait(for: [hasStored], timeout: 60)
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
        storeByAnotherThread(2, address)
        throw Failure()
      }
      XCTAssertEqual(address.port.wrappedValue, 2)
      try store.flush()
    }
  }

  func testAnUndoneOneLeavesTheStoreAsItWas() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("volume") var volume = 4
      @WrappedDefault("lists") var lists = [[0]]
    }
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "\(UUID()).")
      func undo(_ body: () -> Void) {
        let before = (try? settings.exportData(), settings.volume, settings.lists)
        let stored = settings.settings.map(\.isStored)
        try? store.transaction {
          body()
          throw Failure()
        }
        XCTAssertEqual(try? settings.exportData(), before.0, "\(store)")
        XCTAssertEqual(settings.volume, before.1, "\(store)")
        XCTAssertEqual(settings.lists, before.2, "\(store)")
        XCTAssertEqual(settings.settings.map(\.isStored), stored, "\(store)")
      }
      for value in [nil, 5, 4] {
        if let value {
          settings.volume = value
          settings.lists = [[value]]
        }
        undo { (settings.volume, settings.lists) = (6, [[6]]) }
        undo { (settings.volume, settings.lists) = (4, [[0]]) }
        undo { settings.resetAll() }
        undo {
          settings.resetAll()
          settings.volume = 7
        }
      }
      settings.resetAll()
    }
  }

  func testWhatAnotherThreadHasStoredMeanwhileIsNotUndoneByALaterChange() throws {
    for store in try makeStoresAndSubclasses() {
      let address = Address(store)
      // The other thread stores another value, or the very one that the transaction has stored.
      for value in [100, 2] {
        address.port.wrappedValue = 1
        try? store.transaction {
          address.port.wrappedValue = 2
          storeByAnotherThread(value, address)
          if value == 100 { address.port.wrappedValue = 3 }
          throw Failure()
        }
        XCTAssertEqual(address.port.wrappedValue, value, "\(store)")
      }
    }
  }

  func testAnUndoneOneTakesBackWhatOneInsideAnotherInsideItHasRestored() throws {
    for store in try makeStoresAndSubclasses() {
      let port = Address(store).port
      for stored in [nil, 443] {
        if let stored { port.wrappedValue = stored }
        try? store.transaction {
          store.transaction { port.wrappedValue = 1 }
          try? store.transaction {
            try? store.transaction {
              port.wrappedValue = 2
              throw Failure()
            }
            XCTAssertEqual(port.wrappedValue, 1, "\(store)")
            throw Failure()
          }
          throw Failure()
        }
        XCTAssertEqual(port.wrappedValue, stored ?? 80, "\(store)")
        XCTAssertEqual(port.isStored, stored != nil, "\(store)")
      }
      port.reset()
    }
  }

  func testWhatAnotherThreadHasStoredBetweenTheInnerOnesAndTheOuterIsNotUndone() throws {
    for store in try makeStoresAndSubclasses() {
      let address = Address(store)
      for isKept in [true, false] {
        address.port.wrappedValue = 1
        try? store.transaction {
          address.port.wrappedValue = 2
          storeByAnotherThread(100, address)
          try? store.transaction {
            address.port.wrappedValue = 3
            if !isKept { throw Failure() }
          }
          throw Failure()
        }
        XCTAssertEqual(address.port.wrappedValue, 100, "\(store) \(isKept)")
      }
      address.port.reset()
    }
  }
}
