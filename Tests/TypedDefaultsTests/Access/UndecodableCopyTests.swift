import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// The copy of what was stored and could not be read: when it is made, and when it goes.
final class UndecodableCopyTests: XCTestCase {
  private struct Settings: SettingsGroup {
    @WrappedDefault("volume") var volume = 4
    @WrappedDefault("other") var other = 0
  }

  private func copy(_ store: UserDefaults) -> String? {
    store.string(forKey: "volume.undecodable")
  }

  // MARK: When it is made

  func testAnImportKeepsWhatItReplaces() throws {
    for isRead in [true, false] {
      for store in try makeStoresAndSubclasses() {
        _ = recordIssues()
        store.set("loud", forKey: "volume")
        let settings = Settings(in: store)
        if isRead { XCTAssertEqual(settings.volume, 4) }
        let other = Settings(in: .inMemory())
        other.volume = 5
        try settings.importData(other.exportData())
        XCTAssertEqual(settings.volume, 5)
        XCTAssertEqual(copy(store), "loud", "\(store)")
      }
    }
  }

  func testATextKeepsWhatItReplaces() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      store.set("loud", forKey: "volume")
      try Settings(in: store).$volume.set(text: "5")
      XCTAssertEqual(copy(store), "loud", "\(store)")
    }
  }

  func testAnUnreadableFormerKeyDoesNotHideAReadableOne() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      store.set("loud", forKey: "old")
      store.set(3, forKey: "oldest")
      let volume = WrappedDefault(
        wrappedValue: 4, "volume", formerly: "old", "oldest", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 3, "\(store)")
      XCTAssertEqual(volume.source, .stored, "\(store)")
      XCTAssertEqual(recorder.take().map(\.kind), [.undecodableValue], "\(store)")
      volume.wrappedValue += 1
      XCTAssertEqual(volume.wrappedValue, 4)
      XCTAssertNil(store.object(forKey: "old"))
      XCTAssertNil(store.object(forKey: "oldest"))
      XCTAssertEqual(copy(store), "loud", "\(store)")
    }
  }

  func testAReadByATypedKeyDoesNotForgetWhatAFormerKeyHolds() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      store.set("loud", forKey: "old")
      store.set(3, forKey: "oldest")
      let volume = WrappedDefault(
        wrappedValue: 4, "volume", formerly: "old", "oldest", userDefaults: store)
      XCTAssertEqual(volume.wrappedValue, 3, "\(store)")
      _ = store.value(for: "volume" as UserDefaults.Key<Int>)
      volume.wrappedValue = 5
      XCTAssertEqual(copy(store), "loud", "\(store)")
    }
  }

  func testAKeyOfTheProgramsOwnIsNotOverwritten() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      let own = WrappedDefaultOptional<String>("volume.undecodable", userDefaults: store)
      let settings = Settings(in: store)
      own.wrappedValue = "the program's"
      store.set("loud", forKey: "volume")
      settings.volume += 1
      XCTAssertEqual(own.wrappedValue, "the program's", "\(store)")
      settings.$volume.reset()
      XCTAssertEqual(own.wrappedValue, "the program's", "\(store)")
      settings.resetAll()
      XCTAssertEqual(own.wrappedValue, "the program's", "\(store)")
    }
  }

  func testAKeyOfTheProgramsOwnIsNoCopyThoughItIsUnset() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let own = WrappedDefaultOptional<String>("volume.undecodable", userDefaults: store)
      let settings = Settings(in: store)
      store.set("loud", forKey: "volume")
      settings.volume += 1
      XCTAssertEqual(settings.volume, 5, "\(store)")
      XCTAssertNil(own.wrappedValue, "\(store)")
      XCTAssertNil(store.object(forKey: "volume.undecodable.undecodable"), "\(store)")
      let issues = recorder.take().map(\.description)
      XCTAssertEqual(issues.count, 1, "\(store)")
      XCTAssertEqual(
        issues.first?.hasSuffix(
          """
          Assign a value or reset the setting: no copy of the old one is kept, because another setting \
          has the key "volume.undecodable".
          """), true, "\(issues)")
      own.wrappedValue = "the program's"
      store.set("loud", forKey: "volume")
      settings.volume += 1
      settings.$volume.reset()
      XCTAssertEqual(own.wrappedValue, "the program's", "\(store)")
      own.wrappedValue = nil
    }
  }

  // MARK: Where the library itself has made the last change

  func testWhatATypedKeyOfAnotherTypeHasStoredIsKept() throws {
    for isAssignedBefore in [true, false] {
      for store in try makeStoresAndSubclasses() {
        _ = recordIssues()
        let settings = Settings(in: store)
        if isAssignedBefore { settings.volume = 3 }
        store.set("loud", for: UserDefaults.Key<String>("volume"))
        settings.volume = 5
        XCTAssertEqual(copy(store), "loud", "\(store) \(isAssignedBefore)")
      }
    }
  }

  func testWhatAFormerKeyHoldsIsKeptAfterAResetByAnotherDeclaration() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      store.set("loud", forKey: "old")
      WrappedDefaultOptional<Int>("volume", userDefaults: store).reset()
      let volume = WrappedDefault(
        wrappedValue: 4, "volume", formerly: "old", userDefaults: store)
      volume.wrappedValue = 5
      XCTAssertNil(store.object(forKey: "old"))
      XCTAssertEqual(copy(store), "loud", "\(store)")
    }
  }

  func testWhatAnArgumentHidesIsKept() throws {
    for isRaw in [true, false] {
      for store in try makeStores() {
        _ = recordIssues()
        let key = UUID().uuidString
        let volume = WrappedDefault(wrappedValue: 4, .init(name: key), userDefaults: store)
        volume.wrappedValue = 3
        store.setVolatileDomain([key: "7"], forName: UserDefaults.argumentDomain)
        if isRaw {
          store.set("loud", forKey: key)
        } else {
          store.set("loud", for: UserDefaults.Key<String>(name: key))
        }
        XCTAssertEqual(volume.wrappedValue, 7)
        volume.wrappedValue = 5
        store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
        XCTAssertEqual(volume.wrappedValue, 5)
        XCTAssertEqual(store.string(forKey: "\(key).undecodable"), "loud", "\(store) \(isRaw)")
      }
    }
  }

  func testWhatIsNoLongerStoredIsNeitherReportedNorKept() throws {
    let suite = try makeTemporaryFolder().appending(path: "suite").path
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["volume": "loud"], format: .xml, options: 0)
    try data.write(to: URL(filePath: suite + ".plist"))
    let recorder = recordIssues()
    let store = try XCTUnwrap(UserDefaults(suiteName: suite))
    addTeardownBlock { try UserDefaults(suiteName: suite)?.flush() }
    let settings = Settings(in: store)
    settings.other = 1  // The first assignment to the suite.
    store.set(3, forKey: "volume")
    XCTAssertEqual(settings.volume, 3)
    settings.volume = 5
    XCTAssertNil(copy(store))
    XCTAssertEqual(recorder.take().map(\.description), [])
  }

  // MARK: When it goes

  func testAResetRemovesTheCopy() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      let settings = Settings(in: store)
      let optional = WrappedDefaultOptional<Int>("volume", userDefaults: store)
      let removals: [(name: String, remove: () -> Void)] = [
        ("reset", { settings.$volume.reset() }), ("optional reset", { optional.reset() }),
        ("nil", { optional.wrappedValue = nil }), ("resetAll", { settings.resetAll() }),
        ("withLock", { optional.withLock { $0 = nil } }),
        ("typed key", { store.removeValue(for: UserDefaults.Key<Int>("volume")) }),
        ("typed nil", { store.set(nil, for: UserDefaults.Key<Int>("volume")) }),
      ]
      for (name, remove) in removals {
        store.set("loud", forKey: "volume")
        settings.volume += 1
        XCTAssertEqual(copy(store), "loud", "\(store) \(name)")
        remove()
        XCTAssertNil(copy(store), "\(store) \(name)")
        if name == "withLock" { continue }  // Below, its body changes nothing.
        // And where nothing is stored any more.
        store.set("loud", forKey: "volume")
        settings.volume += 1
        store.removeObject(forKey: "volume")
        if name == "withLock" { continue }  // There it changes nothing.
        remove()
        XCTAssertNil(copy(store), "\(store) \(name)")
      }
    }
  }
}
