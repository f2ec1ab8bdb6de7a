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
    assert(UUID.self, "a UUID, such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    assert(TimeZone.self, "a time zone, such as Europe/Paris")
    assert(Locale.self, "a locale, such as pt_BR")
    assert(Duration.self, "a number of seconds, such as 1.5")
    assert(Character.self, "a character")
    assert(CGPoint.self, "a point, such as [1,2]")
    assert(CGSize.self, "a size, such as [800,600]")
    assert(CGRect.self, "a rectangle, such as [[1,2],[800,600]]")
    assert(
      DateComponents.self, #"components of a date, such as {"day":31,"month":1,"year":2026}"#)
    assert([Int].self, "a list, such as [1, 2]")
    assert([Theme].self, #"a list, such as ["light", "dark"]"#)
    assert([[Bool]].self, "a list, such as [[true, false]]")
    assert([Window].self, "a list of Window")
    assert(Set<UInt8>.self, "a set, such as [1, 2]")
    assert([String: Int].self, #"a dictionary, such as {"a": 1}"#)
    assert([Int: [Date]].self, #"a dictionary, such as {"1": ["2026-01-31T12:00:00Z"]}"#)
    assert([String: Window].self, "a dictionary of Window")
    assert(Range<Int>.self, "a range, such as [1, 2]")
    assert(ClosedRange<Double>.self, "a range, such as [0.5, 1.0]")
    assert(Theme.self, "one of: light, dark")
    assert(Mode.self, #"one of: {"on":{}}, {"off":{}}"#)
    assert(Many.self, "one of: \((1...20).map(String.init).joined(separator: ", ")), …")
    assert(Color.self, "a value of Color, as a string")
    assert(Flags.self, "a value of Flags, as an integer from 0 to 255")
    assert(Window.self, "JSON of Window, with members such as width")
    assert(Sheet.self, "JSON of Sheet")
    assert(Set<Weekday>.self, #"a set, such as ["mon", "tue"], each one of: mon, tue, wed"#)
    assert([[Weekday]].self, #"a list, such as [["mon", "tue"]]"#)
    assert(
      [String: Weekday].self, #"a dictionary, such as {"a": "mon"}, each one of: mon, tue, wed"#)
    assert(Percentage.self, "a percentage from 0 to 100")
    assert([Percentage].self, "a list of Percentage")
  }

  /// What a message shows as an example is taken.
  func testEveryExampleIsTaken() throws {
    func assert<V: UserDefaultsSerializable & Equatable>(_ type: V.Type, line: UInt = #line) {
      XCTAssertFalse(Expectation.examples(of: type).isEmpty, line: line)
      for value in Expectation.examples(of: type) {
        XCTAssertEqual(value.text.flatMap(V.init(text:)), value, line: line)
      }
    }
    assert(Bool.self)
    assert(Int8.self)
    assert(UInt64.self)
    assert(Float.self)
    assert(Double.self)
    assert(CGFloat.self)
    assert(Decimal.self)
    assert(String.self)
    assert(Data.self)
    assert(Date.self)
    assert(URL.self)
    assert(UUID.self)
    assert(TimeZone.self)
    assert(Locale.self)
    assert(Duration.self)
    assert(Character.self)
    assert(CGPoint.self)
    assert(CGSize.self)
    assert(CGRect.self)
    assert(DateComponents.self)
    assert([[URL]].self)
    assert(Set<Data>.self)
    assert([Theme: [Date]].self)
    assert(Range<Date>.self)
    assert(ClosedRange<String>.self)
  }

  func testTheDefaultIsTheExampleOfJSONOrItsMembersAreNamed() {
    struct Boiler: Codable, UserDefaultsSerializable {
      var pressure = 1.5
      var names: [String]
    }
    let store = UserDefaults.inMemory()
    func setting(_ names: [String]) -> WrappedDefault<Boiler> {
      WrappedDefault(
        wrappedValue: Boiler(names: names), .init(name: UUID().uuidString), userDefaults: store)
    }
    XCTAssertEqual(
      setting(["a"]).expectation, #"JSON of Boiler, such as {"names":["a"],"pressure":1.5}"#)
    XCTAssertEqual(
      setting(Array(repeating: "a", count: 100)).expectation,
      "JSON of Boiler, with members such as names, pressure")
    XCTAssertEqual(
      WrappedDefaultOptional<Boiler>("optional", userDefaults: store).expectation,
      "JSON of Boiler, with members such as pressure")
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
    assert(Duration.seconds(1)..., "a number of seconds of at least 1")
    assert(Even(), "an integer in even")
  }
}
