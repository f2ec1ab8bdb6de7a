import TypedDefaults
import XCTest

@testable import TestSupport

final class WrappedDefaultTests: XCTestCase {
  func testTheDefaultShowsUntilAValueIsAssignedAndAgainAfterAReset() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
      XCTAssertEqual(count.wrappedValue, 3)
      count.wrappedValue = 4
      XCTAssertEqual(count.wrappedValue, 4)
      XCTAssertEqual(store.integer(forKey: "count"), 4)
      count.reset()
      XCTAssertEqual(count.wrappedValue, 3)
    }
  }

  func testTheProjectedValueTellsKeyAndDefault() {
    struct Settings {
      @WrappedDefault(keyName: "flag", defaultValue: true, userDefaults: .inMemory()) var flag: Bool
    }
    let settings = Settings()
    XCTAssertEqual(settings.$flag.key, "flag")
    XCTAssertEqual(settings.$flag.defaultValue, true)
    settings.flag = false
    XCTAssertEqual(settings.$flag.defaultValue, true)
    settings.$flag.reset()
    XCTAssertTrue(settings.flag)
  }

  func testTheDefaultIsRegisteredInTheFormThatTheRawAccessorsRead() throws {
    for store in try makeStores() {
      let url = URL(string: "https://example.com/a?b=c#d")!
      let prefix = UUID().uuidString  // The registered defaults are the whole process's.
      _ = WrappedDefault(wrappedValue: true, "\(prefix)bool", userDefaults: store)
      _ = WrappedDefault(wrappedValue: UInt8(7), "\(prefix)integer", userDefaults: store)
      _ = WrappedDefault(wrappedValue: Float(1.1), "\(prefix)float", userDefaults: store)
      _ = WrappedDefault(wrappedValue: 0.1, "\(prefix)double", userDefaults: store)
      _ = WrappedDefault(wrappedValue: "text", "\(prefix)string", userDefaults: store)
      _ = WrappedDefault(wrappedValue: Data([1]), "\(prefix)data", userDefaults: store)
      _ = WrappedDefault(wrappedValue: ["a", "b"], "\(prefix)strings", userDefaults: store)
      _ = WrappedDefault(wrappedValue: ["a": 1], "\(prefix)dictionary", userDefaults: store)
      _ = WrappedDefault(wrappedValue: url, "\(prefix)url", userDefaults: store)
      _ = WrappedDefault(
        wrappedValue: URL(fileURLWithPath: "/no/file"), "\(prefix)file", userDefaults: store)
      XCTAssertEqual(store.bool(forKey: "\(prefix)bool"), true)
      XCTAssertEqual(store.integer(forKey: "\(prefix)integer"), 7)
      XCTAssertEqual(store.float(forKey: "\(prefix)float"), 1.1)
      XCTAssertEqual(store.double(forKey: "\(prefix)double"), 0.1)
      XCTAssertEqual(store.string(forKey: "\(prefix)string"), "text")
      XCTAssertEqual(store.data(forKey: "\(prefix)data"), Data([1]))
      XCTAssertEqual(store.stringArray(forKey: "\(prefix)strings"), ["a", "b"])
      XCTAssertEqual(store.dictionary(forKey: "\(prefix)dictionary") as? [String: Int], ["a": 1])
      XCTAssertEqual(store.url(forKey: "\(prefix)url"), url)
      XCTAssertEqual(store.url(forKey: "\(prefix)file"), URL(fileURLWithPath: "/no/file"))
    }
  }

  func testADefaultIsNeverSaved() throws {
    let store = try makeSuite()
    _ = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
    WrappedDefault(wrappedValue: "a", "name", userDefaults: store).wrappedValue = "b"
    try store.flush()
    let suite = try XCTUnwrap(Mirror(reflecting: store).descendant("suite") as? String)
    let saved = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: URL(fileURLWithPath: suite + ".plist")), format: nil)
    XCTAssertEqual(saved as? [String: String], ["name": "b"])
  }

  func testARawSetIsSeenAtOnce() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
      store.set(5, forKey: "count")
      XCTAssertEqual(count.wrappedValue, 5)
      store.set(3, forKey: "count")
      XCTAssertEqual(count.wrappedValue, 3)
      store.removeObject(forKey: "count")
      XCTAssertEqual(count.wrappedValue, 3)
    }
  }

  // MARK: Defaults of others

  func testTheOwnDefaultWinsOverAnotherSuitesDefaultForTheSameKeyName() throws {
    let (first, second) = (try makeSuite(), try makeSuite())
    let one = WrappedDefault(wrappedValue: 1, "shared-name", userDefaults: first)
    let two = WrappedDefault(wrappedValue: 2, "shared-name", userDefaults: second)
    let none = WrappedDefaultOptional<Int>("shared-name", userDefaults: try makeSuite())
    XCTAssertEqual(one.wrappedValue, 1)
    XCTAssertEqual(two.wrappedValue, 2)
    XCTAssertNil(none.wrappedValue)

    one.wrappedValue = 2  // Equal to what the other one registered, but stored.
    XCTAssertEqual(one.wrappedValue, 2)
    one.wrappedValue = 5
    XCTAssertEqual(one.wrappedValue, 5)
    first.removeObject(forKey: "shared-name")
    XCTAssertEqual(one.wrappedValue, 1)
    none.wrappedValue = 2
    XCTAssertEqual(none.wrappedValue, 2)
    none.wrappedValue = nil
    XCTAssertNil(none.wrappedValue)
  }

  func testTheOwnDefaultWinsOverARawRegistrationOfTheSameKeyName() throws {
    let store = try makeSuite()
    let setting = WrappedDefault(wrappedValue: 1, "raw-name", userDefaults: store)
    let optional = WrappedDefaultOptional<Int>("raw-name", userDefaults: store)
    try makeSuite().register(defaults: ["raw-name": 2])
    XCTAssertEqual(store.integer(forKey: "raw-name"), 2)
    XCTAssertEqual(setting.wrappedValue, 1)
    XCTAssertNil(optional.wrappedValue)
    store.set(2, forKey: "raw-name")
    XCTAssertEqual(setting.wrappedValue, 2)
    XCTAssertEqual(optional.wrappedValue, 2)
  }

  func testARawRegistrationDoesNotShowWhenAStoredValueIsRemoved() throws {
    for isRaw in [true, false] {
      let store = try makeSuite()
      let setting = WrappedDefault(wrappedValue: 1, "removed-name", userDefaults: store)
      let optional = WrappedDefaultOptional<Int>("removed-name", userDefaults: store)
      store.register(defaults: ["removed-name": 2])
      setting.wrappedValue = 3
      XCTAssertEqual(setting.wrappedValue, 3)
      XCTAssertEqual(optional.wrappedValue, 3)
      if isRaw { store.removeObject(forKey: "removed-name") } else { setting.reset() }
      XCTAssertEqual(setting.wrappedValue, 1)
      XCTAssertNil(optional.wrappedValue)
    }
  }

  func testTheSameHoldsInTheStandardSuite() throws {
    // In a process of its own: the standard suite's file is this program's.
    let result = try ChildProcess.run("registrations", in: try TemporaryFolder())
    XCTAssertEqual(
      result.output, ["1 nil", "2 2", "1 nil"], result.errors)
  }

  func testTwoDeclarationsOfOneKeyThatDifferAreReportedOnce() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      for _ in 1...3 {
        let one = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
        let two = WrappedDefault(wrappedValue: 2, "count", userDefaults: store)
        XCTAssertEqual(one.wrappedValue, 1)
        XCTAssertEqual(two.wrappedValue, 2)
      }
      let issues = recorder.take()
      XCTAssertEqual(issues.map(\.kind), [.conflictingDefault])
      XCTAssertEqual(issues.first?.key, "count")
      XCTAssertEqual(
        issues.first?.description,
        """
        "count" is declared twice in one store: as Int (the default is the number 1), and as Int \
        (the default is the number 2). Each declaration uses its own type and default. Give two \
        settings two keys, and one setting one type and one default. Make a default that changes, such \
        as UUID(), once, in a static let.
        """)
    }
  }

  func testTwoDeclarationsOfOneKeyWithDifferentTypesAreReported() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    _ = WrappedDefault(wrappedValue: "1", "count", userDefaults: store)
    _ = WrappedDefaultOptional<Int>("count", userDefaults: store)
    let issues = recorder.take()
    XCTAssertEqual(issues.map(\.kind), [.conflictingDefault])
    XCTAssertEqual(
      issues.first?.description,
      """
      "count" is declared twice in one store: as String (the default is the string "1"), and as \
      Int. Each declaration uses its own type and default. Give two settings two keys, and one setting \
      one type and one default. Make a default that changes, such as UUID(), once, in a static let.
      """)
  }

  func testDeclarationsThatAgreeAreNotReported() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let url = URL(string: "https://example.com")!
      for _ in 1...2 {
        _ = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
        _ = WrappedDefaultOptional<Int>("count", userDefaults: store)
        _ = WrappedDefault(wrappedValue: Double.nan, "nan", userDefaults: store)
        _ = WrappedDefault(wrappedValue: ["a": [url]], "urls", userDefaults: store)
        _ = WrappedDefault(wrappedValue: Set(["a", "b", "c"]), "set", userDefaults: store)
        _ = WrappedDefault(wrappedValue: true, "count", userDefaults: .inMemory())
      }
      XCTAssertEqual(recorder.take().map(\.description), [])
    }
  }

  // MARK: withLock

  func testWithLockStoresWhatTheBodyLeavesAndReturnsItsResult() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
      let old = count.withLock { value in
        defer { value += 1 }
        return value
      }
      XCTAssertEqual(old, 3)
      XCTAssertEqual(count.wrappedValue, 4)
    }
  }

  func testWithLockStoresNothingIfTheBodyChangesNothingOrThrows() throws {
    struct Failure: Error {}
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 3, "count", userDefaults: store)
      count.withLock { _ in }
      XCTAssertThrowsError(
        try count.withLock { value in
          value = 9
          throw Failure()
        })
      let stored = WrappedDefaultOptional<Int>("count", userDefaults: store)
      XCTAssertNil(stored.wrappedValue)
      XCTAssertEqual(count.wrappedValue, 3)
    }
  }

  func testTheSettingCanBeReadAndAssignedInsideWithLock() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
      let twin = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
      count.withLock { _ in twin.wrappedValue = twin.wrappedValue + 10 }
      XCTAssertEqual(
        count.wrappedValue, 11, "an assignment inside stays if the body changes nothing")
      count.withLock { value in
        twin.wrappedValue = 50
        value += 1
      }
      XCTAssertEqual(count.wrappedValue, 12, "else the body's value is the last")
      count.withLock { outer in
        twin.withLock { $0 += 1 }
        outer += twin.wrappedValue
      }
      XCTAssertEqual(count.wrappedValue, 25)
    }
  }

  func testNoIncrementIsLostBetweenThreadsAndWrappersOfOneKey() throws {
    let folder = try makeTemporaryFolder()
    let suite = folder.appendingPathComponent("suite").path
    let inMemory = UserDefaults.inMemory()
    let instances = [UserDefaults(suiteName: suite)!, UserDefaults(suiteName: suite)!]
    for stores in [[inMemory, inMemory], instances] {
      let wrappers = stores.map { WrappedDefault(wrappedValue: 0, "count", userDefaults: $0) }
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for _ in 1...250 { wrappers[thread % 2].withLock { $0 += 1 } }
      }
      XCTAssertEqual(wrappers[0].wrappedValue, 2000)
      XCTAssertEqual(wrappers[1].wrappedValue, 2000)
    }
    try instances[0].flush()
  }

  func testAssigningFromManyThreadsLeavesOneOfTheValues() throws {
    for store in try makeStores() {
      let names = WrappedDefault(wrappedValue: [""], "names", userDefaults: store)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for index in 1...100 {
          names.wrappedValue = ["\(thread)", "\(index)"]
          XCTAssertEqual(names.wrappedValue.count, 2)
        }
      }
      XCTAssertEqual(names.wrappedValue[1], "100")
    }
  }
}
