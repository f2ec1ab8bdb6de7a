import Foundation
import Observation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

/// Changes by the library after a raw one, of which nobody tells it.
///
/// What a read has found is what the next change is compared with.
final class RawChangeTests: XCTestCase {
  private func makeUntoldStores() throws -> [UserDefaults] { [try makeSuite(), PlainDefaults()] }

  /// Checks that a change is told to Observation, if a body reads before it.
  private func assertTold(
    _ name: String, line: UInt = #line, reading read: () -> Void, changing change: () -> Void
  ) {
    let isTold = Atomic(false)
    withObservationTracking(read) { isTold.store(true, ordering: .relaxed) }
    change()
    XCTAssertTrue(isTold.load(ordering: .relaxed), name, line: line)
  }

  func testAnAssignmentOfTheValueBeforeARawChangeIsTold() throws {
    for store in try makeUntoldStores() {
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
      let tags = WrappedDefault(wrappedValue: ["a"], "tags", userDefaults: store)
      let raws: [(name: String, change: () -> Void)] = [
        (
          "set",
          {
            store.set(7, forKey: "volume")
            store.set(["c"], forKey: "tags")
          }
        ),
        (
          "removal",
          {
            store.removeObject(forKey: "volume")
            store.removeObject(forKey: "tags")
          }
        ),
      ]
      for (name, change) in raws {
        let name = "\(store) \(name)"
        for _ in 0..<2 {
          (volume.wrappedValue, tags.wrappedValue) = (5, ["b"])
          change()
          assertTold(name) {
            _ = volume.wrappedValue
          } changing: {
            volume.wrappedValue = 5
          }
          assertTold(name) {
            _ = tags.wrappedValue
          } changing: {
            tags.wrappedValue = ["b"]
          }
          change()
          assertTold(name) {
            _ = volume.isStored
          } changing: {
            volume.wrappedValue = 5
          }
          change()
          assertTold(name) {
            _ = store.value(for: "volume" as UserDefaults.Key<Int>)
          } changing: {
            volume.wrappedValue = 5
          }
        }
      }
      volume.reset()
      tags.reset()
    }
  }

  func testAResetAfterARawSetIsTold() throws {
    for store in try makeUntoldStores() {
      let volume = WrappedDefault(
        wrappedValue: 4, "volume", formerly: "loudness", userDefaults: store)
      for key in ["volume", "loudness", "loudness", "volume"] {
        volume.reset()
        store.set(7, forKey: key)
        assertTold("\(store) \(key)") {
          XCTAssertEqual(volume.wrappedValue, 7)
        } changing: {
          volume.reset()
        }
      }
    }
  }

  func testUpdatesHaveEachValueThoughARawRemovalComesBetween() async throws {
    for store in try makeUntoldStores() {
      let flag = WrappedDefaultOptional<Bool>("flag", userDefaults: store)
      flag.wrappedValue = true
      store.removeObject(forKey: "flag")
      try await withDeadline {
        var updates = flag.updates.makeAsyncIterator()
        var values = [await updates.next()]
        for value in [true, nil, false] {
          flag.wrappedValue = value
          values.append(await updates.next())
        }
        XCTAssertEqual(values, [.some(nil), true, .some(nil), false])
      }
      flag.reset()
    }
  }

  func testABooleanBeneathAnArgumentIsExportedAsOne() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("exportedFlag") var flag = false
    }
    let store = try makeSuite()
    let settings = Settings(in: store)
    store.setVolatileDomain(["exportedFlag": 1], forName: UserDefaults.argumentDomain)
    settings.flag = true
    XCTAssertTrue(settings.$flag.isStored)
    let data = try settings.exportData()
    XCTAssertTrue(String(decoding: data, as: UTF8.self).contains("<true/>"))
    store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
    settings.$flag.reset()
  }
}
