import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private enum Theme: String, CaseIterable, UserDefaultsSerializable { case system, light, dark }

private struct Settings: SettingsGroup {
  @WrappedDefault("theme") var theme = Theme.system
  @WrappedDefault("count") var count = 4
  @WrappedDefaultOptional("tags") var tags: [String]?
  @WrappedDefaultOptional("date") var date: Date?
}

final class ImportTests: XCTestCase {
  func testAnExportHoldsWhatIsStoredAndNothingElse() throws {
    for store in try makeStores() {
      let settings = Settings(in: store, prefix: "a.")
      settings.theme = .dark
      settings.tags = ["a", "b"]
      store.set("other", forKey: "other")
      let data = try settings.exportData()
      XCTAssertTrue(data.starts(with: Data("<?xml".utf8)))
      XCTAssertEqual(
        try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary,
        ["TypedDefaults": ["prefix": "a."], "a.theme": "dark", "a.tags": ["a", "b"]])
      store.removeObject(forKey: "other")
      settings.resetAll()
      try store.flush()
    }
  }

  func testAnOverrideIsNotExported() throws {
    let store = makeStore(["theme": "dark"])
    store.setVolatileDomain(["theme": "light"], forName: UserDefaults.argumentDomain)
    XCTAssertEqual(Settings(in: store).theme, .light)
    XCTAssertEqual(
      try Settings(in: store).exportData(),
      try Settings(in: makeStore(["theme": "dark"])).exportData())
  }

  private func makeStore(_ objects: [String: Any]) -> UserDefaults {
    let store = UserDefaults.inMemory()
    for (key, object) in objects { store.set(object, forKey: key) }
    return store
  }

  func testAnImportResetsWhatTheDataLacksAndPassesOverOtherKeys() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.tags = ["kept by nobody"]
      settings.count = 5
      try settings.importData(Self.data(["count": 6, "theme": "light", "unknown": 1]))
      XCTAssertEqual(settings.count, 6)
      XCTAssertEqual(settings.theme, .light)
      XCTAssertNil(settings.tags)
      XCTAssertNil(store.object(forKey: "unknown"))
      try settings.importData(
        Self.data(["TypedDefaults": ["prefix": ""]], format: .binary))
      XCTAssertEqual(settings.settings.map(\.isStored), [false, false, false, false])
      try store.flush()
    }
  }

  func testAnImportWithoutASettingRemovesTheCopyOfWhatCouldNotBeDecoded() throws {
    let store = makeStore(["count": "many"])
    let recorder = recordIssues()
    let settings = Settings(in: store)
    settings.count = 5
    XCTAssertEqual(recorder.take().map(\.key), ["count"])
    XCTAssertEqual(store.string(forKey: "count.undecodable"), "many")
    store.removeObject(forKey: "count")
    try settings.importData(Self.data(["TypedDefaults": ["prefix": ""]]))
    XCTAssertNil(store.object(forKey: "count.undecodable"))
  }

  func testDataWithoutAnyKeyIsRefusedUnlessItNamesThePrefixOfTheGroup() throws {
    let settings = Settings(in: .inMemory(), prefix: "a.")
    settings.count = 5
    for objects in [[:], ["TypedDefaults": [:]], ["TypedDefaults": ["includesSecrets": true]]]
      as [[String: Any]]
    {
      XCTAssertThrowsError(try settings.importData(Self.data(objects))) {
        XCTAssertTrue("\($0)".contains("the data has no key of the group"), "\($0)")
      }
      XCTAssertEqual(settings.count, 5)
    }
    try settings.importData(Settings(in: .inMemory(), prefix: "a.").exportData())
    XCTAssertFalse(settings.$count.isStored)
  }

  // MARK: Values that cannot be read

  func testWhatTheExportCouldNotReadIsLeftOutOfTheImport() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      store.set("many", forKey: "a.count")
      let settings = Settings(in: store, prefix: "a.")
      settings.theme = .dark
      let data = try settings.exportData()
      let origin = try PropertyListSerialization.propertyList(from: data, format: nil)
      XCTAssertEqual(
        (origin as? [String: Any])?["TypedDefaults"] as? NSDictionary,
        ["prefix": "a.", "unreadable": ["a.count"]], "\(store)")
      settings.resetAll()
      settings.tags = ["a"]
      _ = recorder.take()
      XCTAssertEqual(try settings.importData(data), ["a.count"], "\(store)")
      XCTAssertEqual(
        recorder.take().map { "\($0.kind) \($0.key ?? "-"): \($0)" },
        [
          """
          undecodableValue a.count: The import left out what the export could not read either: \
          "a.count" cannot be read as Int: it is the string "many"; expected an integer. What is \
          stored is kept. Assign a value.
          """
        ], "\(store)")
      XCTAssertEqual(settings.theme, .dark, "\(store)")
      XCTAssertNil(settings.tags, "\(store)")
      XCTAssertFalse(settings.$count.isStored, "\(store)")
      settings.count = 7
      XCTAssertEqual(try settings.importData(data), ["a.count"], "\(store)")
      XCTAssertEqual(settings.count, 7, "what is stored under it stays, \(store)")
      settings.resetAll()
      try store.flush()
    }
  }

  func testAnExportOfNothingButWhatCannotBeReadIsImportedToo() throws {
    _ = recordIssues()
    let data = try Settings(in: .inMemory(["count": "many"])).exportData()
    let settings = Settings(in: .inMemory(["theme": "dark"]))
    XCTAssertEqual(try settings.importData(data), ["count"])
    XCTAssertFalse(settings.$theme.isStored)
    struct Text: SettingsGroup { @WrappedDefault("count") var count = "" }
    let text = Text(in: .inMemory())
    XCTAssertEqual(try text.importData(data), [], "a later version may read it")
    XCTAssertEqual(text.count, "many")
  }

  func testWhatIsNotListedRefusesTheWholeImport() throws {
    let settings = Settings(in: .inMemory())
    settings.count = 5
    let objects: [String: Any] = [
      "theme": "purple", "count": "many",
      "TypedDefaults": ["prefix": "", "unreadable": ["count"]],
    ]
    XCTAssertThrowsError(try settings.importData(Self.data(objects))) {
      XCTAssertEqual(($0 as? DefaultsIssue)?.key, "theme")
    }
    XCTAssertEqual(settings.count, 5)
  }

  func testTheListOfASecretIsNotInAnExportWithoutSecrets() throws {
    struct Settings: SettingsGroup { @WrappedDefault("token", isSecret: true) var token = 0 }
    let recorder = recordIssues()
    let settings = Settings(in: .inMemory(["token": "hunter2"]))
    let data = String(decoding: try settings.exportData(), as: UTF8.self)
    XCTAssertFalse(data.contains("token"), data)
    let other = Settings(in: .inMemory())
    try other.importData(settings.exportData(includingSecrets: true))
    XCTAssertFalse(recorder.take().description.contains("hunter2"))
    XCTAssertFalse(other.$token.isStored)
  }

  func testAnImportTakesAPersonsEditsAndStoresThemInTheirOwnForm() throws {
    let store = UserDefaults.inMemory()
    let settings = Settings(in: store)
    try settings.importData(Data("{count = 7; tags = (a); date = \"2026-01-31\";}".utf8))
    XCTAssertEqual(store.object(forKey: "count") as? Int, 7)
    XCTAssertEqual(settings.tags, ["a"])
    XCTAssertEqual(store.object(forKey: "date") as? Date, settings.date)
  }

  func testDamagedDataChangesNothingAndTheIssueSaysWhichSettingAndWhy() throws {
    for store in try makeStores() {
      let settings = Settings(in: store)
      settings.theme = .dark
      settings.tags = ["a"]
      let before = try settings.exportData()
      let observation = settings.$theme.onChange { XCTFail("\($0) \($1)") }
      func issue(_ data: Data) -> String {
        do {
          try settings.importData(data)
          return "imported"
        } catch {
          XCTAssertEqual((error as? DefaultsIssue)?.kind, .undecodableValue)
          XCTAssertEqual(try? settings.exportData(), before)
          return "\((error as? DefaultsIssue)?.key ?? "-"): \(error)"
        }
      }
      let end = "Correct the value, or remove it from the data."
      let start = "The import failed and changed no setting:"
      XCTAssertEqual(
        issue(Self.data(["count": 1, "theme": "purple"])),
        """
        theme: \(start) "theme" cannot be read as Theme: it is the string "purple"; expected one \
        of: system, light, dark. \(end)
        """)
      XCTAssertEqual(
        issue(Self.data(["theme": "light", "tags": ["a", Data()]])),
        """
        tags: \(start) "tags" cannot be read as Array<String>: it is an array of 2 elements; \
        expected a list in brackets, each a string. \(end)
        """)
      XCTAssertEqual(
        issue(Self.data(["Theme": "light"])),
        """
        -: \(start) the data has no key of the group. Import data of the same group, exported with \
        the same prefix.
        """)
      let notAList = """
        -: \(start) the data is not a property list of a dictionary. Import data of the same group, \
        exported with the same prefix.
        """
      XCTAssertEqual(issue(Data("theme: dark".utf8)), notAList)
      XCTAssertEqual(issue(Data()), notAList)
      XCTAssertEqual(issue(before.dropLast(20)), notAList)
      observation.cancel()
      settings.resetAll()
      try store.flush()
    }
  }

  func testAKeyInTheOtherUnicodeNormalFormIsImported() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("caf\u{E9}") var count = 0
    }
    let settings = Settings(in: .inMemory())
    let file = String(decoding: Self.data(["cafe\u{301}": 7]), as: UTF8.self)
    XCTAssertTrue(file.unicodeScalars.contains("\u{301}"))
    try settings.importData(Data(file.utf8))
    XCTAssertEqual(settings.count, 7)
  }

  func testAnExportKeepsTheFractionsOfSeconds() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("date") var date = Date.distantPast
      @WrappedDefault("dates") var dates: [String: [Date]] = [:]
      @WrappedDefault("span") var span = Date.distantPast..<Date.distantFuture
      @WrappedDefault("whole") var whole = Date.distantPast
    }
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    let exact = [
      0.5, -0.5, 1e-9, 790_000_000.123456789, -790_000_000.987654321, 59.999999999, 0, 1e9,
      252_423_993_599.125, -13_190_515_199.75,
    ].map(date)
    for instant in exact {
      let exporting = Settings(in: .inMemory())
      (exporting.date, exporting.dates) = (instant, ["a": exact])
      (exporting.span, exporting.whole) = (instant..<instant + 0.75, date(7))
      let data = try exporting.exportData()
      let text = String(decoding: data, as: UTF8.self)
      XCTAssertTrue(text.contains("<key>whole</key>\n\t<date>2001-01-01T00:00:07Z</date>"), text)

      let importing = Settings(in: .inMemory())
      try importing.importData(data)
      XCTAssertEqual(importing.date, instant, text)
      XCTAssertEqual(importing.dates, ["a": exact], text)
      XCTAssertEqual(importing.span, exporting.span, text)
      XCTAssertEqual(importing.whole, date(7))
    }
    // Before 1583 and after 9999, and what the sum of a second and a fraction cannot be.
    for seconds in [-63_082_281_600.25, 252_455_616_000_000.5, 1e-300] {
      let (exporting, importing) = (Settings(in: .inMemory()), Settings(in: .inMemory()))
      exporting.date = date(seconds)
      try importing.importData(exporting.exportData())
      XCTAssertEqual(importing.date, date(seconds))
    }
  }

  func testMutatedDataIsImportedWhollyOrNotAtAll() throws {
    let settings = Settings(in: .inMemory())
    (settings.theme, settings.count, settings.tags, settings.date) = (.dark, 5, ["a"], .distantPast)
    let before = try settings.exportData()
    let binary = try PropertyListSerialization.data(
      fromPropertyList: PropertyListSerialization.propertyList(from: before, format: nil),
      format: .binary, options: 0)
    var generator = SeededGenerator()
    for number in 0..<1000 {
      try settings.importData(before)
      let data = generator.mutated(number.isMultiple(of: 2) ? before : binary)
      if (try? settings.importData(data)) == nil {
        XCTAssertEqual(try settings.exportData(), before, "\(generator)")
      } else {
        let imported = try settings.exportData()
        XCTAssertNoThrow(try Settings(in: .inMemory()).importData(imported), "\(generator)")
      }
    }
  }

  func testAnExportOfAllTypesIsImportedEqualByAnotherProcess() throws {
    let home = try TemporaryFolder()
    let exported = try ChildProcess.run("export", home.path + "/export.plist", in: home)
    XCTAssertEqual(exported.errors, "")
    XCTAssertEqual(exported.output, ["50 exported"])
    let other = try TemporaryFolder()
    let imported = try ChildProcess.run("import", home.path + "/export.plist", in: other)
    XCTAssertEqual(imported.errors, "")
    XCTAssertEqual(imported.output, ["50 equal"])
    let stored = try XCTUnwrap(other.contents())
    XCTAssertEqual(stored.count, 50)
  }

  func testAnExportOfAnOlderVersionIsImportedUnderTheFormerKeys() throws {
    struct Old: SettingsGroup {
      @WrappedDefault("level") var level = 4
      @WrappedDefaultOptional("alias") var alias: String?
    }
    struct New: SettingsGroup {
      @WrappedDefault("volume", formerly: "loudness", "level") var volume = 4
      @WrappedDefaultOptional("nickname", formerly: "alias") var nickname: String?
    }
    let old = Old(in: .inMemory(), prefix: "imported.")
    (old.level, old.alias) = (7, "Zoë")
    for store in try makeStoresAndSubclasses() {
      let new = New(in: store, prefix: "imported.")
      new.volume = 5
      try new.importData(old.exportData())
      XCTAssertEqual(new.volume, 7, "\(store)")
      XCTAssertEqual(new.nickname, "Zoë", "\(store)")
      XCTAssertEqual(store.object(forKey: "imported.volume") as? Int, 7, "\(store)")
      XCTAssertNil(store.object(forKey: "imported.level"), "\(store)")
      // The setting's own key first, then the latest of the former ones.
      try new.importData(
        Self.data(["imported.volume": 1, "imported.loudness": 2, "imported.level": 3]))
      XCTAssertEqual(new.volume, 1, "\(store)")
      try new.importData(Self.data(["imported.loudness": 2, "imported.level": 3]))
      XCTAssertEqual(new.volume, 2, "\(store)")
      XCTAssertNil(new.nickname, "\(store)")
      XCTAssertThrowsError(try new.importData(Self.data(["imported.level": "loud"]))) {
        XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .undecodableValue)
      }
      XCTAssertEqual(new.volume, 2, "\(store)")
      // As a read of stored values does.
      try new.importData(Self.data(["imported.loudness": "loud", "imported.level": 3]))
      XCTAssertEqual(new.volume, 3, "\(store)")
      new.resetAll()
    }
  }

  private static func data(
    _ objects: [String: Any], format: PropertyListSerialization.PropertyListFormat = .xml
  ) -> Data {
    try! PropertyListSerialization.data(fromPropertyList: objects, format: format, options: 0)
  }
}
