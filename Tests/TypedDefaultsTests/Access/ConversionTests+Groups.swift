import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// When a conversion runs, groups, exports and imports.
extension ConversionTests {
  // MARK: Runs

  func testAConversionRunsOnceForEachObject() throws {
    for store in try makeStoresAndSubclasses() {
      let minutes = Minutes()
      let refresh = minutes.refresh(store)
      store.set(5, forKey: "refreshMinutes")
      for _ in 1...3 {
        XCTAssertEqual(refresh.wrappedValue, .seconds(300), "\(store)")
        XCTAssertEqual(refresh.source, .stored, "\(store)")
      }
      XCTAssertEqual(minutes.runs, 1, "\(store)")
      store.set(6, forKey: "refreshMinutes")
      for _ in 1...3 { XCTAssertEqual(refresh.wrappedValue, .seconds(360), "\(store)") }
      refresh.withLock { $0 += .seconds(1) }
      XCTAssertEqual(refresh.wrappedValue, .seconds(361), "\(store)")
      XCTAssertEqual(minutes.runs, 2, "\(store)")
      refresh.reset()
    }
  }

  func testAConversionMayUseSettingsOnOtherThreads() throws {
    for store in try makeStores() {
      let shared = SharedStore(store)
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let refresh = WrappedDefault(
        wrappedValue: 0, "refresh",
        formerly: .init("minutes") { (minutes: Int) in
          let isDone = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            // Under the same locks as the thread that converts.
            shared.instance.set(1, for: "refresh")
            shared.instance.removeValue(for: UserDefaults.Key<Int>("refresh"))
            count.withLock { $0 += 1 }
            isDone.signal()
          }
          XCTAssertEqual(isDone.wait(timeout: .now() + 30), .success)
          return minutes * 60
        }, userDefaults: store)
      store.set(5, forKey: "minutes")
      refresh.withLock { $0 += 1 }
      XCTAssertEqual(refresh.wrappedValue, 301, "\(store)")
      refresh.reset()
      store.set("often", forKey: "minutes")
      store.set(6, forKey: "minutes")
      refresh.wrappedValue = 7
      XCTAssertEqual(count.wrappedValue, 2, "\(store)")
      refresh.reset()
      count.reset()
    }
  }

  // MARK: Groups

  func testPrefixesFormerPrefixesAndSnapshotsAreTheSame() throws {
    for store in try makeStoresAndSubclasses() {
      store.set(5, forKey: "old.refreshMinutes")
      store.set(70, forKey: "new.percent")
      let settings = ConvertedSettings(in: store, prefix: "new.", formerly: "old.")
      let snapshot = settings.snapshot()
      for settings in [settings, snapshot] {
        XCTAssertEqual(settings.refresh, .seconds(300), "\(store)")
        XCTAssertEqual(settings.volume, 7, "\(store)")
      }
      XCTAssertEqual(settings.unknownKeys, [], "\(store)")
      snapshot.refresh = .seconds(60)
      XCTAssertEqual(settings.refresh, .seconds(300), "\(store)")
      settings.resetAll()
      XCTAssertNil(store.object(forKey: "old.refreshMinutes"), "\(store)")
    }
  }

  private func contents(_ data: Data) throws -> NSDictionary? {
    try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
  }

  func testAnExportHasTodaysFormAndWhatCannotBeConvertedAsItIs() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      let settings = ConvertedSettings(in: store)
      // Not by raw calls: what these have set in Foundation's memory is in no file, and an import saves it.
      store.set(5, for: UserDefaults.Key<Int>("refreshMinutes"))
      store.set("seventy", for: UserDefaults.Key<String>("percent"))
      let data = try settings.exportData()
      let exported: NSDictionary = [
        "refresh": "300", "percent": "seventy",
        "TypedDefaults": ["prefix": "", "unreadable": ["percent"]],
      ]
      XCTAssertEqual(try contents(data), exported, "\(store)")
      XCTAssertEqual(try settings.importData(data), [], "\(store)")
      XCTAssertEqual(store.integer(forKey: "refreshMinutes"), 5, "nothing is changed, \(store)")
      XCTAssertEqual(store.string(forKey: "percent"), "seventy", "\(store)")
      settings.resetAll()
      XCTAssertEqual(try settings.importData(data), ["percent"], "\(store)")
      XCTAssertEqual(store.storedValue(for: "refresh"), Duration.seconds(300), "\(store)")
      XCTAssertFalse(settings.$volume.isStored, "\(store)")
      settings.resetAll()
    }
  }

  func testWhatTheRangeRefusesBecomesNoOtherValueByAnExport() throws {
    _ = recordIssues()
    // As seconds they would be in the range.
    let day = ConvertedSettings(in: .inMemory(["refreshMinutes": 1441]))
    let data = try day.exportData()
    XCTAssertEqual(
      try contents(data),
      ["refreshMinutes": 1441, "TypedDefaults": ["prefix": "", "unreadable": ["refreshMinutes"]]])
    let other = ConvertedSettings(in: .inMemory(["refresh": "1441"]))
    XCTAssertEqual(try other.importData(data), ["refreshMinutes"])
    XCTAssertEqual(other.refresh, .seconds(1441))
  }

  func testAnOlderVersionsExportIsImported() throws {
    struct Old: SettingsGroup {
      @WrappedDefault("refreshMinutes") var refreshMinutes = 10
      @WrappedDefault("percent") var percent = 40
      @WrappedDefault("name") var name = ""
    }
    for store in try makeStoresAndSubclasses() {
      let old = Old(in: .inMemory())
      (old.refreshMinutes, old.percent, old.name) = (5, 70, "Zoë")
      let settings = ConvertedSettings(in: store)
      settings.limit = 3
      XCTAssertEqual(try settings.importData(old.exportData()), [], "\(store)")
      XCTAssertEqual(settings.refresh, .seconds(300), "\(store)")
      XCTAssertEqual(settings.volume, 7, "\(store)")
      XCTAssertEqual(settings.names, ["Zoë"], "\(store)")
      XCTAssertNil(settings.limit, "\(store)")
      XCTAssertEqual(store.storedValue(for: "refresh"), Duration.seconds(300), "\(store)")
      settings.resetAll()
      old.refreshMinutes = Int.max
      XCTAssertThrowsError(try settings.importData(old.exportData()), "\(store)") {
        XCTAssertTrue(
          "\($0)".contains("\"refreshMinutes\" cannot be read as Int: it is the number"), "\($0)")
      }
    }
  }
}
