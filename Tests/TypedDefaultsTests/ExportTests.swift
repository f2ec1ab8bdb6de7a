import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Settings: SettingsGroup {
  @WrappedDefault("volume", formerly: "loudness", "level") var volume = 4
  @WrappedDefaultOptional("dates") var dates: [Date]?
  @WrappedDefaultOptional("nickname") var nickname: String?
}

private struct Pane: SettingsGroup {
  @WrappedDefault("width") var width = 200
}

private struct Panes: SettingsGroup {
  let left = Pane(prefix: "left.")
  let right = Pane(prefix: "right.")
}

/// An export holds what is stored, and says whose it is.
final class ExportTests: XCTestCase {
  private func exported(_ group: some SettingsGroup) throws -> [String: Any]? {
    let list = try PropertyListSerialization.propertyList(from: group.exportData(), format: nil)
    return list as? [String: Any]
  }

  private func data(_ objects: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
  }

  // MARK: What is stored

  func testOnesOwnExportChangesNothing() throws {
    let stored: [[String: Any]] = [
      ["volume": "loud", "nickname": "Zoë"], ["volume": ["a": [1, 2.5, true, Data([1])]] as Any],
      ["volume": "7"], ["loudness": "loud"], ["loudness": "loud", "level": 7],
      ["dates": [Date(timeIntervalSinceReferenceDate: 0.5), "no date"] as [Any]],
      ["volume": Float(1.1), "nickname": UInt64.max], ["nickname": Data()], [:],
    ]
    for objects in stored {
      for store in try makeStoresAndSubclasses() {
        let recorder = recordIssues()
        for (key, object) in objects { store.set(object, forKey: key) }
        let settings = Settings(in: store)
        let data = try settings.exportData()
        let keys = ["volume", "loudness", "level", "dates", "nickname", "volume.undecodable"]
        let before = keys.map { xml(store.object(forKey: $0)) }
        try settings.importData(data)
        XCTAssertEqual(keys.map { xml(store.object(forKey: $0)) }, before, "\(store) \(objects)")
        XCTAssertEqual(try settings.exportData(), data, "\(store) \(objects)")
        XCTAssertEqual(recorder.take().map(\.description), [], "\(store) \(objects)")
        for key in objects.keys { store.removeObject(forKey: key) }
      }
    }
  }

  func testWhatCannotBeReadIsExportedAsItIsUnderThePresentKey() throws {
    for store in try makeStoresAndSubclasses() {
      store.set("loud", forKey: "a.level")
      store.set([1], forKey: "a.nickname")
      let settings = Settings(in: store, prefix: "a.")
      var exported = try XCTUnwrap(exported(settings))
      XCTAssertEqual(
        exported.removeValue(forKey: "TypedDefaults") as? NSDictionary,
        ["prefix": "a.", "unreadable": ["a.nickname", "a.volume"]])
      XCTAssertEqual(Set(exported.keys), ["a.volume", "a.nickname"], "\(store)")
      XCTAssertEqual(exported["a.volume"] as? String, "loud", "\(store)")
      XCTAssertEqual(exported["a.nickname"] as? [Int], [1], "\(store)")
      // The first that can be read, as a read takes it.
      store.set(7, forKey: "a.level")
      store.set("loud", forKey: "a.loudness")
      XCTAssertEqual(try self.exported(settings)?["a.volume"] as? Int, 7, "\(store)")
      for key in ["level", "loudness", "nickname"] { store.removeObject(forKey: "a.\(key)") }
    }
  }

  func testWhatCannotBeReadIsTakenOnlyWhereItIsStoredAlready() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store)
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["volume": "loud", "nickname": "Zoë"], format: .xml, options: 0)
      for stored in [nil, "louder"] {
        store.set(stored as Any?, forKey: "volume")
        XCTAssertThrowsError(try settings.importData(data), "\(store)") {
          XCTAssertEqual(($0 as? DefaultsIssue)?.key, "volume")
        }
        XCTAssertEqual(
          store.storedValue(for: "volume" as UserDefaults.Key<String>), stored, "\(store)")
        XCTAssertNil(settings.nickname, "\(store)")
      }
      store.set("loud", forKey: "volume")
      try settings.importData(data)
      XCTAssertEqual(store.object(forKey: "volume") as? String, "loud", "\(store)")
      XCTAssertEqual(settings.nickname, "Zoë", "\(store)")
      for key in ["volume", "nickname"] { store.removeObject(forKey: key) }
    }
  }

  // MARK: Prefixes

  func testAnExportOfAnotherPrefixIsRefusedThoughItHoldsNoValue() throws {
    for volume in [nil, 7] {
      for store in try makeStores() {
        let one = Settings(in: .inMemory(), prefix: "account/1/")
        let two = Settings(in: store, prefix: "account/2/")
        if let volume { one.volume = volume }
        two.volume = 5
        XCTAssertThrowsError(try two.importData(one.exportData())) { error in
          XCTAssertEqual((error as? DefaultsIssue)?.kind, .undecodableValue)
          XCTAssertEqual(
            "\(error)",
            """
            The import failed and changed no setting: the data has the prefix "account/1/", and the \
            group has "account/2/". Import data of the same group, exported with the same prefix.
            """)
        }
        XCTAssertEqual(two.volume, 5, "\(store)")
        let moved = Settings(in: store, prefix: "account/2/", formerly: "user/", "account/1/")
        try moved.importData(one.exportData())
        XCTAssertEqual(moved.volume, volume ?? 4, "\(store)")
        XCTAssertEqual(moved.$volume.isStored, volume != nil, "\(store)")
        two.resetAll()
      }
    }
  }

  func testDataOfTheGroupsPrefixWithoutAKeyOfItIsRefused() throws {
    struct Renamed: SettingsGroup {
      @WrappedDefault("sound") var sound = 4
    }
    let (old, new) = (Settings(in: .inMemory()), Renamed(in: .inMemory()))
    (old.volume, new.sound) = (7, 5)
    XCTAssertThrowsError(try new.importData(old.exportData())) {
      XCTAssertTrue("\($0)".contains("the data has no key of the group"), "\($0)")
    }
    XCTAssertEqual(new.sound, 5)
  }

  func testAnEmptyExportOfTheSamePrefixResets() throws {
    let (empty, settings) = (
      Settings(in: .inMemory(), prefix: "a."), Settings(in: .inMemory(), prefix: "a.")
    )
    settings.volume = 5
    try settings.importData(empty.exportData())
    XCTAssertFalse(settings.$volume.isStored)
  }

  func testGroupsInsideHaveTheirOwnPrefixes() throws {
    let panes = Panes(in: .inMemory(), prefix: "a.")
    (panes.left.width, panes.right.width) = (1, 2)
    func prefix(_ group: some SettingsGroup) throws -> String? {
      (try exported(group)?["TypedDefaults"] as? [String: String])?["prefix"]
    }
    XCTAssertEqual(try prefix(panes), "a.")
    XCTAssertEqual(try prefix(panes.left), "a.left.")
    XCTAssertEqual(try prefix(panes.right), "a.right.")
    XCTAssertThrowsError(try panes.left.importData(panes.right.exportData()))
    XCTAssertThrowsError(try panes.importData(panes.left.exportData()))
    XCTAssertEqual(panes.right.width, 2)
    // Made by itself, it has no prefix, though those inside have one.
    XCTAssertEqual(try prefix(Panes()), "")
    XCTAssertNoThrow(try Panes(in: .inMemory()).importData(Panes().exportData()))
  }

  func testDataThatNamesNoPrefixIsTakenAsBefore() throws {
    let settings = Settings(in: .inMemory(), prefix: "a.")
    for other in [[:], ["TypedDefaults": "x"], ["TypedDefaults": ["x": 1]]] as [[String: Any]] {
      settings.volume = 5
      try settings.importData(data(other.merging(["a.volume": 7]) { $1 }))
      XCTAssertEqual(settings.volume, 7)
      if !other.isEmpty { XCTAssertThrowsError(try settings.importData(data(other))) }
      XCTAssertEqual(settings.volume, 7)
    }
  }

  // MARK: What is ignored

  func testAnImportReturnsTheKeysThatItIgnored() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "a.")
      let old = Settings(in: .inMemory(["a.volume": 7, "a.nick": "Ann"]), prefix: "a.")
      XCTAssertEqual(try settings.importData(old.exportData()), [], "\(store)")
      let ignored = try settings.importData(
        data([
          "b.volume": 1, "a.volume": 6, "a.level": 3, "a.nick": "Ann", "a.volume.undecodable": "x",
          "TypedDefaults": ["prefix": "a."],
        ]))
      XCTAssertEqual(
        ignored, ["a.level", "a.nick", "a.volume.undecodable", "b.volume"], "\(store)")
      XCTAssertEqual(settings.volume, 6, "\(store)")
      // The value of a former key that counts, and one that equals the stored value, are taken.
      XCTAssertEqual(
        try settings.importData(data(["a.loudness": "loud", "a.level": 3, "TypedDefaults": 1])),
        ["a.loudness"], "\(store)")
      store.set("loud", forKey: "a.volume")
      XCTAssertEqual(try settings.importData(settings.exportData()), [], "\(store)")
      settings.resetAll()
    }
  }

  func testDataOfAnOlderVersionIsImportedThroughItsConversion() throws {
    struct Seconds: SettingsGroup {
      @WrappedDefault("timeoutInSeconds") var timeout = 30.0
      @WrappedDefault("volume") var volume = 4

      init() {}

      init(migratedIn store: UserDefaults) {
        self.init(in: store)
        store.transaction {
          let milliseconds = UserDefaults.Key<Int>("timeout")
          if let old = store.storedValue(for: milliseconds) {
            timeout = Double(old) / 1000
            store.removeValue(for: milliseconds)
          }
        }
      }
    }
    struct Milliseconds: SettingsGroup {
      @WrappedDefault("timeout") var timeout = 30_000
      @WrappedDefault("volume") var volume = 4
    }
    let old = Milliseconds(in: .inMemory(["timeout": 1500, "volume": 7]))
    for store in try makeStores() {
      let settings = Seconds(migratedIn: store)
      let data = try old.exportData()
      XCTAssertEqual(try settings.importData(data), ["timeout"], "\(store)")
      let list = try PropertyListSerialization.propertyList(from: data, format: nil)
      let migrated = Seconds(migratedIn: .inMemory(list as? [String: Any] ?? [:]))
      XCTAssertEqual(try settings.importData(migrated.exportData()), [], "\(store)")
      XCTAssertEqual(settings.timeout, 1.5, "\(store)")
      XCTAssertEqual(settings.volume, 7, "\(store)")
      settings.resetAll()
    }
  }

  // MARK: The reserved key

  func testASettingWithTheReservedKeyIsNotExported() throws {
    struct Reserved: SettingsGroup {
      @WrappedDefault("TypedDefaults") var reserved = 1
      @WrappedDefault("volume") var volume = 4
    }
    let settings = Reserved(in: .inMemory())
    (settings.reserved, settings.volume) = (2, 5)
    let exported = try settings.exportData()
    (settings.reserved, settings.volume) = (3, 6)
    try settings.importData(exported)
    XCTAssertEqual([settings.reserved, settings.volume], [3, 5])
  }
}
