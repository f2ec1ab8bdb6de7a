import TypedDefaults
import XCTest

@testable import TestSupport

/// The stored forms are frozen: what one version stored, every later one reads.
final class StoredFormTests: XCTestCase {
  private enum Color: String, UserDefaultsSerializable { case red, green }
  private enum Level: Int, UserDefaultsSerializable {
    case low = 1
    case high = 9
  }
  private enum Mode: String, Codable, UserDefaultsSerializable { case on, off }
  private struct Flags: OptionSet, UserDefaultsSerializable { var rawValue: UInt8 }
  private struct User: Codable, Equatable, UserDefaultsSerializable {
    var name: String
    var age: Int
    var admin: Bool
    var score: Double
    var born: Date
    var icon: Data
    var site: URL?
    var tags: [String]
  }

  private let user = User(
    name: "Zoë", age: 41, admin: true, score: 1.5,
    born: Date(timeIntervalSinceReferenceDate: 86400),
    icon: Data([1, 2, 3]), site: URL(string: "https://example.com/z"), tags: ["a", "b"])

  private static let userJSON = """
    {"admin":true,"age":41,"born":86400,"icon":"AQID","name":"Zoë","score":1.5,\
    "site":"https://example.com/z","tags":["a","b"]}
    """

  private var stores: [UserDefaults] = []

  override func setUpWithError() throws { stores = try makeStores() }

  /// Checks that a value is stored as an object, and that the object is read as the value.
  private func assert<V: UserDefaultsSerializable & Equatable>(
    _ value: V, isStoredAs object: Any, line: UInt = #line
  ) throws {
    for store in stores {
      let key = UserDefaults.Key<V>(name: "key")
      store.set(value, for: key)
      XCTAssertEqual(xml(store.object(forKey: "key")), xml(object), line: line)
      store.set(object, forKey: "key")
      XCTAssertEqual(store.value(for: key), value, line: line)
      store.removeObject(forKey: "key")
    }
  }

  func testNumbers() throws {
    try assert(true, isStoredAs: true)
    try assert(false, isStoredAs: false)
    try assert(Int.max, isStoredAs: Int.max)
    try assert(Int8.min, isStoredAs: -128)
    try assert(Int16(7), isStoredAs: 7)
    try assert(Int32(-7), isStoredAs: -7)
    try assert(Int64.min, isStoredAs: Int64.min)
    try assert(UInt(7), isStoredAs: 7)
    try assert(UInt8.max, isStoredAs: 255)
    try assert(UInt16(7), isStoredAs: 7)
    try assert(UInt32.max, isStoredAs: 4_294_967_295)
    try assert(UInt64.max, isStoredAs: UInt64.max)
    try assert(Float(1.1), isStoredAs: 1.100000023841858)
    try assert(0.1, isStoredAs: 0.1)
    try assert(CGFloat(0.1), isStoredAs: 0.1)
    try assert(Decimal(string: "1234567890.0987654321")!, isStoredAs: "1234567890.0987654321")
    try assert(Decimal.nan, isStoredAs: "NaN")
  }

  func testTextDataAndDates() throws {
    try assert("Zoë\n", isStoredAs: "Zoë\n")
    try assert(Data([0, 255]), isStoredAs: Data([0, 255]))
    try assert(Date(timeIntervalSince1970: 7), isStoredAs: Date(timeIntervalSince1970: 7))
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    try assert(UUID(uuidString: uuid)!, isStoredAs: uuid)
    try assert(TimeZone(identifier: "Europe/Paris")!, isStoredAs: "Europe/Paris")
    try assert(TimeZone(secondsFromGMT: 3600)!, isStoredAs: "GMT+0100")
    try assert(Locale(identifier: "pt_BR"), isStoredAs: "pt_BR")
  }

  func testDurationsAndCharacters() throws {
    try assert(Duration.milliseconds(1500), isStoredAs: "1.5")
    try assert(Duration.seconds(-7), isStoredAs: "-7")
    try assert(Duration.zero, isStoredAs: "0")
    let attosecond = Duration.nanoseconds(1) / 1_000_000_000
    try assert(.zero - attosecond, isStoredAs: "-0.000000000000000001")
    let longest =
      Duration.seconds(Int64.max) * 18 + .seconds(4_120_486_797_083_267_205)
      + .nanoseconds(687_303_715) + attosecond * 884_105_727
    try assert(longest, isStoredAs: "170141183460469231731.687303715884105727")
    try assert(
      .zero - longest - attosecond, isStoredAs: "-170141183460469231731.687303715884105728")
    try assert(Character("ü"), isStoredAs: "ü")
    try assert(Character("👩🏽‍🚀"), isStoredAs: "👩🏽‍🚀")
    try assert([Duration.seconds(1): Character("a")], isStoredAs: ["1": "a"])
  }

  func testGeometryAndDateComponents() throws {
    try assert(CGPoint(x: 1, y: 2.5), isStoredAs: "[1,2.5]")
    try assert(CGSize(width: 800, height: 600), isStoredAs: "[800,600]")
    try assert(CGRect(x: 1, y: 2, width: 3.5, height: 4), isStoredAs: "[[1,2],[3.5,4]]")
    try assert(DateComponents(), isStoredAs: "{}")
    try assert(
      DateComponents(year: 2026, month: 1, day: 31, hour: 12),
      isStoredAs: #"{"day":31,"hour":12,"month":1,"year":2026}"#)
    try assert(
      DateComponents(timeZone: TimeZone(identifier: "Europe/Paris"), weekday: 2),
      isStoredAs: #"{"timeZone":{"identifier":"Europe/Paris"},"weekday":2}"#)
  }

  func testCollectionsAndRanges() throws {
    try assert([1, 2], isStoredAs: [1, 2])
    try assert([UInt64.max], isStoredAs: [UInt64.max])
    try assert([Int](), isStoredAs: [Int]())
    try assert([["a": [Float(0.5)]]], isStoredAs: [["a": [0.5]]])
    try assert(Set(["b", "a"]), isStoredAs: ["a", "b"])
    try assert(["a": 1], isStoredAs: ["a": 1])
    try assert([1: "a", -2: "b"], isStoredAs: ["1": "a", "-2": "b"])
    try assert([Color.red: Level.high], isStoredAs: ["red": 9])
    try assert([true: 1.5], isStoredAs: ["true": 1.5])
    try assert(
      [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!: true],
      isStoredAs: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F": true])
    try assert(1..<5, isStoredAs: [1, 5])
    try assert(1.5...2.5, isStoredAs: [1.5, 2.5])
  }

  func testRawRepresentableTypes() throws {
    try assert(Color.green, isStoredAs: "green")
    try assert(Level.high, isStoredAs: 9)
    try assert(Mode.off, isStoredAs: "off")
    try assert(Flags(rawValue: 5), isStoredAs: 5)
  }

  func testURLs() throws {
    try assert(URL(fileURLWithPath: "/no/such file.txt"), isStoredAs: "/no/such file.txt")
    try assert(URL(fileURLWithPath: "/no/such/", isDirectory: true), isStoredAs: "/no/such/")
    try assert([URL(fileURLWithPath: "/no/a")], isStoredAs: ["/no/a"])
  }

  /// The archive of a URL that is no file's, as each platform wrote it. The order of its keys varies.
  func testArchivedURLs() throws {
    let remote = """
      YnBsaXN0MDDUAQIDBAUICQpUJHRvcFgkdmVyc2lvblkkYXJjaGl2ZXJYJG9iamVjdHPRBgdUcm9vdIABEgABhqBfEA9O\
      U0tleWVkQXJjaGl2ZXKmCwwTGhsiVSRudWxs0w0ODxAREldOUy5iYXNlW05TLnJlbGF0aXZlViRjbGFzc4ACgAWABNMU\
      FRYXEhlbTlMucmVsYXRpdmVWJGNsYXNzV05TLmJhc2WAA4AEgABfEBFodHRwczovL2UuY29tL2EvYtIcHR4fWiRjbGFz\
      c25hbWVYJGNsYXNzZXNVTlNVUkyiICFVTlNVUkxYTlNPYmplY3RTYz9kCBEWHykyNTo8QVNaYGdve4KEhoiPm6KqrK6w\
      xMnU3ePm7PUAAAAAAAABAQAAAAAAAAAjAAAAAAAAAAAAAAAAAAAA+Q==
      """
    for store in try makeStores() {
      store.set(Data(base64Encoded: remote), forKey: "url")
      let url = WrappedDefaultOptional<URL>("url", userDefaults: store)
      XCTAssertEqual(
        url.wrappedValue, URL(string: "c?d", relativeTo: URL(string: "https://e.com/a/b")))
      XCTAssertEqual(store.url(forKey: "url")?.absoluteString, "https://e.com/a/c?d")
    }
  }

  func testTheRawAccessorReadsTheURLsOfAWrapperAndTheOtherWayRound() throws {
    for store in try makeStores() {
      let url = WrappedDefaultOptional<URL>("url", userDefaults: store)
      for text in [
        "https://example.com/a?b=c#d", "mailto:a@b.org", "relative?x", "file:///no/such%20file",
        "file:///tmp/", "file:///tmp", "file:///no/such/",
      ] {
        url.wrappedValue = URL(string: text)
        XCTAssertEqual(url.wrappedValue, URL(string: text))
        XCTAssertEqual(store.url(forKey: "url"), URL(string: text))
      }
      for raw in ["/tmp", "/no/such", "/no/such/", "~/file", "/a/../b", "relative/path"] {
        store.set(raw, forKey: "url")
        XCTAssertEqual(url.wrappedValue, store.url(forKey: "url"))
        XCTAssertNotNil(url.wrappedValue)
      }
      for raw in [URL(fileURLWithPath: "/tmp"), URL(fileURLWithPath: "/no/such file")] {
        store.set(raw, forKey: "url")
        XCTAssertEqual(url.wrappedValue, raw)
      }
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: NSURL(string: "https://example.com/x?y")!, requiringSecureCoding: true)
      store.set(archive, forKey: "url")
      XCTAssertEqual(url.wrappedValue, URL(string: "https://example.com/x?y"))
      store.set([archive, "https://example.com", "/no/such"] as [Any], forKey: "urls")
      XCTAssertEqual(
        WrappedDefaultOptional<[URL]>("urls", userDefaults: store).wrappedValue,
        [
          URL(string: "https://example.com/x?y")!, URL(string: "https://example.com")!,
          URL(fileURLWithPath: "/no/such"),
        ])
    }
  }

  func testACodableValueIsStoredAsJSONTextWithSortedKeys() throws {
    try assert(user, isStoredAs: Self.userJSON)
    try assert([user], isStoredAs: [Self.userJSON])
  }

  /// Foil stored JSON data, Defaults a JSON string, its keys in any order; a person writes a
  /// dictionary.
  func testACodableValueIsReadAsOthersWroteIt() throws {
    for store in try makeStores() {
      let setting = WrappedDefaultOptional<User>("user", userDefaults: store)
      store.set(try JSONEncoder().encode(user), forKey: "user")
      XCTAssertEqual(setting.wrappedValue, user)
      store.set(String(decoding: try JSONEncoder().encode(user), as: UTF8.self), forKey: "user")
      XCTAssertEqual(setting.wrappedValue, user)
      store.set(
        [
          "name": "Zoë", "age": 41, "admin": true, "score": 1.5,
          "born": Date(timeIntervalSinceReferenceDate: 86400), "icon": Data([1, 2, 3]),
          "site": "https://example.com/z", "tags": ["a", "b"],
        ] as [String: Any], forKey: "user")
      XCTAssertEqual(setting.wrappedValue, user)
    }
  }

  /// The same forms as a person finds them in the file.
  func testAFileWrittenByHandIsRead() throws {
    let folder = try makeTemporaryFolder()
    let file = folder.appendingPathComponent("settings.plist")
    try Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>flag</key><string>YES</string>
        <key>count</key><string>42</string>
        <key>ratio</key><integer>2</integer>
        <key>float</key><real>1.100000023841858</real>
        <key>big</key><integer>18446744073709551615</integer>
        <key>theme</key><string>green</string>
        <key>date</key><date>2026-01-31T12:00:00Z</date>
        <key>date text</key><string>2026-01-31T13:00:00+01:00</string>
        <key>site</key><string>https://example.com/a?b=c</string>
        <key>sites</key><array><string>https://example.com</string><string>/a</string></array>
        <key>levels</key><dict><key>a</key><integer>1</integer><key>b</key><string>9</string></dict>
        <key>mode</key><string>on</string>
        <key>user</key><dict>
          <key>name</key><string>Zoë</string><key>age</key><integer>41</integer>
          <key>admin</key><true/><key>score</key><real>1.5</real>
          <key>born</key><date>2001-01-02T00:00:00Z</date><key>icon</key><data>AQID</data>
          <key>site</key><string>https://example.com/z</string>
          <key>tags</key><array><string>a</string><string>b</string></array>
        </dict>
      </dict></plist>
      """.utf8
    ).write(to: file)
    let store = try XCTUnwrap(
      UserDefaults(suiteName: folder.appendingPathComponent("settings").path))
    func read<V: UserDefaultsSerializable>(_ key: String, as: V.Type = V.self) -> V? {
      store.value(for: .init(name: key))
    }
    XCTAssertEqual(read("flag"), true)
    XCTAssertEqual(read("count"), 42)
    XCTAssertEqual(read("ratio"), 2.0)
    XCTAssertEqual(read("float"), Float(1.1))
    XCTAssertEqual(read("big"), UInt64.max)
    XCTAssertEqual(read("theme"), Color.green)
    XCTAssertEqual(read("date"), Date(timeIntervalSince1970: 1_769_860_800))
    XCTAssertEqual(read("date text"), Date(timeIntervalSince1970: 1_769_860_800))
    XCTAssertEqual(read("site"), URL(string: "https://example.com/a?b=c"))
    XCTAssertEqual(
      read("sites"), [URL(string: "https://example.com")!, URL(fileURLWithPath: "/a")])
    XCTAssertEqual(read("levels"), ["a": Level.low, "b": .high])
    XCTAssertEqual(read("mode"), Mode.on)
    XCTAssertEqual(read("user"), user)
  }
}
