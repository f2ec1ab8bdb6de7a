import TypedDefaults
import XCTest

@testable import TestSupport

/// Values that have no form which a property list can hold.
final class UnencodableValueTests: XCTestCase {
  private struct Ratio: Codable, Equatable, UserDefaultsSerializable { var value: Double }

  private func assertKept<V: UserDefaultsSerializable & Equatable>(
    _ old: V, against new: V, line: UInt = #line
  ) throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let setting = WrappedDefaultOptional<V>("key", userDefaults: store)
      setting.wrappedValue = old
      setting.wrappedValue = new
      XCTAssertEqual(setting.wrappedValue, old, line: line)
      setting.withLock { $0 = new }
      XCTAssertEqual(setting.wrappedValue, old, line: line)
      let issues = recorder.take()
      XCTAssertEqual(issues.map(\.kind), [.unencodableValue, .unencodableValue], line: line)
      XCTAssertEqual(issues.first?.key, "key", line: line)
    }
  }

  func testTheOldValueStaysAndTheIssueIsReported() throws {
    try assertKept(Ratio(value: 1), against: Ratio(value: .infinity))
    try assertKept([Ratio(value: 1)], against: [Ratio(value: 2), Ratio(value: .nan)])
    try assertKept(["a": 1], against: ["CF$UID": 1])
    try assertKept([["a": 1]], against: [["CF$UID": 1]])
    try assertKept(Date.distantPast, against: Date(timeIntervalSinceReferenceDate: .infinity))
    try assertKept(Date.distantPast, against: Date(timeIntervalSinceReferenceDate: 1e17))
    try assertKept([Date.distantPast], against: [Date(timeIntervalSinceReferenceDate: -.infinity)])
  }

  func testTheMessageSaysWhyAndWhatToDo() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    let setting = WrappedDefaultOptional<[Ratio]>("ratios", userDefaults: store)
    setting.wrappedValue = [Ratio(value: .infinity)]
    XCTAssertEqual(
      recorder.take().map(\.description),
      [
        """
        A value of type Array<Ratio> cannot be stored for "ratios": Unable to encode Double.inf \
        directly in JSON. The old value is kept. Assign a value that can be stored.
        """
      ])
    XCTAssertThrowsError(try setting.set(text: "[{\"value\": 1e400}]"))
    let date = WrappedDefault(
      wrappedValue: Date(timeIntervalSinceReferenceDate: .nan), "date", userDefaults: store)
    XCTAssertEqual(
      recorder.take().map(\.description),
      [
        """
        A value of type Date cannot be stored for "date": it is no date, or more than 31 million years \
        away. Only this declaration returns the default. Declare one that can be stored.
        """
      ])
    withExtendedLifetime(date) {}
  }

  func testADefaultThatCannotBeStoredIsReportedAndReturnedAllTheSame() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let ratio = WrappedDefault(
        wrappedValue: Ratio(value: .infinity), "ratio", userDefaults: store)
      XCTAssertEqual(ratio.wrappedValue, Ratio(value: .infinity))
      XCTAssertEqual(recorder.take().map(\.kind), [.unencodableValue])
      ratio.wrappedValue = Ratio(value: 1)
      XCTAssertEqual(ratio.wrappedValue, Ratio(value: 1))
      XCTAssertEqual(recorder.take().map(\.kind), [])
    }
  }

  private struct ReadOnly: Codable, UserDefaultsSerializable {
    init(from decoder: any Decoder) {}
    func encode(to encoder: any Encoder) throws { throw CancellationError() }
  }

  func testAValueThatCannotBeStoredAgainCanBeRemoved() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      store.set("{}", forKey: "key")
      let setting = WrappedDefaultOptional<ReadOnly>("key", userDefaults: store)
      XCTAssertNotNil(setting.wrappedValue)
      setting.withLock { $0 = nil }
      XCTAssertNil(store.object(forKey: "key"))
      XCTAssertEqual(recorder.take().map(\.kind), [])
    }
  }

  // MARK: Values that would not be read back

  /// Takes any number from 0 to 100, and stores those it is given.
  private struct Percentage: Equatable, UserDefaultsSerializable {
    let value: Int
    init(_ value: Int) { self.value = value }
    var storedValue: Int { value }
    init?(storedValue: Int) {
      guard 0...100 ~= storedValue else { return nil }
      value = storedValue
    }
  }

  /// Stores another number than it has read.
  private struct Doubled: Equatable, UserDefaultsSerializable {
    let value: Int
    init(_ value: Int) { self.value = value }
    var storedValue: Int { value * 2 }
    init?(storedValue: Int) {
      guard 0...100 ~= storedValue else { return nil }
      value = storedValue
    }
  }

  func testAValueThatItsTypeWouldNotReadBackIsNotStored() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let key = UserDefaults.Key<Percentage>("percentage")
      let ratio = WrappedDefault(wrappedValue: Percentage(1), key, userDefaults: store)
      let optional = WrappedDefaultOptional(key, userDefaults: store)
      ratio.wrappedValue = Percentage(50)
      let assignments: [(name: String, assign: () -> Void)] = [
        ("wrapper", { ratio.wrappedValue = Percentage(101) }),
        ("optional wrapper", { optional.wrappedValue = Percentage(101) }),
        ("withLock", { ratio.withLock { $0 = Percentage(101) } }),
        ("optional withLock", { optional.withLock { $0 = Percentage(101) } }),
        ("typed key", { store.set(Percentage(101), for: key) }),
      ]
      for (name, assign) in assignments {
        assign()
        XCTAssertEqual(ratio.wrappedValue, Percentage(50), "\(store) \(name)")
        XCTAssertEqual(store.object(forKey: "percentage") as? Int, 50, "\(store) \(name)")
        let issues = recorder.take()
        XCTAssertEqual(issues.map(\.kind), [.unencodableValue], "\(store) \(name)")
        XCTAssertEqual(issues.first?.key, "percentage")
      }
      ratio.reset()
      ratio.wrappedValue = Percentage(-1)
      XCTAssertFalse(ratio.isStored, "\(store)")
      XCTAssertEqual(ratio.wrappedValue, Percentage(1), "\(store)")
    }
  }

  func testAnElementThatItsTypeWouldNotReadBackIsNotStored() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let ratios = WrappedDefault(wrappedValue: [Percentage(1)], "ratios", userDefaults: store)
      ratios.wrappedValue = [Percentage(2)]
      ratios.wrappedValue.append(Percentage(101))
      XCTAssertEqual(ratios.wrappedValue, [Percentage(2)], "\(store)")
      XCTAssertEqual(recorder.take().map(\.kind), [.unencodableValue], "\(store)")
    }
  }

  func testATextAndAnImportThatWouldNotBeReadBackChangeNothing() throws {
    struct Settings: SettingsGroup {
      @WrappedDefault("doubled") var doubled = Doubled(1)
      @WrappedDefault("other") var other = 1
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["doubled": 51, "other": 2], format: .xml, options: 0)
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      let settings = Settings(in: store)
      settings.doubled = Doubled(10)
      for change in [{ try settings.$doubled.set(text: "51") }, { try settings.importData(data) }] {
        XCTAssertThrowsError(try change(), "\(store)") {
          XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .unencodableValue)
          XCTAssertEqual(($0 as? DefaultsIssue)?.key, "doubled")
        }
        XCTAssertEqual(store.object(forKey: "doubled") as? Int, 20, "\(store)")
        XCTAssertFalse(settings.$other.isStored, "\(store)")
      }
      settings.resetAll()
    }
  }

  func testAnUnreadableValueIsNotLostToOneThatIsNotStored() throws {
    for store in try makeStoresAndSubclasses() {
      _ = recordIssues()
      store.set("loud", forKey: "percentage")
      let ratio = WrappedDefault(wrappedValue: Percentage(1), "percentage", userDefaults: store)
      ratio.wrappedValue = Percentage(101)
      XCTAssertEqual(store.object(forKey: "percentage") as? String, "loud", "\(store)")
      XCTAssertNil(store.object(forKey: "percentage.undecodable"), "\(store)")
    }
  }

  func testKeysWithOneStoredFormDoNotTrap() {
    let store = UserDefaults.inMemory()
    let setting = WrappedDefaultOptional<[Double: Int]>("key", userDefaults: store)
    let (first, second) = (Double.nan, -Double.nan)
    setting.wrappedValue = [first: 1, second: 2, 0: 3]
    XCTAssertEqual(setting.wrappedValue?[0], 3)
  }
}
