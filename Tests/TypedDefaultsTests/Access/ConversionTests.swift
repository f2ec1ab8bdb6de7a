import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// Runs a conversion of minutes, and counts its runs.
final class Minutes: Sendable {
  private let count = TestMutex(0)
  var runs: Int { count.withLock { $0 } }

  func seconds(_ minutes: Int) -> Duration? {
    count.withLock { $0 += 1 }
    let (seconds, isTooLarge) = minutes.multipliedReportingOverflow(by: 60)
    return isTooLarge ? nil : .seconds(seconds)
  }

  func refresh(_ store: UserDefaults) -> WrappedDefault<Duration> {
    WrappedDefault(
      wrappedValue: Duration.seconds(600), "refresh", in: .seconds(30)...(.seconds(86_400)),
      formerly: .init("refreshMinutes") { self.seconds($0) }, userDefaults: store)
  }
}

struct ConvertedSettings: SettingsGroup {
  @WrappedDefault(
    "refresh", in: .seconds(30)...(.seconds(86_400)),
    formerly: .init("refreshMinutes") { (minutes: Int) in Minutes().seconds(minutes) })
  var refresh = Duration.seconds(600)

  @WrappedDefault(
    "volume", formerly: "loudness", .init("percent") { (percent: Int) in percent / 10 })
  var volume = 4

  @WrappedDefaultOptional("names", formerly: .init("name", convert: { (name: String) in [name] }))
  var names: [String]?

  @WrappedDefaultOptional("limit", in: 1..., formerly: .init("isLimited") { $0 ? 100 : nil })
  var limit: Int?
}

/// What lies under a former key of another type.
final class ConversionTests: XCTestCase {
  // MARK: Reading

  func testAnOldValueIsReadInTodaysFormAndAReadWritesNothing() throws {
    for store in try makeStoresAndSubclasses() {
      store.set(5, forKey: "a.refreshMinutes")
      store.set(70, forKey: "a.percent")
      store.set("Zoë", forKey: "a.name")
      store.set(true, forKey: "a.isLimited")
      let settings = ConvertedSettings(in: store, prefix: "a.")
      for _ in 1...2 {
        XCTAssertEqual(settings.refresh, .seconds(300), "\(store)")
        XCTAssertEqual(settings.volume, 7, "\(store)")
        XCTAssertEqual(settings.names, ["Zoë"], "\(store)")
        XCTAssertEqual(settings.limit, 100, "\(store)")
      }
      for setting in settings.settings {
        XCTAssertEqual(setting.source, .stored, "\(store)")
        XCTAssertTrue(setting.isStored, "\(store)")
        XCTAssertNil(setting.issue, "\(store)")
        XCTAssertNil(store.storedValue(for: .init(name: setting.key) as UserDefaults.Key<Data>))
      }
      XCTAssertEqual(store.integer(forKey: "a.refreshMinutes"), 5, "\(store)")
      store.set(6, forKey: "a.refreshMinutes")
      XCTAssertEqual(settings.refresh, .seconds(360), "\(store)")
      store.removeObject(forKey: "a.refreshMinutes")
      XCTAssertEqual(settings.refresh, .seconds(600), "\(store)")
      settings.resetAll()
    }
  }

  func testOfTwoFormerKeysTheFirstThatIsReadCounts() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let settings = ConvertedSettings(in: store)
      store.set(3, forKey: "loudness")
      store.set(70, forKey: "percent")
      XCTAssertEqual(settings.volume, 3, "\(store)")
      store.set("loud", forKey: "loudness")
      XCTAssertEqual(settings.volume, 7, "\(store)")
      XCTAssertEqual(recorder.take().map(\.key), ["volume"], "\(store)")
      settings.resetAll()
    }
  }

  func testTheFirstAssignmentStoresTodaysFormAndRemovesTheFormerKeys() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = ConvertedSettings(in: store)
      func setOld() {
        settings.resetAll()
        store.set(5, forKey: "refreshMinutes")
      }
      setOld()
      settings.refresh = .seconds(90)
      XCTAssertNil(store.object(forKey: "refreshMinutes"), "\(store)")
      XCTAssertEqual(store.storedValue(for: "refresh"), Duration.seconds(90), "\(store)")
      setOld()
      settings.$refresh.withLock { $0 += .seconds(1) }
      XCTAssertNil(store.object(forKey: "refreshMinutes"), "\(store)")
      XCTAssertEqual(store.storedValue(for: "refresh"), Duration.seconds(301), "\(store)")
      setOld()
      settings.$refresh.withLock { _ in }
      XCTAssertEqual(store.integer(forKey: "refreshMinutes"), 5, "nothing has changed, \(store)")
      settings.$refresh.reset()
      XCTAssertNil(store.object(forKey: "refreshMinutes"), "\(store)")
      XCTAssertFalse(settings.$refresh.isStored, "\(store)")
    }
  }

  #if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
    func testTheMoveIsOneSaveAndAnotherProcesssChangeIsToldConverted() throws {
      for kind in ["saved", "foundations"] {
        let suite = try makeTemporaryFolder().appendingPathComponent("suite").path
        let file = URL(filePath: suite + ".plist")
        func write(_ objects: [String: Any]) throws {
          try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
            .write(to: file, options: .atomic)
        }
        try write(["refreshMinutes": 5])
        let store = kind == "saved" ? .saved(suiteName: suite) : UserDefaults(suiteName: suite)!
        let settings = ConvertedSettings(in: store)
        XCTAssertEqual(settings.refresh, .seconds(300), kind)
        let isTold = expectation(description: "\(kind): the change is told")
        let told = TestMutex<[Duration]>([])
        let observation = settings.$refresh.onChange { old, new in
          told.withLock { $0 += [old, new] }
          isTold.fulfill()
        }
        try write(["refreshMinutes": 7])
        wait(for: [isTold], timeout: 30)
        XCTAssertEqual(told.withLock { $0 }, [.seconds(300), .seconds(420)], kind)
        observation.cancel()
        settings.refresh = .seconds(60)
        try store.flush()
        let stored = try PropertyListSerialization.propertyList(
          from: Data(contentsOf: file), format: nil)
        XCTAssertEqual(stored as? NSDictionary, ["refresh": "60"], kind)
      }
    }
  #endif

  // MARK: What cannot be converted

  func testWhatTheOldTypeTheConversionOrTheRangeRefusesIsUndecodable() throws {
    let end = """
      The setting returns its default, the string "600". Assign a value, which keeps the old one as \
      "refresh.undecodable", or reset the setting.
      """
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let settings = ConvertedSettings(in: store)
      for (old, text) in [
        ("often", "the string \"often\""), (Int.max, "the number \(Int.max)"),
        (0, "the number 0"),
      ] as [(Any, String)] {
        store.set(old, forKey: "refreshMinutes")
        for _ in 1...2 { XCTAssertEqual(settings.refresh, .seconds(600), "\(store)") }
        XCTAssertEqual(settings.$refresh.source, .defaultValue, "\(store)")
        XCTAssertTrue(settings.$refresh.isStored, "\(store)")
        let issues = recorder.take()
        XCTAssertEqual(issues.map(\.key), ["refresh"], "\(store)")
        let description = try XCTUnwrap(issues.first?.description)
        // The file's path is between the two.
        XCTAssertTrue(description.hasPrefix("The stored value of \"refreshMinutes\""), description)
        XCTAssertTrue(
          description.contains(
            """
             cannot be read as Int: it is \(text); expected an integer that becomes a duration from \
            30 to 86400.
            """), description)
        XCTAssertTrue(description.hasSuffix(end), description)
        XCTAssertEqual(settings.$refresh.issue?.description, description, "\(store)")
        settings.refresh = .seconds(60)
        XCTAssertEqual(xml(store.object(forKey: "refresh.undecodable")), xml(old), "\(store)")
        XCTAssertNil(store.object(forKey: "refreshMinutes"), "\(store)")
        settings.resetAll()
        _ = recorder.take()
      }
    }
  }

  func testASecretsConversionLeaksNothing() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      store.set("hunter2", forKey: "word")
      let token = WrappedDefaultOptional<Int>(
        "token", formerly: .init("word") { Int($0 as String) }, isSecret: true, userDefaults: store)
      XCTAssertNil(token.wrappedValue, "\(store)")
      let issues = recorder.take()
      XCTAssertEqual(issues.count, 1, "\(store)")
      XCTAssertFalse("\(issues) \(String(describing: token.issue)) \(token)".contains("hunter2"))
      token.wrappedValue = 7
      XCTAssertNil(store.object(forKey: "token.undecodable"), "\(store)")
      XCTAssertNil(store.object(forKey: "word"), "\(store)")
      token.wrappedValue = nil
    }
  }

  // MARK: Layers

  func testArgumentsAndAnAdministratorsValuesAreConverted() throws {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory(
      ["refreshMinutes": 1], managed: ["percent": 90], system: ["name": "Ann"])
    let settings = ConvertedSettings(in: store)
    XCTAssertEqual(settings.volume, 9)
    XCTAssertEqual(settings.$volume.source, .managed)
    XCTAssertEqual(settings.names, ["Ann"])
    XCTAssertEqual(settings.$names.source, .system)
    for arguments in [["refreshMinutes": "5"], ["refreshMinutes": "often"]] {
      store.setVolatileDomain(arguments, forName: UserDefaults.argumentDomain)
      let isRead = arguments["refreshMinutes"] == "5"
      XCTAssertEqual(settings.refresh, .seconds(isRead ? 300 : 60))
      XCTAssertEqual(settings.$refresh.source, isRead ? .launchArgument : .stored)
    }
    let description = recorder.take().map(\.description).joined()
    XCTAssertTrue(
      description.hasPrefix(
        "The launch argument -refreshMinutes cannot be read as Int: it is the string \"often\""),
      description)
    XCTAssertTrue(description.contains("The setting returns a Duration (stored)."), description)
    settings.refresh = .seconds(90)
    XCTAssertEqual(settings.refresh, .seconds(90), "the argument cannot be read")
    XCTAssertNil(store.storedValue(for: "refreshMinutes") as Int?)
  }

  func testAVariableAndTextOfTodaysKeyAreNeverConverted() throws {
    setenv("CONVERSION_TESTS_REFRESH", "5", 1)
    defer { unsetenv("CONVERSION_TESTS_REFRESH") }
    let store = try makeSuite()
    // The variable has the name of the former key, too.
    let refresh = WrappedDefault(
      wrappedValue: Duration.seconds(600), "refresh",
      formerly: .init("CONVERSION_TESTS_REFRESH") { (minutes: Int) in .seconds(minutes * 60) },
      environment: "CONVERSION_TESTS_REFRESH", userDefaults: store)
    XCTAssertEqual(refresh.wrappedValue, .seconds(5))
    XCTAssertEqual(refresh.source, .environment)
    let other = UserDefaults.inMemory(["refresh": "40"])
    other.setVolatileDomain(["refresh": "50"], forName: UserDefaults.argumentDomain)
    XCTAssertEqual(ConvertedSettings(in: other).refresh, .seconds(50))
    other.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
    XCTAssertEqual(ConvertedSettings(in: other).refresh, .seconds(40))
  }

  func testAFormerKeyThatAnotherDeclarationHasIsNotRead() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = ConvertedSettings(in: store)
      // Without a default, which would be registered for the stores of all tests.
      let minutes = WrappedDefaultOptional<Int>("refreshMinutes", userDefaults: store)
      minutes.wrappedValue = 5
      XCTAssertEqual(settings.refresh, .seconds(600), "\(store)")
      settings.refresh = .seconds(60)
      XCTAssertEqual(minutes.wrappedValue, 5, "\(store)")
      settings.resetAll()
      minutes.reset()
    }
  }
}
