import Foundation
import Observation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

/// Assignments and resets that change no value are told to nobody.
final class UnchangedValueTests: XCTestCase {
  func testObserverIsNotToldWhereNothingChanges() throws {
    struct Group: SettingsGroup {
      @WrappedDefault("volume") var volume = 4
      @WrappedDefaultOptional("unchangedTags") var tags: [String]?
    }
    for store in try makeStoresAndSubclasses() {
      let group = Group(in: store)
      let key = UserDefaults.Key<Int>("volume")
      (group.volume, group.tags) = (5, ["a"])
      let (data, text) = (try group.exportData(), try XCTUnwrap(group.$tags.text))
      let removals: [(name: String, change: () throws -> Void)] = [
        ("reset", { group.$volume.reset() }), ("optional reset", { group.$tags.reset() }),
        ("nil", { group.tags = nil }), ("resetAll", { group.resetAll() }),
        ("typed key", { store.removeValue(for: key) }),
        ("typed nil", { store.set(nil, for: key) }),
      ]
      let assignments: [(name: String, change: () throws -> Void)] = [
        ("wrapper", { group.volume = 5 }), ("optional wrapper", { group.tags = ["a"] }),
        ("withLock", { group.$volume.withLock { $0 = 5 } }),
        ("typed key", { store.set(5, for: key) }),
        ("text", { try group.$tags.set(text: text) }),
        ("import", { try group.importData(data) }),
        ("transaction", { store.transaction { group.volume = 5 } }),
      ]
      for (name, change) in assignments + [("removal", { group.resetAll() })] + removals {
        let told = Atomic(false)
        withObservationTracking {
          _ = (group.volume, group.tags)
        } onChange: {
          told.store(true, ordering: .relaxed)
        }
        try change()
        XCTAssertEqual(told.load(ordering: .relaxed), name == "removal", "\(store) \(name)")
      }
    }
  }

  func testFunctionsAndUpdatesAreNotToldWhereNothingChanges() async throws {
    for store in try makeStoresAndSubclasses() {
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
      try await withDeadline {
        let calls = TestMutex<[[Int]]>([])
        let observation = volume.onChange { old, new in calls.withLock { $0.append([old, new]) } }
        var updates = volume.updates.makeAsyncIterator()
        var heard = [await updates.next()]
        volume.wrappedValue = 4  // The default, now stored.
        volume.wrappedValue = 4
        volume.reset()
        volume.reset()
        volume.wrappedValue = 5
        heard.append(await updates.next())
        volume.wrappedValue = 5
        try volume.set(text: "5")
        volume.reset()
        heard.append(await updates.next())
        XCTAssertEqual(heard, [4, 5, 4])
        XCTAssertEqual(calls.withLock { $0 }, [[4, 5], [5, 4]])
        observation.cancel()
      }
    }
  }
}
