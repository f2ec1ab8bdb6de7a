import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// What a type accepts, in words.
final class ExpectationTests: XCTestCase {
  private enum Theme: String, CaseIterable, UserDefaultsSerializable { case light, dark }
  private enum Mode: CaseIterable, Codable, UserDefaultsSerializable { case on, off }
  private enum Color: String, UserDefaultsSerializable { case red }
  private struct Flags: OptionSet, UserDefaultsSerializable { var rawValue: UInt8 }
  private struct Window: Codable, UserDefaultsSerializable { var width: Int }
  private struct Sheet: Codable, UserDefaultsSerializable { var width: Int? }
  private enum Weekday: String, CaseIterable, UserDefaultsSerializable { case mon, tue, wed }
  private struct Percentage: Comparable, UserDefaultsSerializable {
    static var expectation: String? { "a percentage from 0 to 100" }
    var value: Double
    var storedValue: Double { value }
    init(_ value: Double) { self.value = value }
    init?(storedValue: Double) {
      guard (0...100).contains(storedValue) else { return nil }
      value = storedValue
    }
    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  }
  private enum Many: Int, CaseIterable, UserDefaultsSerializable {
    case a = 1
    case b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
  }

  func testEachTypeSaysWhatItAccepts() {
    func assert<V: UserDefaultsSerializable>(
      _ type: V.Type, _ words: String, line: UInt = #line
    ) {
      XCTAssertEqual(Expectation.words(for: type), words, line: line)
    }
    assert(Bool.self, "true or false")
    assert(Int.self, "an integer")
    assert(Int8.self, "an integer from -128 to 127")
    assert(UInt32.self, "an integer from 0 to 4294967295")
    assert(UInt64.self, "an integer of at least 0")
    for words in [
      Expectation.words(for: Float.self), Expectation.words(for: CGFloat.self),
      Expectation.words(for: Decimal.self),
    ] {
      XCTAssertEqual(words, "a number")
    }
    assert(String.self, "a string")
    assert(Data.self, "data, such as <0102ff>")
    assert(Date.self, "a date, such as 2026-01-31T12:00:00Z")
    assert(URL.self, "a URL, such as https://example.com/ or /path")
    assert(UUID.self, "a UUID")
    assert(TimeZone.self, "a time zone, such as Europe/Paris")
    assert(Locale.self, "a locale, such as pt_BR")
    assert(Duration.self, "a duration, such as 90, 1.5 or 1h30m")
    assert(Character.self, "a character")
    assert(CGPoint.self, "JSON of CGPoint")
    assert(CGSize.self, "JSON of CGSize")
    assert(CGRect.self, "JSON of CGRect")
    assert(DateComponents.self, "JSON of DateComponents")
    assert([Int].self, "a list in brackets, each an integer")
    assert([Theme].self, "a list in brackets, each one of: light, dark")
    assert([[Bool]].self, "a list in brackets, each a list in brackets, each true or false")
    assert([Window].self, "a list in brackets, each JSON of Window")
    assert(Set<UInt8>.self, "a set in brackets, each an integer from 0 to 255")
    assert([String: Int].self, "a dictionary in braces, each value an integer")
    assert(Range<Int>.self, "a range in brackets, each bound an integer")
    assert(ClosedRange<Double>.self, "a range in brackets, each bound a number")
    assert(Theme.self, "one of: light, dark")
    assert(Mode.self, #"one of: {"on":{}}, {"off":{}}"#)
    assert(Many.self, "one of: \((1...20).map(String.init).joined(separator: ", ")), …")
    assert(Color.self, "a value of Color, as a string")
    assert(Flags.self, "a value of Flags, as an integer from 0 to 255")
    assert(Window.self, "JSON of Window")
    assert(Sheet.self, "JSON of Sheet")
    assert(Set<Weekday>.self, "a set in brackets, each one of: mon, tue, wed")
    assert(Percentage.self, "a percentage from 0 to 100")
    assert([Percentage].self, "a list in brackets, each a percentage from 0 to 100")
  }

  /// What a message shows as an example is taken.
  func testEveryExampleIsTaken() throws {
    let settings = (
      WrappedDefaultOptional<Data>("data", userDefaults: .inMemory()),
      WrappedDefaultOptional<Date>("date", userDefaults: .inMemory()),
      WrappedDefaultOptional<Duration>("duration", userDefaults: .inMemory()),
      WrappedDefaultOptional<URL>("url", userDefaults: .inMemory()),
      WrappedDefaultOptional<TimeZone>("zone", userDefaults: .inMemory()),
      WrappedDefaultOptional<Locale>("locale", userDefaults: .inMemory())
    )
    for child in Mirror(reflecting: settings).children {
      let setting = try XCTUnwrap(child.value as? any DeclaredSetting)
      let examples = try XCTUnwrap(setting.expectation.components(separatedBy: "such as ").last)
      for example in examples.replacing(" or ", with: ", ").components(separatedBy: ", ") {
        try setting.set(text: example)
      }
    }
  }

  func testTheTextsOfAllValuesAreChoices() {
    XCTAssertEqual(Expectation.choices(of: Theme.self), ["light", "dark"])
    XCTAssertEqual(Expectation.choices(of: Many.self), (1...21).map(String.init))
    XCTAssertEqual(Expectation.choices(of: Bool.self), ["true", "false"])
    XCTAssertEqual(Expectation.choices(of: Int.self), [])
    XCTAssertEqual(Expectation.choices(of: [Theme].self), [])
    XCTAssertEqual(Expectation.choices(of: Color.self), [])
  }

  /// A range of a kind that the library does not know.
  private struct Even: RangeExpression, CustomStringConvertible {
    var description: String { "even" }
    func contains(_ element: Int) -> Bool { element.isMultiple(of: 2) }
    func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int { 0..<0 }
  }

  func testEachKindOfRangeIsDescribed() {
    func assert<V: UserDefaultsSerializable & Comparable>(
      _ range: some RangeExpression<V>, _ words: String, line: UInt = #line
    ) {
      XCTAssertEqual(Expectation.words(for: V.self, in: range), words, line: line)
    }
    assert(1...65535, "an integer from 1 to 65535")
    assert(0..<1.5, "a number of at least 0.0 and below 1.5")
    assert(1..., "an integer of at least 1")
    assert(..<10, "an integer below 10")
    assert(...10, "an integer of at most 10")
    assert(0.5..., "a number of at least 0.5")
    assert(Float(0.1)...1.1, "a number from 0.1 to 1.1")
    // The bounds of a type that is not wide are told, too.
    assert(UInt16(1)..., "an integer from 1 to 65535")
    assert(...UInt8(10), "an integer from 0 to 10")
    assert(..<UInt(10), "an integer of at least 0 and below 10")
    let date = Date(timeIntervalSince1970: 1_893_456_000)
    assert(..<date, "a date before 2030-01-01T00:00:00Z")
    assert(date..., "a date from 2030-01-01T00:00:00Z on")
    assert(...date, "a date up to 2030-01-01T00:00:00Z")
    assert(
      date...date.addingTimeInterval(1),
      "a date from 2030-01-01T00:00:00Z to 2030-01-01T00:00:01Z")
    assert(
      date..<date.addingTimeInterval(1),
      "a date from 2030-01-01T00:00:00Z and before 2030-01-01T00:00:01Z")
    assert("a"..."f", "a string from a to f")
    assert(Percentage(10)..., "a percentage from 0 to 100, of at least 10.0")
    assert(Duration.seconds(1)..., "a duration of at least 1")
    assert(Even(), "an integer in even")
  }
}
