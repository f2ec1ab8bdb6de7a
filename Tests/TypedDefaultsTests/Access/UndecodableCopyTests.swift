import Foundation
import Observation
import TypedDefaults
import XCTest

@testable import TestSupport

/// The copy of what was stored and could not be read: when it is made, and when it goes.
final class UndecodableCopyTests: XCTestCase {
  private enum Tag: String, UserDefaultsSerializable { case red, green }

  private struct Settings: SettingsGroup {
    @WrappedDefault("keptTags") var tags: [Tag] = []
    @WrappedDefault("volume") var volume = 4
    @WrappedDefault("other") var other = 0
  }

  private func copy(_ store: UserDefaults) -> String? {
    store.string(forKey: "volume.undecodable")
  }

  // MARK: When it is made

  private let assignments: [(name: String, assign: (Settings, UserDefaults) throws -> Void)] = [
    (
      "after a read",
      { settings, _ in
        XCTAssertEqual(settings.tags, [])
        settings.tags = [.green]
      }
    ),
    ("before any read", { settings, _ in settings.tags = [.green] }),
    ("in place", { settings, _ in settings.tags.append(.green) }),
    ("withLock", { settings, _ in settings.$tags.withLock { $0.append(.green) } }),
    ("typed key", { $1.set([Tag.green], for: UserDefaults.Key<[Tag]>("keptTags")) }),
    (
      "optional setting",
      { WrappedDefaultOptional<[Tag]>("keptTags", userDefaults: $1).wrappedValue = [.green] }
    ),
    ("transaction", { settings, _ in settings.transaction { settings.tags = [.green] } }),
    ("text", { settings, _ in try settings.$tags.set(text: #"["green"]"#) }),
    (
      "import",
      { settings, _ in
        let other = Settings(in: .inMemory())
        other.tags = [.green]
        try settings.importData(other.exportData())
      }
    ),
  ]

  func testAnAssignmentOfAnyKindKeepsWhatItReplaces() throws {
    let stored: [Any] = [["red", "blue"], "loud", true, ["a": [1, ["b": "c"]] as [Any]]]
    for (name, assign) in assignments {
      // Of what kind it is matters to none of them alone.
      for object in name == "in place" ? stored : [stored[0]] {
        let recorder = recordIssues()
        for store in try makeStoresAndSubclasses() {
          let name = "\(store) \(name) \(object)"
          store.set(object, forKey: "keptTags")
          let settings = Settings(in: store)
          try assign(settings, store)
          XCTAssertEqual(settings.tags, [.green], name)
          XCTAssertEqual(xml(store.object(forKey: "keptTags.undecodable")), xml(object), name)
          let issues = recorder.take()
          XCTAssertEqual(issues.map(\.kind), [.undecodableValue], name)
          XCTAssertEqual(
            issues.first?.description.hasSuffix(
              "which keeps the old one as \"keptTags.undecodable\", or reset the setting."),
            true, name)
          // What can be read is not kept.
          settings.tags = [.red]
          settings.tags = [.green]
          XCTAssertEqual(xml(store.object(forKey: "keptTags.undecodable")), xml(object), name)
          // The latest is kept.
          store.set("later", forKey: "keptTags")
          settings.tags.append(.red)
          XCTAssertEqual(store.string(forKey: "keptTags.undecodable"), "later", name)
          _ = recorder.take()
        }
      }
    }
  }

  func testOfASettingThatIsUsedForTheFirstTimeAfterTheWholeDomainHasBeenSet() throws {
    let suite = try makeSuiteName()
    let store = UserDefaults(suiteName: suite)!
    _ = recordIssues()
    let settings = Settings(in: store)
    settings.other = 2
    store.setPersistentDomain(["volume": "loud"], forName: suite)
    settings.volume = 5
    XCTAssertEqual(copy(store), "loud")
  }

  func testAnUnreadableFormerKeyDoesNotHideAReadableOne() throws {
    for isReadByATypedKey in [false, true] {
      for store in try makeStoresAndSubclasses() {
        let recorder = recordIssues()
        store.set("loud", forKey: "old")
        store.set(3, forKey: "oldest")
        let volume = WrappedDefault(
          wrappedValue: 4, "volume", formerly: "old", "oldest", userDefaults: store)
        XCTAssertEqual(volume.wrappedValue, 3, "\(store)")
        XCTAssertEqual(volume.source, .stored, "\(store)")
        XCTAssertEqual(recorder.take().map(\.kind), [.undecodableValue], "\(store)")
        if isReadByATypedKey { _ = store.value(for: "volume" as UserDefaults.Key<Int>) }
        volume.wrappedValue += 1
        XCTAssertEqual(volume.wrappedValue, 4)
        XCTAssertNil(store.object(forKey: "old"))
        XCTAssertNil(store.object(forKey: "oldest"))
        XCTAssertEqual(copy(store), "loud", "\(store) \(isReadByATypedKey)")
      }
    }
  }

  func testWhatAFormerKeyHoldsIsKeptUnderTheNameOfTheSetting() throws {
    for isResetBefore in [false, true] {
      for store in try makeStoresAndSubclasses() {
        let recorder = recordIssues()
        store.set("loud", forKey: "old")
        // By another declaration, which does not know of the former key.
        if isResetBefore { WrappedDefaultOptional<Int>("volume", userDefaults: store).reset() }
        let volume = WrappedDefault(
          wrappedValue: 4, "volume", formerly: "old", userDefaults: store)
        volume.wrappedValue = 5
        let issue = try XCTUnwrap(recorder.take().first?.description)
        XCTAssertTrue(issue.hasPrefix("The stored value of \"old\""), issue)
        XCTAssertTrue(issue.contains("keeps the old one as \"volume.undecodable\""), issue)
        XCTAssertNil(store.object(forKey: "old"))
        XCTAssertNil(store.object(forKey: "old.undecodable"))
        XCTAssertEqual(copy(store), "loud", "\(store) \(isResetBefore)")
      }
    }
  }

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

  // MARK: When none is made

  func testAValueThatCannotBeEncodedMovesNothing() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let date = WrappedDefault(wrappedValue: Date.distantPast, "keptDate", userDefaults: store)
      store.set("tomorrow", forKey: "keptDate")
      date.wrappedValue = Date(timeIntervalSinceReferenceDate: .infinity)
      XCTAssertEqual(store.string(forKey: "keptDate"), "tomorrow")
      XCTAssertNil(store.object(forKey: "keptDate.undecodable"))
    }
  }

  func testOverridesAndRegisteredDefaultsAreNotKept() throws {
    for store in try makeStores() {
      _ = recordIssues()
      let key = UUID().uuidString
      store.register(defaults: [key: "registered"])
      store.setVolatileDomain([key: "argument"], forName: UserDefaults.argumentDomain)
      let volume = WrappedDefaultOptional<Int>(keyName: key, userDefaults: store)
      volume.wrappedValue = 5
      XCTAssertNil(store.object(forKey: "\(key).undecodable"))
      store.set("stored", forKey: key)
      volume.wrappedValue = 6
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      XCTAssertEqual(volume.wrappedValue, 6)
    }
  }

  func testAKeyOfTheProgramsOwnIsNoCopyThoughItIsUnset() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let own = WrappedDefaultOptional<String>("volume.undecodable", userDefaults: store)
      let settings = Settings(in: store)
      store.set("loud", forKey: "volume")
      settings.volume += 1
      XCTAssertNil(own.wrappedValue, "\(store)")
      XCTAssertNil(store.object(forKey: "volume.undecodable.undecodable"), "\(store)")
      let issues = recorder.take().map(\.description)
      XCTAssertEqual(issues.count, 1, "\(store)")
      XCTAssertEqual(
        issues.first?.hasSuffix(
          """
          Assign a value, which removes the old one without a copy, or reset the setting.
          """), true, "\(issues)")
      own.wrappedValue = "the program's"
      store.set("loud", forKey: "volume")
      for change in [{ settings.volume += 1 }, { settings.$volume.reset() }, settings.resetAll] {
        change()
        XCTAssertEqual(own.wrappedValue, "the program's", "\(store)")
      }
      own.wrappedValue = nil
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

  func testAResetRemovesTheCopyAndKeepsNothing() throws {
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
        // Where nothing is stored any more.
        store.set("loud", forKey: "volume")
        settings.volume += 1
        store.removeObject(forKey: "volume")
        remove()
        XCTAssertNil(copy(store), "\(store) \(name)")
        // What cannot be read is removed, too.
        store.set("loud", forKey: "volume")
        XCTAssertEqual(settings.volume, 4)
        remove()
        settings.volume = 5
        XCTAssertNil(copy(store), "\(store) \(name)")
      }
    }
  }

  // MARK: Who hears of it

  func testAnObserverHearsOfBoth() throws {
    for store in try makeStores() {
      _ = recordIssues()
      store.set("loud", forKey: "volume")
      let settings = Settings(in: store)
      // Not a declaration, which would make the key the program's own.
      let key = UserDefaults.Key<String>("volume.undecodable")
      let heard = expectation(description: "heard")
      heard.expectedFulfillmentCount = 2
      for read in [{ _ = settings.volume }, { _ = store.value(for: key) }] {
        withObservationTracking(read) { heard.fulfill() }
      }
      settings.volume = 5
      wait(for: [heard], timeout: 60)
      XCTAssertEqual(copy(store), "loud")
    }
  }
}
