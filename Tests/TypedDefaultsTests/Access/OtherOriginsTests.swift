#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import TypedDefaults
  import XCTest

  @testable import TestSupport

  /// Files that other libraries and plain programs have left are read, changed, and read again.
  final class OtherOriginsTests: XCTestCase {
    private enum Theme: String, UserDefaultsSerializable { case light, dark }
    private struct User: Codable, Hashable, UserDefaultsSerializable {
      var name: String
      var age: Int
    }

    /// A setting of the file, what it is read as, and what it is changed to.
    private struct Row {
      let key: String
      let element: String
      let check: (UserDefaults, _ isChanged: Bool) -> Void
      let change: (UserDefaults) -> Void

      init<V: UserDefaultsSerializable & Equatable>(
        _ key: String, _ element: String, _ value: V, changedTo new: V, line: UInt = #line
      ) {
        (self.key, self.element) = (key, element)
        check = { store, isChanged in
          let optional = WrappedDefaultOptional<V>(keyName: key, userDefaults: store)
          XCTAssertEqual(optional.wrappedValue, isChanged ? new : value, key, line: line)
        }
        change = { store in
          WrappedDefaultOptional<V>(keyName: key, userDefaults: store).wrappedValue = new
        }
      }
    }

    private static func data(_ json: String) -> String {
      "<data>\(Data(json.utf8).base64EncodedString())</data>"
    }

    private static let archivedURL = """
      <data>YnBsaXN0MDDUAQIDBAUICQpUJHRvcFgkdmVyc2lvblkkYXJjaGl2ZXJYJG9iamVjdHPRBgdUcm9vdIABEgABhqBfEA9O\
      U0tleWVkQXJjaGl2ZXKkCwwTFFUkbnVsbNMNDg8QERJbTlMucmVsYXRpdmVWJGNsYXNzV05TLmJhc2WAAoADgABfEBlodHRw\
      czovL2V4YW1wbGUuY29tL2E/Yj1j0hUWFxpYJGNsYXNzZXNaJGNsYXNzbmFtZaIYGVVOU1VSTFhOU09iamVjdFVOU1VSTAgR\
      Fh8pMjU6PEFTWF5lcXiAgoSGoqewu77EzQAAAAAAAAEBAAAAAAAAABsAAAAAAAAAAAAAAAAAAADT</data>
      """
    private static let url = URL(string: "https://example.com/a?b=c")!
    private static let ann = User(name: "Ann", age: 30)
    private static let zoe = User(name: "Zoë", age: 41)

    private func assertReadChangedAndReadAgain(_ rows: [Row]) throws {
      for isSaved in [false, true] {
        let suite = try makeSuiteName()
        let settings = rows.map { "<key>\($0.key)</key>\($0.element)" }.joined()
        try Data("<plist version=\"1.0\"><dict>\(settings)</dict></plist>".utf8)
          .write(to: URL(filePath: suite + ".plist"))
        let recorder = recordIssues()
        let store =
          isSaved ? UserDefaults.saved(suiteName: suite) : UserDefaults(suiteName: suite)!
        for row in rows { row.check(store, false) }
        for row in rows { row.change(store) }
        try store.flush()
        // The other kind of store knows nothing but the file.
        let other =
          isSaved ? UserDefaults(suiteName: suite)! : UserDefaults.saved(suiteName: suite)
        for row in rows { row.check(other, true) }
        XCTAssertEqual(recorder.take().map(\.description), [])
        XCTAssertEqual(
          (other.persistentDomain(forName: suite) ?? [:]).keys.sorted(), rows.map(\.key).sorted())
      }
    }

    func testAFileOfFoil() throws {
      try assertReadChangedAndReadAgain([
        Row("flag", "<true/>", true, changedTo: false),
        Row("count", "<integer>3</integer>", 3, changedTo: 4),
        Row("ratio", "<real>0.25</real>", 0.25, changedTo: 0.5),
        Row("name", "<string>Ann</string>", "Ann", changedTo: "Zoë"),
        Row("bytes", "<data>AQI=</data>", Data([1, 2]), changedTo: Data()),
        Row(
          "seen", "<date>2026-01-31T12:00:00Z</date>", Date(timeIntervalSince1970: 1_769_860_800),
          changedTo: Date(timeIntervalSince1970: 0)),
        Row("website", Self.archivedURL, Self.url, changedTo: URL(string: "https://swift.org")!),
        Row("theme", "<string>dark</string>", Theme.dark, changedTo: .light),
        Row(
          "themes", "<array><string>dark</string></array>", [Theme.dark],
          changedTo: [.light, .dark]),
        Row("tags", "<array><string>a</string></array>", Set(["a"]), changedTo: ["b", "c"]),
        Row(
          "levels", "<dict><key>a</key><integer>1</integer></dict>", ["a": 1], changedTo: ["b": 2]),
        Row("user", Self.data(#"{"name":"Ann","age":30}"#), Self.ann, changedTo: Self.zoe),
        Row(
          "users", "<array>\(Self.data(#"{"age":30,"name":"Ann"}"#))</array>", [Self.ann],
          changedTo: [Self.zoe, Self.ann]),
      ])
    }

    func testAFileOfDefaults() throws {
      let json = #"<string>{"name":"Ann","age":30}</string>"#
      let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
      try assertReadChangedAndReadAgain([
        Row("flag", "<true/>", true, changedTo: false),
        Row("quality", "<real>0.8</real>", 0.8, changedTo: 0.5),
        Row("theme", "<string>dark</string>", Theme.dark, changedTo: .light),
        Row("id", "<string>\(id)</string>", id, changedTo: UUID()),
        Row(
          "range", "<array><integer>1</integer><integer>5</integer></array>", 1..<5,
          changedTo: 2..<3),
        Row("user", json, Self.ann, changedTo: Self.zoe),
        Row("users", "<array>\(json)</array>", [Self.ann], changedTo: []),
        Row("userSet", "<array>\(json)</array>", Set([Self.ann]), changedTo: [Self.zoe]),
        Row(
          "userByName", "<dict><key>Ann</key>\(json)</dict>", ["Ann": Self.ann],
          changedTo: ["Zoë": Self.zoe]),
      ])
    }

    func testAFileOfSwiftyUserDefaults() throws {
      let json = #"{"name":"Ann","age":30}"#
      try assertReadChangedAndReadAgain([
        Row("flag", "<true/>", true, changedTo: false),
        Row("numbers", "<array><integer>1</integer></array>", [1], changedTo: [2, 3]),
        Row("website", Self.archivedURL, Self.url, changedTo: URL(filePath: "/tmp/a")),
        Row("themes", "<array><string>dark</string></array>", [Theme.dark], changedTo: []),
        Row("user", Self.data(json), Self.ann, changedTo: Self.zoe),
        // One JSON data for all.
        Row("users", Self.data("[\(json)]"), [Self.ann], changedTo: [Self.zoe]),
      ])
    }

    func testAFileOfObservableDefaults() throws {
      let json = #"{"name":"Ann","age":30}"#
      try assertReadChangedAndReadAgain([
        Row("age", "<integer>20</integer>", 20, changedTo: 21),
        Row("names", "<array><string>Ann</string></array>", ["Ann"], changedTo: ["Zoë"]),
        Row("theme", "<string>dark</string>", Theme.dark, changedTo: .light),
        Row("user", Self.data(json), Self.ann, changedTo: Self.zoe),
        Row("users", Self.data("[\(json)]"), [Self.ann], changedTo: [Self.zoe]),
      ])
    }

    func testADictionaryOfAnyObjectsIsReadByATypeOfItsOwn() throws {
      let options = """
        <dict><key>n</key><real>0.5</real><key>b</key><true/><key>t</key><string>5</string></dict>
        """
      try assertReadChangedAndReadAgain([
        Row(
          "options", options, ["n": Option.number(0.5), "b": .number(1), "t": .text("5")],
          changedTo: ["n": .text("half")])
      ])
    }

    private enum Option: PropertyListValue, UserDefaultsSerializable, Equatable {
      case number(Double)
      case text(String)

      init?(propertyListObject object: Any) {
        if let text = object as? String {
          self = .text(text)
        } else if let number = Double(propertyListObject: object) {
          self = .number(number)
        } else {
          return nil
        }
      }

      func propertyListObject() -> Any {
        switch self {
        case .number(let number): number
        case .text(let text): text
        }
      }
    }

    func testAFileOfAProgramThatRanTheEncoderItself() throws {
      let json = #"{"name":"Ann","age":30}"#
      let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
      try assertReadChangedAndReadAgain([
        Row("user", Self.data(json), Self.ann, changedTo: Self.zoe),
        Row("users", Self.data("[\(json),\(json)]"), [Self.ann, Self.ann], changedTo: []),
        Row("userText", "<string>[\(json)]</string>", [Self.ann], changedTo: [Self.zoe]),
        Row("userSet", Self.data("[\(json)]"), Set([Self.ann]), changedTo: []),
        Row(
          "userByName", Self.data(#"{"Ann":\#(json)}"#), ["Ann": Self.ann],
          changedTo: ["Zoë": Self.zoe]),
        Row(
          "usersByYear", Self.data(#"{"1996":[\#(json)]}"#), [1996: [Self.ann]],
          changedTo: [1985: [Self.zoe]]),
        // The encoder writes a dictionary whose keys are no strings as an array.
        Row(
          "flags", Self.data(#"["\#(id)",true]"#), [UUID(uuidString: id)!: true],
          changedTo: [UUID(uuidString: id)!: false]),
        Row("themes", Self.data(#"["dark","light"]"#), [Theme.dark, .light], changedTo: [.dark]),
        Row("grid", Self.data("[[1,2],[]]"), [[1, 2], []], changedTo: [[]]),
        Row(
          "links", Self.data(#"["https:\/\/example.com\/a?b=c"]"#), [Self.url],
          changedTo: [Self.url, Self.url]),
        Row(
          "prices", Self.data("[0.1234567890123456789012]"),
          [Decimal(string: "0.1234567890123456789012")!], changedTo: [1]),
        Row("range", Self.data("[1,5]"), 1..<5, changedTo: 2..<3),
      ])
    }

    // MARK: Suites that are named by the path of their file

    private func makeSuiteWithFile(_ objects: [String: Any]) throws -> String {
      let name = try makeTemporaryFolder().appending(path: "suite").path
      try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
        .write(to: URL(filePath: name + ".plist"))
      return name
    }

    func testASavedSuiteNamedByItsPathForgetsWhatItHasLoaded() throws {
      let objects = ["volume": 7, "level": 3, "other": 1, "raw": 5]
      do {
        let name = try makeSuiteWithFile(objects)
        let store = UserDefaults.saved(suiteName: name)
        let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
        let other = WrappedDefaultOptional<Int>("other", userDefaults: store)
        let balance = WrappedDefault(
          wrappedValue: 0, "balance", formerly: "level", userDefaults: store)
        XCTAssertEqual([volume.wrappedValue, other.wrappedValue, balance.wrappedValue], [7, 1, 3])
        volume.reset()
        XCTAssertEqual(volume.wrappedValue, 4)
        XCTAssertFalse(volume.isStored)
        XCTAssertEqual(volume.source, .defaultValue)
        other.wrappedValue = nil
        XCTAssertNil(other.wrappedValue)
        XCTAssertNil(store.value(for: UserDefaults.Key<Int>("other")))
        balance.wrappedValue = 2
        balance.reset()
        XCTAssertEqual(balance.wrappedValue, 0)
        try store.flush()
        XCTAssertEqual(volume.wrappedValue, 4)
        XCTAssertEqual(store.persistentDomain(forName: name)?.keys.sorted(), ["raw"])
      }
    }

    /// Foundation's class loads the file as several domains, and `removeObject` changes one of them.
    func testASavedSuiteNamedByItsPathForgetsWhatARawCallRemoves() throws {
      let store = UserDefaults.saved(suiteName: try makeSuiteWithFile(["raw": 5]))
      XCTAssertEqual(store.integer(forKey: "raw"), 5)
      store.removeObject(forKey: "raw")
      XCTAssertNil(store.object(forKey: "raw"))
      try store.flush()
    }
  }
#endif
