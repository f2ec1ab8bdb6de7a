import TypedDefaults
import XCTest

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

  func testKeysWithOneStoredFormDoNotTrap() {
    let store = UserDefaults.inMemory()
    let setting = WrappedDefaultOptional<[Double: Int]>("key", userDefaults: store)
    let (first, second) = (Double.nan, -Double.nan)
    setting.wrappedValue = [first: 1, second: 2, 0: 3]
    XCTAssertEqual(setting.wrappedValue?[0], 3)
  }
}
