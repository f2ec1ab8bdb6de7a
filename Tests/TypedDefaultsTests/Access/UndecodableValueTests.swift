import TypedDefaults
import XCTest

@testable import TestSupport

/// What is stored but does not mean a value of the setting's type.
final class UndecodableValueTests: XCTestCase {
  private enum Color: String, UserDefaultsSerializable { case red }
  private enum Level: Int, UserDefaultsSerializable { case low = 1 }
  private struct User: Codable, Equatable, UserDefaultsSerializable { var name: String }
  private struct Hue: Equatable, UserDefaultsSerializable {
    var degrees: Double
    var storedValue: Double { degrees }
    init?(storedValue: Double) {
      guard (0..<360).contains(storedValue) else { return nil }
      degrees = storedValue
    }
  }

  /// A stored object, the type it is read as, and the value that it gives: nil if none, and then an
  /// issue is reported.
  private struct Row {
    let name: String
    let check: (UserDefaults, IssueRecorder) -> Void

    init<V: UserDefaultsSerializable & Equatable>(
      _ object: Any, as type: V.Type, gives expected: V?, line: UInt = #line
    ) {
      name = "\(object) as \(V.self)"
      check = { [name] store, recorder in
        let key = UUID().uuidString
        store.set(object, forKey: key)
        let before = xml(store.object(forKey: key))
        let optional = WrappedDefaultOptional<V>(keyName: key, userDefaults: store)
        for _ in 1...2 {
          let value = optional.wrappedValue
          let isSame = value == expected || value != value && expected != expected
          XCTAssertTrue(isSame, "\(name) gives \(value.map { "\($0)" } ?? "nil")", line: line)
          _ = store.value(for: UserDefaults.Key<V>(name: key))
          optional.withLock { _ in }
        }
        let issues = recorder.take()
        XCTAssertEqual(
          issues.map(\.kind), expected == nil ? [.undecodableValue] : [], name, line: line)
        XCTAssertEqual(issues.map(\.key), expected == nil ? [key] : [], name, line: line)
        XCTAssertEqual(xml(store.object(forKey: key)), before, name, line: line)
      }
    }
  }

  private let rows: [Row] = [
    // To a Boolean: a number, or one of six words.
    Row(1, as: Bool.self, gives: true), Row(0, as: Bool.self, gives: false),
    Row(-3.5, as: Bool.self, gives: true), Row(UInt64.max, as: Bool.self, gives: true),
    Row("yes", as: Bool.self, gives: true), Row("NO", as: Bool.self, gives: false),
    Row("True", as: Bool.self, gives: true), Row("0", as: Bool.self, gives: false),
    Row("Y", as: Bool.self, gives: true), Row("t", as: Bool.self, gives: true),
    Row("n", as: Bool.self, gives: false), Row("F", as: Bool.self, gives: false),
    Row("yeah", as: Bool.self, gives: nil), Row("maybe", as: Bool.self, gives: nil),
    Row("", as: Bool.self, gives: nil),
    Row("2", as: Bool.self, gives: nil), Row(" yes", as: Bool.self, gives: nil),
    Row(Data([1]), as: Bool.self, gives: nil), Row([true], as: Bool.self, gives: nil),
    Row(Date.distantPast, as: Bool.self, gives: nil),
    // To an integer: a number that it represents exactly, or a string that is one.
    Row(3.0, as: Int.self, gives: 3), Row(true, as: Int.self, gives: 1),
    Row("-42", as: Int.self, gives: -42), Row("+7", as: Int.self, gives: 7),
    Row(Int64.max, as: Int.self, gives: .max),
    Row("18446744073709551615", as: UInt64.self, gives: .max),
    Row(3.5, as: Int.self, gives: nil), Row(Double.nan, as: Int.self, gives: nil),
    Row(Double.infinity, as: Int.self, gives: nil), Row(1e300, as: Int.self, gives: nil),
    Row(9.3e18, as: Int.self, gives: nil), Row(UInt64.max, as: Int.self, gives: nil),
    Row(128, as: Int8.self, gives: nil), Row(-129, as: Int8.self, gives: nil),
    Row(-1, as: UInt.self, gives: nil), Row(-1, as: UInt8.self, gives: nil),
    Row(256, as: UInt8.self, gives: nil), Row(65_536, as: UInt16.self, gives: nil),
    Row("loud", as: Int.self, gives: nil), Row("3.5", as: Int.self, gives: nil),
    Row("3 ", as: Int.self, gives: nil), Row("", as: Int.self, gives: nil),
    Row("0x10", as: Int.self, gives: nil), Row("9223372036854775808", as: Int.self, gives: nil),
    Row(Data(), as: Int.self, gives: nil), Row([1], as: Int.self, gives: nil),
    Row(["a": 1], as: Int.self, gives: nil),
    // To a floating-point type: any number in range, or a string that is one.
    Row(1, as: Double.self, gives: 1), Row(true, as: Double.self, gives: 1),
    Row(UInt64.max, as: Double.self, gives: 18_446_744_073_709_551_616),
    Row(1.1, as: Float.self, gives: 1.1), Row(Float(1.1), as: Float.self, gives: 1.1),
    Row(Float(0.5), as: Double.self, gives: 0.5), Row("1.5e3", as: Double.self, gives: 1500),
    Row("-infinity", as: Float.self, gives: -.infinity),
    Row(Double.nan, as: Float.self, gives: .nan),
    Row(1e300, as: Float.self, gives: nil), Row("1e400", as: Double.self, gives: nil),
    Row("one", as: Double.self, gives: nil), Row("1,5", as: Double.self, gives: nil),
    Row("", as: Double.self, gives: nil), Row(Date.distantPast, as: Double.self, gives: nil),
    // To a string: a string, or a number's text.
    Row(7, as: String.self, gives: "7"), Row(0.1, as: String.self, gives: "0.1"),
    Row(Data("a".utf8), as: String.self, gives: nil), Row(["a"], as: String.self, gives: nil),
    Row(Date.distantPast, as: String.self, gives: nil),
    // To data: data, or its text.
    Row("<0102 fF>", as: Data.self, gives: Data([1, 2, 255])),
    Row("<>", as: Data.self, gives: Data()),
    Row("<010>", as: Data.self, gives: nil), Row("<0g>", as: Data.self, gives: nil),
    Row("<", as: Data.self, gives: nil), Row("0102", as: Data.self, gives: nil),
    Row("a", as: Data.self, gives: nil), Row(1, as: Data.self, gives: nil),
    // To a date: a date, or ISO 8601.
    Row("2026-01-31T12:00:00Z", as: Date.self, gives: Date(timeIntervalSince1970: 1_769_860_800)),
    Row(
      "2026-01-31T12:00:00.5Z", as: Date.self, gives: Date(timeIntervalSince1970: 1_769_860_800.5)),
    Row(
      "2026-01-31T12:00:00+0130", as: Date.self, gives: Date(timeIntervalSince1970: 1_769_855_400)),
    Row("2026-01-31", as: Date.self, gives: Date(timeIntervalSince1970: 1_769_817_600)),
    Row("@1.5", as: Date.self, gives: Date(timeIntervalSinceReferenceDate: 1.5)),
    Row("@", as: Date.self, gives: nil), Row("@x", as: Date.self, gives: nil),
    Row("2026-02-30", as: Date.self, gives: nil), Row("2026-13-01", as: Date.self, gives: nil),
    Row("2026-01-31T25:00:00Z", as: Date.self, gives: nil),
    Row("2026-01-31T12:00:00Z and more", as: Date.self, gives: nil),
    Row("2026-01-31T12:00:00", as: Date.self, gives: nil),
    Row("tomorrow", as: Date.self, gives: nil), Row(1_769_860_800, as: Date.self, gives: nil),
    // To a URL: a path, an archive, or a string with a scheme.
    Row("https://example.com", as: URL.self, gives: URL(string: "https://example.com")),
    Row(
      ["relative": "b", "base": "https://e.com/a/"], as: URL.self,
      gives: URL(string: "b", relativeTo: URL(string: "https://e.com/a/"))),
    Row(["base": "https://e.com/a/"], as: URL.self, gives: nil),
    Row(["relative": "b", "base": ""], as: URL.self, gives: nil),
    Row(["relative": 7], as: URL.self, gives: nil),
    Row("", as: URL.self, gives: nil), Row("https://[", as: URL.self, gives: nil),
    Row(#""https:\/\/example.com\/a""#, as: URL.self, gives: nil),
    Row(Data([1, 2, 3]), as: URL.self, gives: nil), Row(7, as: URL.self, gives: nil),
    // To types that are stored as text.
    Row(1.5, as: Decimal.self, gives: Decimal(string: "1.5")),
    Row("12abc", as: Decimal.self, gives: nil), Row("", as: Decimal.self, gives: nil),
    Row("1e400", as: Decimal.self, gives: nil), Row("1,5", as: Decimal.self, gives: nil),
    Row("not-a-uuid", as: UUID.self, gives: nil), Row(7, as: UUID.self, gives: nil),
    Row("Mars/Olympus", as: TimeZone.self, gives: nil), Row(Data(), as: Locale.self, gives: nil),
    Row("1.5", as: Duration.self, gives: .milliseconds(1500)),
    Row(1.5, as: Duration.self, gives: .milliseconds(1500)),
    Row(7, as: Duration.self, gives: .seconds(7)),
    Row("+2", as: Duration.self, gives: .seconds(2)), Row("-.5", as: Duration.self, gives: nil),
    Row("1.5 s", as: Duration.self, gives: nil), Row("1e3", as: Duration.self, gives: nil),
    Row("1.", as: Duration.self, gives: nil), Row("", as: Duration.self, gives: nil),
    Row("0.0000000000000000001", as: Duration.self, gives: nil),
    Row("170141183460469231731.687303715884105728", as: Duration.self, gives: nil),
    Row("ab", as: Character.self, gives: nil), Row("", as: Character.self, gives: nil),
    Row("e\u{301}", as: Character.self, gives: "é"), Row(7, as: Character.self, gives: "7"),
    Row([1, 2], as: CGPoint.self, gives: CGPoint(x: 1, y: 2)),
    Row("[1]", as: CGPoint.self, gives: nil), Row("1,2", as: CGSize.self, gives: nil),
    Row("[1,2]", as: CGRect.self, gives: nil),
    Row(["year": 2026], as: DateComponents.self, gives: DateComponents(year: 2026)),
    Row(#"{"year":"2026"}"#, as: DateComponents.self, gives: nil),
    // To collections: all or nothing.
    Row(["1", 2, 3.0] as [Any], as: [Int].self, gives: [1, 2, 3]),
    Row([1, "x"] as [Any], as: [Int].self, gives: nil), Row([1, 2.5], as: [Int].self, gives: nil),
    Row("(1, 2)", as: [Int].self, gives: nil), Row(["a": 1], as: [Int].self, gives: nil),
    Row([[1], 2] as [Any], as: [[Int]].self, gives: nil),
    Row([1, 1, 2], as: Set<Int>.self, gives: [1, 2]),
    Row([1, "x"] as [Any], as: Set<Int>.self, gives: nil),
    Row(["a": 1, "b": "x"] as [String: Any], as: [String: Int].self, gives: nil),
    Row([1], as: [String: Int].self, gives: nil),
    Row(["one": "a"], as: [Int: String].self, gives: nil),
    Row(["1": "a", "01": "b"], as: [Int: String].self, gives: nil),
    Row(["x": 1], as: [UUID: Int].self, gives: nil),
    Row([5, 1], as: Range<Int>.self, gives: nil), Row([1], as: Range<Int>.self, gives: nil),
    Row([1, 2, 3], as: ClosedRange<Int>.self, gives: nil),
    Row([Double.nan, 1], as: ClosedRange<Double>.self, gives: nil),
    // Collections of a program that ran an encoder itself: JSON text or data.
    Row("[1, 2]", as: [Int].self, gives: [1, 2]),
    Row(Data("[1,2]".utf8), as: Set<Int>.self, gives: [1, 2]),
    Row(" [ ] ", as: [Int].self, gives: []), Row(" { } ", as: [String: Int].self, gives: [:]),
    Row(Data("[[1],[]]".utf8), as: [[Int]].self, gives: [[1], []]),
    Row(Data(#"{"1":"a"}"#.utf8), as: [Int: String].self, gives: [1: "a"]),
    Row(#"{"a\"}]":[{"b":1}]}"#, as: [String: [[String: Int]]].self, gives: ["a\"}]": [["b": 1]]]),
    Row(
      #"["red",[1,9],"green",[]]"#, as: [String: [Int]].self, gives: ["red": [1, 9], "green": []]),
    Row(#"["red","red"]"#, as: [Color].self, gives: [.red, .red]),
    Row(#"[{"name":"Zoë"}]"#, as: [User].self, gives: [User(name: "Zoë")]),
    Row(#"["{\"name\":\"Zoë\"}"]"#, as: [User].self, gives: [User(name: "Zoë")]),
    Row(#"{"a":{"name":"Zoë"}}"#, as: [String: User].self, gives: ["a": User(name: "Zoë")]),
    Row("[18446744073709551615]", as: [UInt64].self, gives: [.max]),
    Row("[0.1]", as: [Decimal].self, gives: [Decimal(string: "0.1")!]),
    Row("[1,\"x\"]", as: [Int].self, gives: nil), Row("[1,2.5]", as: [Int].self, gives: nil),
    Row("[1,null]", as: [Int].self, gives: nil), Row("[1", as: [Int].self, gives: nil),
    Row("[[1]]", as: [Data].self, gives: nil), Row(#"{"a":1}"#, as: [Int].self, gives: nil),
    Row("[1]", as: [String: Int].self, gives: nil), Row("1", as: [Int].self, gives: nil),
    Row(#"["a",1,"a",2]"#, as: [String: Int].self, gives: nil),
    Row(#"["a",1,"b"]"#, as: [String: Int].self, gives: nil),
    Row("[\"red\",\"blue\"]", as: [Color].self, gives: nil), Row("", as: [Int].self, gives: nil),
    Row(Data([0xFF]), as: [Int].self, gives: nil),
    // To enums, Codable types and types with a stored form of their own.
    Row("blue", as: Color.self, gives: nil), Row(1, as: Color.self, gives: nil),
    Row("Red", as: Color.self, gives: nil), Row(2, as: Level.self, gives: nil),
    Row("1", as: Level.self, gives: .low), Row("low", as: Level.self, gives: nil),
    Row(["red", "blue"], as: [Color].self, gives: nil),
    Row(#"{"name":"Zoë"}"#, as: User.self, gives: User(name: "Zoë")),
    Row(#"{"name":7}"#, as: User.self, gives: nil), Row("{}", as: User.self, gives: nil),
    Row("", as: User.self, gives: nil), Row("{", as: User.self, gives: nil),
    Row(Data([0xFF]), as: User.self, gives: nil), Row(["age": 7], as: User.self, gives: nil),
    Row(7, as: User.self, gives: nil), Row(Double.nan, as: User.self, gives: nil),
    Row(["name": Double.infinity], as: User.self, gives: nil),
    Row(Date.distantPast, as: User.self, gives: nil), Row([Data()], as: User.self, gives: nil),
    Row(400, as: Hue.self, gives: nil), Row("90", as: Hue.self, gives: Hue(storedValue: 90)),
  ]

  func testEveryStoredObjectGivesItsValueOrAnIssueAndStaysAsItIs() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      for row in rows { row.check(store, recorder) }
    }
    XCTAssertGreaterThan(rows.count, 120)
  }

  func testAnUndecodableValueGivesTheDefaultAndIsSaidSoInFull() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
    store.set("loud", forKey: "volume")
    XCTAssertEqual(volume.wrappedValue, 4)
    XCTAssertEqual(
      recorder.take().map(\.description),
      [
        Unreadable.stored(
          "volume", as: "Int", #"it is the string "loud"; expected an integer"#,
          returns: "its default, the number 4")
      ])
    XCTAssertEqual(store.string(forKey: "volume"), "loud")
    volume.wrappedValue = 5
    XCTAssertEqual(volume.wrappedValue, 5)
  }

  func testAnUndecodableValueIsReportedAgainOnceItHasChanged() throws {
    for store in try makeStores() {
      let recorder = recordIssues()
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
      let text = WrappedDefaultOptional<Data>("volume", userDefaults: .inMemory())
      func reports() -> Int {
        for _ in 1...3 { _ = (volume.wrappedValue, text.wrappedValue) }
        return recorder.take().count
      }
      store.set("loud", forKey: "volume")
      XCTAssertEqual(reports(), 1)
      XCTAssertEqual(reports(), 0)
      store.set("louder", forKey: "volume")
      XCTAssertEqual(reports(), 1)
      store.set(7, forKey: "volume")
      XCTAssertEqual(reports(), 0)
      store.set("louder", forKey: "volume")
      XCTAssertEqual(reports(), 1)
      store.removeObject(forKey: "volume")
      XCTAssertEqual(reports(), 0)
      store.set("louder", forKey: "volume")
      XCTAssertEqual(reports(), 1)
      volume.reset()
      store.set("louder", forKey: "volume")
      XCTAssertEqual(reports(), 1)
    }
  }

  func testATypeThatReadsAValueDoesNotMakeAnothersIssueNew() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    store.set("loud", forKey: "volume")
    for _ in 1...3 {
      XCTAssertNil(store.value(for: UserDefaults.Key<Int>("volume")))
      XCTAssertEqual(store.value(for: UserDefaults.Key<String>("volume")), "loud")
    }
    XCTAssertEqual(recorder.take().count, 1)
  }
}
