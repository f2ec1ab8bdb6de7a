#if canImport(Darwin)
  import Foundation
  import Synchronization
  import TypedDefaults
  import XCTest

  @testable import TestSupport

  /// What only Foundation on an Apple platform does.
  final class AppleTests: XCTestCase {
    private func makeNamedSuite() throws -> UserDefaults {
      let name = "TypedDefaultsTests.\(UUID())"
      addTeardownBlock { UserDefaults.saved(suiteName: name).removePersistentDomain(forName: name) }
      return .saved(suiteName: name)
    }

    func testAFileURLIsStoredAsTheRawAccessorStoresIt() throws {
      let suite = try makeNamedSuite()
      let home = URL(filePath: NSHomeDirectory())
      for url in [home.appending(path: "no/such file.txt"), URL(filePath: "/no/such")] {
        suite.set(url, forKey: "raw")
        suite.set(url, for: "typed")
        XCTAssertEqual(suite.string(forKey: "typed"), suite.string(forKey: "raw"))
        XCTAssertEqual(suite.value(for: "typed"), url)
      }
      XCTAssertEqual(suite.string(forKey: "raw"), "/no/such")
      suite.set(home.appending(path: "x"), for: "typed")
      XCTAssertEqual(suite.string(forKey: "typed"), "~/x")
    }

    func testAStoredObjectThatEqualsTheDefaultIsStored() throws {
      let suite = try makeNamedSuite()
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: suite)
      XCTAssertFalse(volume.isStored)
      volume.wrappedValue = 4
      XCTAssertTrue(volume.isStored)
      XCTAssertEqual(volume.source, .stored)
      volume.reset()
      XCTAssertFalse(volume.isStored)
    }

    /// The first by key-value observing, the second by the notification.
    func testARawSetIsHeard() throws {
      let suite = try makeNamedSuite()
      for key in ["volume", "player.volume"] {
        let volume = WrappedDefault(wrappedValue: 1, .init(name: key), userDefaults: suite)
        let isHeard = expectation(description: key)
        let observation = volume.onChange { _, new in if new == 2 { isHeard.fulfill() } }
        suite.set(2, forKey: key)
        wait(for: [isHeard], timeout: 60)
        observation.cancel()
      }
    }

    /// As `@AppStorage` does.
    func testAStoreInMemoryAnnouncesItsKeysByKeyValueObserving() throws {
      final class Observer: NSObject, Sendable {
        let count = TestMutex(0)
        override func observeValue(
          forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
          context: UnsafeMutableRawPointer?
        ) {
          count.withLock { $0 += 1 }
        }
      }
      let store = UserDefaults.inMemory()
      let volume = WrappedDefault(wrappedValue: 1, "volume", userDefaults: store)
      let observer = Observer()
      store.addObserver(observer, forKeyPath: "volume", options: [], context: nil)
      volume.wrappedValue = 2
      XCTAssertEqual(observer.count.withLock { $0 }, 1)
      store.set(3, forKey: "volume")
      XCTAssertEqual(observer.count.withLock { $0 }, 2)
      store.removeObserver(observer, forKeyPath: "volume")
    }
  }
#endif
