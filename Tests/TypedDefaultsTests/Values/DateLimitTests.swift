import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// Dates that a property list cannot hold, and numbers that are none.
final class DateLimitTests: XCTestCase {
  private static let texts = ["@nan", "@-nan", "@inf", "@-inf", "@1e300", "@9007199254740993"]

  private struct Settings: SettingsGroup {
    @WrappedDefault("date") var date = Date(timeIntervalSinceReferenceDate: 0)
    @WrappedDefaultOptional("some", in: Date.distantPast...Date.distantFuture) var some: Date?
    @WrappedDefaultOptional("dates") var dates: [Date]?
    @WrappedDefaultOptional("set") var set: Set<Date>?
    @WrappedDefaultOptional("range") var range: ClosedRange<Date>?
    @WrappedDefaultOptional("keyed") var keyed: [String: [Date]]?
  }

  /// Each setting, with the text that holds a date's text.
  private func settings(
    in store: UserDefaults
  ) -> [(setting: any DeclaredSetting, text: (String) -> String)] {
    let settings = Settings(in: store)
    return [
      (settings.$date, { $0 }), (settings.$some, { $0 }), (settings.$dates, { #"["\#($0)"]"# }),
      (settings.$set, { #"["\#($0)"]"# }), (settings.$range, { #"["@0","\#($0)"]"# }),
      (settings.$keyed, { #"{"a":["\#($0)"]}"# }),
    ]
  }

  private func description<S: DeclaredSetting>(assigningItself setting: S) -> String {
    setting.wrappedValue = setting.wrappedValue
    return "\(setting)"
  }

  func testATextOfADateThatNoFileHoldsIsRefused() {
    for (setting, text) in settings(in: .inMemory()) {
      for date in Self.texts {
        XCTAssertThrowsError(try setting.set(text: text(date)), "\(setting.key) \(date)") {
          XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .undecodableValue)
        }
        XCTAssertFalse(setting.isStored, "\(setting.key) \(date)")
      }
    }
  }

  func testAStoredArgumentOrVariableOfADateThatNoFileHoldsIsUndecodable() throws {
    let recorder = recordIssues()
    for date in Self.texts {
      for isArgument in [false, true] {
        let store = UserDefaults.inMemory()
        for (setting, text) in settings(in: store) {
          let key = setting.key
          if isArgument {
            store.setVolatileDomain([key: text(date)], forName: UserDefaults.argumentDomain)
          } else {
            store.set(text(date), forKey: key)
          }
          XCTAssertEqual(
            "\(setting)", key == "date" ? "date = 2001-01-01T00:00:00Z" : "\(key) = nil")
          XCTAssertEqual(recorder.take().map(\.key), [key], date)
          store.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
          store.removeObject(forKey: key)
        }
      }
      setenv("DATE_LIMIT_TESTS", date, 1)
      let setting = WrappedDefaultOptional<Date>(
        "date", environment: "DATE_LIMIT_TESTS", userDefaults: try makeSavedSuite())
      XCTAssertEqual("\(setting)", "date = nil")
      XCTAssertEqual(recorder.take().map(\.key), ["date"], date)
    }
    unsetenv("DATE_LIMIT_TESTS")
  }

  func testAnObjectThatIsNoDateIsReportedAndKept() throws {
    let store = PlainDefaults()
    let recorder = recordIssues()
    for time in [Double.nan, .infinity, 1e300] {
      store.set(Date(timeIntervalSinceReferenceDate: time), forKey: "date")
      let setting = WrappedDefaultOptional<Date>("date", userDefaults: store)
      XCTAssertEqual(description(assigningItself: setting), "date = nil")
      XCTAssertTrue("\(recorder.take())".contains("it is the date @\(time)"))
    }
  }

  func testAssigningADateThatNoFileHoldsIsReportedAndChangesNothing() {
    let settings = Settings(in: .inMemory())
    let recorder = recordIssues()
    let old = Date(timeIntervalSinceReferenceDate: 5)
    settings.set = [old]
    settings.range = old...old
    for time in [Double.nan, .infinity, -.infinity, 1e300] {
      let date = Date(timeIntervalSinceReferenceDate: time)
      settings.date = date
      settings.some = date
      settings.dates = [date]
      settings.set = [date, old]
      settings.$set.withLock { _ = $0?.insert(date) }
      settings.range = date...date
      settings.keyed = ["a": [date]]
      XCTAssertEqual(recorder.take().map(\.kind), Array(repeating: .unencodableValue, count: 7))
    }
    XCTAssertEqual(settings.set, [old])
    XCTAssertEqual(settings.range, old...old)
    XCTAssertNil(settings.dates)
    XCTAssertNil(settings.keyed)
  }

  func testADefaultThatNoFileHoldsIsPrinted() {
    let recorder = recordIssues()
    let setting = WrappedDefault(
      wrappedValue: [Date(timeIntervalSinceReferenceDate: .nan)], "date", userDefaults: .inMemory())
    XCTAssertEqual("\(setting)", "date = a value that cannot be stored")
    XCTAssertEqual(recorder.take(atLeast: 1).map(\.kind), [.unencodableValue])
  }

  func testTheFarthestDatesThatAFileHoldsAreKept() throws {
    let settings = Settings(in: try makeSavedSuite())
    for time in [-1e15, 1e15] {
      let date = Date(timeIntervalSinceReferenceDate: time)
      settings.set = [date]
      XCTAssertEqual(settings.set, [date])
      let text = try XCTUnwrap(settings.$set.text)
      settings.set = nil
      try settings.$set.set(text: text)
      XCTAssertEqual(settings.set, [date])
    }
  }

  // MARK: Ranges

  private struct Height: Comparable, UserDefaultsSerializable {
    var meters: Double
    var storedValue: Double { meters }
    init(storedValue: Double) { meters = storedValue }
    static func < (left: Self, right: Self) -> Bool { left.meters < right.meters }
  }

  private func assertNoRange<V: UserDefaultsSerializable & Comparable>(
    from low: V, to high: V, containsText text: String, line: UInt = #line
  ) {
    let store = UserDefaults.inMemory()
    let settings: [any DeclaredSetting] = [
      WrappedDefaultOptional<V>("closed", in: low...high, userDefaults: store),
      WrappedDefaultOptional<V>("open", in: low..<high, userDefaults: store),
      WrappedDefaultOptional<V>("from", in: low..., userDefaults: store),
      WrappedDefaultOptional<V>("through", in: ...high, userDefaults: store),
      WrappedDefaultOptional<V>("upTo", in: ..<high, userDefaults: store),
    ]
    for setting in settings {
      XCTAssertThrowsError(try setting.set(text: text), setting.key, line: line)
    }
    let free = WrappedDefaultOptional<V>("free", userDefaults: store)
    XCTAssertNoThrow(try free.set(text: text), line: line)
  }

  func testNoNumberThatIsNoneLiesInARange() {
    assertNoRange(from: 0 as Float, to: 1, containsText: "nan")
    assertNoRange(from: 0 as Double, to: 1, containsText: "nan")
    assertNoRange(from: 0 as CGFloat, to: 1, containsText: "nan")
    assertNoRange(from: 0 as Decimal, to: 1, containsText: "NaN")
    assertNoRange(
      from: Height(storedValue: 0), to: Height(storedValue: 1), containsText: "nan")
  }

  // MARK: Sets

  func testEqualSetsOfDatesAndDataHaveEqualStoredForms() {
    let dates = (0..<50).map { Date(timeIntervalSinceReferenceDate: Double($0) / 64) }
    let data = (0..<50).map { Data([UInt8($0)]) }
    for _ in 0..<5 {
      XCTAssertEqual(Set(dates.shuffled()).storedValue, Set(dates).storedValue)
      XCTAssertEqual(Set(data.shuffled()).storedValue, data)
    }
  }

  // MARK: Digits

  func testDigitsOfOtherScriptsAreNone() {
    XCTAssertNil(Decimal(storedValue: "1٢"))
    XCTAssertNil(Decimal(storedValue: "٢"))
    XCTAssertNil(Decimal(storedValue: "1e٢"))
    XCTAssertNil(Duration(storedValue: "1.٥"))
    XCTAssertNil(Duration(storedValue: "٥"))
    XCTAssertNil(Date(propertyListObject: "2026-01-31T12:00:00.٥Z"))
    XCTAssertNil(Date(propertyListObject: "٢026-01-31"))
    XCTAssertNotNil(Date(propertyListObject: "2026-01-31T12:00:00.5+01:00"))
    XCTAssertEqual(Duration(storedValue: "-0.5"), .milliseconds(-500))
    XCTAssertEqual(Duration(storedValue: "+7"), .seconds(7))
    for text in ["", ".", "1.", ".5", "-", "+-1", "1.5.", "1e5", "--1", " 1"] {
      XCTAssertNil(Duration(storedValue: text), text)
    }
    for text in ["1.", ".5", "+1e-5", "-0.5E+3"] {
      XCTAssertNotNil(Decimal(storedValue: text), text)
    }
    for text in ["", ".", "e5", "1e", "1e+", "+-1", "1.5.", "1 ", ".e1"] {
      XCTAssertNil(Decimal(storedValue: text), text)
    }
  }
}
