#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Observation
  import Synchronization
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// What is gone, and what others change, takes no memory.
  final class MemoryTests: XCTestCase {
    /// The kilobytes by which a process that uses a number of groups or keys has grown.
    private func growth(_ kind: String..., by count: Int) throws -> [Int] {
      try ["standard", "saved"].map { store in
        let folder = try TemporaryFolder()
        let child = try ChildProcess(["memory", store, "\(count)"] + kind, in: folder)
        let grown = try XCTUnwrap(child.line().flatMap { Int($0) })
        XCTAssertEqual(try child.wait().end, .exit(0))
        return grown
      }
    }

    func testGroupsThatAreGoneLeaveOnlyTheirRegisteredDefaults() throws {
      let count = Scale.rounds(3_000, long: 50_000)
      for grown in try growth(by: count) {
        // Of 200,000 keys less than 50 MB, which is a quarter of a kilobyte for each.
        XCTAssertLessThan(grown, count * 4 / 4)
      }
    }

    func testGroupsThatAreGoneLeaveNothingWithAFormerPrefixThatOneStillHas() throws {
      let count = Scale.rounds(3_000, long: 50_000)
      for grown in try growth("moved", by: count) { XCTAssertLessThan(grown, count * 5 / 4) }
    }

    func testTypedKeysThatAreOnlyReadTakeLittleMemory() throws {
      let count = Scale.rounds(10_000, long: 200_000)
      // However many they are.
      for grown in try growth("keys", by: count) { XCTAssertLessThan(grown, 5_000) }
    }

    func testOfTypedKeysThoseWithAListenerOrAReportAreKept() async throws {
      for store in try makeStores() {
        let recorder = recordIssues()
        store.set("loud", forKey: "kept.wrong")
        XCTAssertNil(store.value(for: UserDefaults.Key<Int>("kept.wrong")))
        let observed = Atomic(0)
        withObservationTracking {
          _ = store.value(for: UserDefaults.Key<Int>("kept.observed"))
        } onChange: {
          observed.add(1, ordering: .relaxed)
        }
        var updates = store.updates(for: UserDefaults.Key<Int>("kept.heard")).makeAsyncIterator()
        var heard = [await updates.next()]
        for number in 0..<5_000 {
          // Nobody registers a default for it, which a typed key would read.
          XCTAssertNil(store.value(for: UserDefaults.Key<Int>(name: "onlyRead\(number)")))
        }
        XCTAssertLessThan(Store.of(store).keys.all.count, 1_100, "\(store)")
        XCTAssertNil(store.value(for: UserDefaults.Key<Int>("kept.wrong")))
        XCTAssertEqual(recorder.take().map(\.key), ["kept.wrong"], "\(store)")
        store.set(1, for: UserDefaults.Key<Int>("kept.observed"))
        XCTAssertEqual(observed.load(ordering: .relaxed), 1, "\(store)")
        store.set(2, for: UserDefaults.Key<Int>("kept.heard"))
        heard.append(await updates.next())
        XCTAssertEqual(heard, [.some(nil), 2], "\(store)")
      }
    }

    func testAnObserverHearsOfASettingWhoseGroupIsGone() throws {
      for store in try makeStores() {
        // Beyond those that are remembered after their end.
        for number in 0...1_000 {
          _ = WrappedDefault(wrappedValue: 0, .init(name: "gone\(number)"), userDefaults: store)
        }
        let observed = Atomic(0)
        withObservationTracking {
          _ = WrappedDefault(wrappedValue: 0, "observed", userDefaults: store).wrappedValue
        } onChange: {
          observed.add(1, ordering: .relaxed)
        }
        WrappedDefault(wrappedValue: 0, "observed", userDefaults: store).wrappedValue = 1
        XCTAssertEqual(observed.load(ordering: .relaxed), 1, "\(store)")
        // Nor is it kept any longer.
        XCTAssertFalse(Store.of(store).keys.all.map(\.key).contains("observed"), "\(store)")
      }
    }

    func testKeysThatOnlyOthersChangeAreNotKept() throws {
      for isSaved in [true, false] {
        let folder = try TemporaryFolder()
        let name = folder.path + "/suite"
        let store =
          isSaved ? UserDefaults.saved(suiteName: name) : try XCTUnwrap(.init(suiteName: name))
        let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
        let isHeard = expectation(description: "heard")
        let observation = volume.onChange { _, new in if new == 5 { isHeard.fulfill() } }
        var objects: [String: Any] = ["volume": 5]
        for number in 0..<2_000 { objects["other\(number)"] = number }
        try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
          .write(to: URL(filePath: name + ".plist"))
        wait(for: [isHeard], timeout: 60)
        XCTAssertEqual(store.integer(forKey: "other1999"), 1_999)
        XCTAssertEqual(Store.of(store).keys.all.map(\.key), ["volume"])
        observation.cancel()
      }
    }
  }
#endif
