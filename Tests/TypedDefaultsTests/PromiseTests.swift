import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// Sentences of the articles about several parts at once.
final class PromiseTests: XCTestCase {
  private enum Plain: String, UserDefaultsSerializable { case one, two }

  private struct Settings: SettingsGroup {
    @WrappedDefault("language") var language = "en"
    @WrappedDefault("volume", in: 0...10) var volume = 4
    @WrappedDefault("plain") var plain = Plain.one
    @WrappedDefaultOptional("name") var name: String?
  }

  // MARK: Sources

  func testAResetGivesWayToTheNextSource() {
    let store = UserDefaults.inMemory(
      ["language": "de", "volume": 9, "name": "Ann"], managed: ["volume": 3],
      system: ["language": "fr", "name": "Zoë"])
    let settings = Settings(in: store)
    settings.$language.reset()
    XCTAssertEqual(settings.language, "fr")
    settings.resetAll()
    XCTAssertEqual(settings.volume, 3)
    XCTAssertFalse(settings.$volume.isStored)
    XCTAssertEqual(settings.name, "Zoë")
    store.removeValue(for: "name" as UserDefaults.Key<String>)
    XCTAssertEqual(store.value(for: "name" as UserDefaults.Key<String>), "Zoë")
  }

  func testAWrongStoredValueGivesWayToTheNextSource() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(["volume": "loud"], system: ["volume": 6])
    XCTAssertEqual(Settings(in: store).volume, 6)
    XCTAssertEqual(store.value(for: "volume" as UserDefaults.Key<Int>), 6)
    XCTAssertEqual(recorder.take().map(\.kind).first, .undecodableValue)
  }

  func testWhatMovesToAnotherStoreIsWhatIsStored() throws {
    let old = UserDefaults.inMemory(["language": "de"], managed: ["language": "fr"])
    XCTAssertEqual(Settings(in: old).language, "fr")
    XCTAssertEqual(old.storedValue(for: "language" as UserDefaults.Key<String>), "de")
    let new = Settings(in: .inMemory())
    try new.importData(Settings(in: old).exportData())
    XCTAssertEqual(new.language, "de")
  }

  func testASubclassHasNoLayersOfAnAdministrator() {
    for store in [PlainDefaults(), AnnouncingDefaults()] {
      let sources = Store.of(store).backend.layers.map(\.source)
      XCTAssertEqual(sources, [.launchArgument, .environment, .stored, .defaultValue])
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAVariableKeepsTheQuotesOfAString() throws {
      setenv("PROMISE_STRING", "\"quoted\"", 1)
      setenv("PROMISE_LIST", "(a, \"b c\")", 1)
      let store = try makeSavedSuite()
      let string = WrappedDefault(
        wrappedValue: "", "string", environment: "PROMISE_STRING", userDefaults: store)
      let list = WrappedDefault(
        wrappedValue: [""], "list", environment: "PROMISE_LIST", userDefaults: store)
      XCTAssertEqual(string.wrappedValue, "\"quoted\"")
      XCTAssertEqual(list.wrappedValue, ["a", "b c"])
    }
  #endif

  // MARK: Values

  func testATypedKeyHasNoRange() {
    let store = UserDefaults.inMemory()
    store.set(99, for: "volume" as UserDefaults.Key<Int>)
    XCTAssertEqual(store.value(for: "volume" as UserDefaults.Key<Int>), 99)
    _ = recordIssues()
    XCTAssertEqual(Settings(in: store).volume, 4)
  }

  func testJSONDataOfDatesAndOfDataIsNotRead() throws {
    _ = recordIssues()
    let encoder = JSONEncoder()
    let store = UserDefaults.inMemory([
      "dates": try encoder.encode([Date.now]), "data": try encoder.encode([Data([1])]),
      "numbers": try encoder.encode([1, 2]),
    ])
    XCTAssertNil(store.value(for: "dates" as UserDefaults.Key<[Date]>))
    XCTAssertNil(store.value(for: "data" as UserDefaults.Key<[Data]>))
    XCTAssertEqual(store.value(for: "numbers" as UserDefaults.Key<[Int]>), [1, 2])
  }

  func testAnEnumHasChoicesOnlyIfItIsCaseIterable() {
    XCTAssertEqual(Settings(in: .inMemory()).$plain.choices, [])
  }

  // MARK: Groups

  private struct Pane: SettingsGroup {
    @WrappedDefault("width", formerly: "size") var width = 1
  }

  private struct Panes: SettingsGroup {
    let panes = [Pane(prefix: "left/", formerly: "l/"), Pane(prefix: "right/")]
  }

  func testGroupsInListsMoveAlong() {
    let store = UserDefaults.inMemory(["old/l/size": 7, "old/right/width": 8])
    let panes = Panes(in: store, prefix: "new/", formerly: "old/")
    XCTAssertEqual(panes.settings.map(\.key), ["new/left/width", "new/right/width"])
    XCTAssertEqual(panes.panes.map(\.width), [7, 8])
  }
}

#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  /// Sentences about several processes and the file.
  final class FilePromiseTests: SavingTestCase {
    func testASignalThatIsHandledByExitLosesNothing() throws {
      for number in [SIGTERM, SIGINT] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "exit-at-signals", "set:a=1", "raise:\(number)", "sleep"], in: folder)
        XCTAssertEqual(try child.wait().end, .exit(0))
        XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["1"])
      }
    }

    func testASignalThatIsNotHandledLosesOnlyTheNewestChange() throws {
      for number in [SIGTERM, SIGINT] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "set:a=1", "flush", "set:a=2", "raise:\(number)"], in: folder)
        XCTAssertEqual(try child.wait().end, .signal(number))
        let value = try ChildProcess.save("get:a", in: folder)
        XCTAssertTrue([["1"], ["2"]].contains(value), "\(value)")
      }
    }

    func testAProgramThatEndsDuringExclusivelyOfAnotherStoreGivesUpAfterThreeSeconds() throws {
      let folder = try TemporaryFolder()
      let first = try ChildProcess(["saving", "exclusively-wait:1"], in: folder)
      XCTAssertEqual(first.line(), "inside")
      let start = ContinuousClock.now
      let second = try ChildProcess(["saving", "suite:other", "set:a=1"], in: folder)
      let (end, _, errors) = try second.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertGreaterThan(ContinuousClock.now - start, .seconds(2.9))
      XCTAssertTrue(errors.contains("within three seconds of the program's end"), errors)
      try first.goOn()
      XCTAssertEqual(try first.wait().end, .exit(0))
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    func testTwoStoresOfOneDirectoryAreTakenInOppositeOrders() throws {
      let folder = try TemporaryFolder()
      let children = try [("one", "two"), ("two", "one")].map { outer, inner in
        try ChildProcess(["saving", "suite:\(outer)", "exclusively-other:\(inner)"], in: folder)
      }
      for child in children { try child.goOn() }
      for child in children {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, ["inside"])
        XCTAssertEqual(errors, "")
      }
      for name in ["one", "two"] {
        XCTAssertEqual(
          try folder.contents(ofPlist: name) as? [String: String], ["outer": "1", "inner": "1"])
      }
    }

    func testADomainCallRewritesTheFilesOfAllChangedSuites() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        [
          "saving", "foundation", "set:a=1", "flush", "suite:other", "set:b=1", "flush", "wait",
          "set-domain:third", "print:set", "wait",
        ], in: folder)
      XCTAssertEqual([child.line(), child.line()], ["flushed", "flushed"])
      let files = [folder.plist(), folder.plist("other")]
      func attributes(_ file: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: file)
      }
      let before = try files.map { try attributes($0)[.systemFileNumber] as? Int }
      let past = Date(timeIntervalSince1970: 0)
      for file in files {
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
      }
      try child.goOn()
      XCTAssertEqual(child.line(), "set")
      for (file, before) in zip(files, before) {
        let after = try attributes(file)
        // A save of the library would have made another file.
        XCTAssertEqual(after[.systemFileNumber] as? Int, before, file)
        XCTAssertNotEqual(after[.modificationDate] as? Date, past, file)
      }
      try child.goOn()
      XCTAssertEqual(try child.wait().end, .exit(0))
    }

    func testTheAdministratorsFileOfASuiteThatIsAPathHasItsLastComponent() throws {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      try directory.write(
        PropertyListSerialization.data(
          fromPropertyList: ["a": "system"], format: .xml, options: 0), toPlist: "suite")
      let child = try ChildProcess(
        ["saving", "saved", "suite:\(folder.path)/suite", "get:a"], in: folder,
        environment: ["XDG_CONFIG_DIRS": directory.path, "PROBE_STORE": "saved"])
      XCTAssertEqual(try child.wait().output, ["system"])
    }
  }
#endif
