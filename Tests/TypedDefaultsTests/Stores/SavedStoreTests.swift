#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// The saved store is a `UserDefaults` like Foundation's to whoever knows nothing of this library.
  final class SavedStoreTests: XCTestCase {
    // MARK: Accessors

    private let objects: [String: Any] = {
      let texts = [
        "YES", "yes", "No", "true", "FALSE", "y", "t", "1", "0", "007", " 7", "7.5", "-5", "1e3",
        "12abc", "abc", "+3", "0x10", "99999999999999999999", "é\u{1F600}<&>", "/a/b c", "a/b",
        "nan", "inf",
      ]
      let data = [Data(), Data([1, 2, 3])]
      let numbers: [Any] = [
        true, false, 0, 1, -1, 7, 255, Int.max - 1, Int.min, 0.0, -0.5, 1.5, 7.9, 1e300,
        1e19, Double.nan, Double.infinity, -Double.infinity, 1.1,
      ]
      let collections: [Any] = [
        [Any](), ["a"], ["a", "b"], [1, 2], ["a", 1] as [Any], [["a"], [1]] as [Any],
        [String: Any](), ["a": 1], ["a": ["b": true, "c": [1.5]]] as [String: Any],
      ]
      let all = texts as [Any] + data + numbers + collections + [Date(timeIntervalSince1970: 1e9)]
      return Dictionary(uniqueKeysWithValues: all.enumerated().map { ("key\($0)", $1) })
    }()

    /// What each accessor returns, as text.
    private func answers(_ store: UserDefaults, _ key: String) -> [String: String] {
      let object = store.object(forKey: key)
      return [
        "object": xml(object),
        "as Bool": xml(object as? Bool),
        "as Int": xml(object as? Int),
        "as Double": xml(object as? Double),
        "as String": xml(object as? String),
        "as NSNumber": xml((object as? NSNumber)?.doubleValue),
        "as [Int]": xml(object as? [Int]),
        "as [String]": xml(object as? [String]),
        "as [Any]": xml(object as? [Any]),
        "as [String: Any]": xml(object as? [String: Any]),
        "as [String: Int]": xml(object as? [String: Int]),
        "bool": "\(store.bool(forKey: key))",
        "integer": "\(store.integer(forKey: key))",
        "float": "\(store.float(forKey: key))",
        "double": "\(store.double(forKey: key))",
        "string": "\(store.string(forKey: key) ?? "nil")",
        "array": xml(store.array(forKey: key)),
        "stringArray": xml(store.stringArray(forKey: key)),
        "dictionary": xml(store.dictionary(forKey: key)),
        "data": xml(store.data(forKey: key)),
        // Foundation ends the process if data is no archive.
        "url": object is Data ? "" : "\(store.url(forKey: key)?.absoluteString ?? "nil")",
      ]
    }

    private func assertSameAnswers(
      _ saved: UserDefaults, _ foundation: UserDefaults, _ what: String,
      file: StaticString = #filePath, line: UInt = #line
    ) {
      for (key, object) in objects.merging(["missing": "nothing"], uniquingKeysWith: { $1 }) {
        let expected = answers(foundation, key)
        for (accessor, answer) in answers(saved, key) {
          XCTAssertEqual(
            answer, expected[accessor], "\(accessor) of \(object), \(what)", file: file, line: line)
        }
      }
    }

    func testTheAccessorsAnswerAsFoundationDoesForWhatIsInTheFile() throws {
      let name = try makeTemporaryFolder().appendingPathComponent("suite").path
      try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
        .write(to: URL(filePath: name + ".plist"))
      try assertSameAnswers(
        .saved(suiteName: name), XCTUnwrap(UserDefaults(suiteName: name)), "read from the file")
    }

    func testTheAccessorsAnswerAsFoundationDoesForWhatIsSet() throws {
      let (saved, foundation) = (try makeSavedSuite(), try makeSuite())
      for (key, object) in objects {
        saved.set(object, forKey: key)
        foundation.set(object, forKey: key)
      }
      assertSameAnswers(saved, foundation, "set")
    }

    func testTheAccessorsAnswerAsFoundationDoesForWhatIsRegistered() throws {
      let (saved, foundation) = (try makeSavedSuite(), try makeSuite())
      for store in [saved, foundation] { store.register(defaults: objects) }
      // Foundation registers for the whole process.
      addTeardownBlock {
        foundation.setVolatileDomain([:], forName: UserDefaults.registrationDomain)
      }
      assertSameAnswers(saved, foundation, "registered")
    }

    /// What Foundation gets wrong here.
    func testTheAccessorsAnswerWhereFoundationDoesNot() throws {
      let store = try makeSavedSuite()
      let url = try XCTUnwrap(URL(string: "https://example.com/a?b=c"))
      store.set(url, forKey: "url")
      XCTAssertEqual(store.url(forKey: "url"), url)
      for text in ["file:///a/b", "https://example.com"] {
        store.set(text, forKey: "url")
        XCTAssertEqual(store.url(forKey: "url"), URL(string: text))
      }
      store.set(Data([1]), forKey: "url")
      XCTAssertNil(store.url(forKey: "url"))
      store.set("", forKey: "url")
      XCTAssertNil(store.url(forKey: "url"))
      store.set(Int.max, forKey: "max")
      XCTAssertEqual(store.integer(forKey: "max"), .max)
      XCTAssertEqual(store.string(forKey: "max"), "\(Int.max)")
    }

    func testEveryFormOfSetIsReadBackFromTheFile() throws {
      let folder = try makeTemporaryFolder()
      let name = folder.appendingPathComponent("suite").path
      let store = UserDefaults.saved(suiteName: name)
      let url = try XCTUnwrap(URL(string: "https://example.com"))
      store.set(true, forKey: "bool")
      store.set(7, forKey: "integer")
      store.set(Float(1.1), forKey: "float")
      store.set(2.5, forKey: "double")
      store.set(url, forKey: "url")
      store.set(["a": [1, 2]], forKey: "dictionary")
      store.set("text" as Any?, forKey: "string")
      store.set("gone", forKey: "gone")
      store.set(nil, forKey: "gone")
      XCTAssertTrue(store.synchronize())
      let read = try XCTUnwrap(UserDefaults(suiteName: name))
      XCTAssertTrue(read.bool(forKey: "bool"))
      XCTAssertEqual(read.integer(forKey: "integer"), 7)
      XCTAssertEqual(read.float(forKey: "float"), 1.1)
      XCTAssertEqual(read.double(forKey: "double"), 2.5)
      XCTAssertEqual(read.url(forKey: "url"), url)
      XCTAssertEqual(read.dictionary(forKey: "dictionary") as? [String: [Int]], ["a": [1, 2]])
      XCTAssertEqual(read.string(forKey: "string"), "text")
      XCTAssertNil(read.object(forKey: "gone"))
    }

    func testASuiteHasOneInstance() throws {
      let name = try makeTemporaryFolder().appendingPathComponent("suite").path
      XCTAssertIdentical(UserDefaults.saved(suiteName: name), UserDefaults.saved(suiteName: name))
      XCTAssertNotIdentical(
        UserDefaults.saved(suiteName: name), UserDefaults.saved(suiteName: name + "2"))
    }

    // MARK: Domains

    func testItsDomainIsReadReplacedAndRemovedByItsName() throws {
      let name = try makeTemporaryFolder().appendingPathComponent("suite").path
      let store = UserDefaults.saved(suiteName: name)
      func saved() throws -> [String: String]? {
        try store.flush()
        let file = try Data(contentsOf: URL(filePath: name + ".plist"))
        return try PropertyListSerialization.propertyList(from: file, format: nil)
          as? [String: String]
      }
      store.register(defaults: ["registered": "r"])
      store.set("1", forKey: "a")
      store.set("1", forKey: "b")
      XCTAssertEqual(
        store.persistentDomain(forName: name) as? [String: String], ["a": "1", "b": "1"])
      store.setPersistentDomain(["b": "2", "c": "2"], forName: name)
      XCTAssertEqual(
        store.dictionaryRepresentation() as? [String: String],
        ["b": "2", "c": "2", "registered": "r"])
      XCTAssertEqual(try saved(), ["b": "2", "c": "2"])
      store.removePersistentDomain(forName: name)
      XCTAssertEqual(store.dictionaryRepresentation() as? [String: String], ["registered": "r"])
      XCTAssertEqual(try saved(), [:])
    }

    func testItsRegisteredDefaultsAreItsOwn() throws {
      let (one, two) = (try makeSavedSuite(), try makeSavedSuite())
      one.register(defaults: ["SavedStoreTests": 1])
      XCTAssertEqual(one.integer(forKey: "SavedStoreTests"), 1)
      XCTAssertNil(two.object(forKey: "SavedStoreTests"))
      XCTAssertNil(UserDefaults.standard.object(forKey: "SavedStoreTests"))
      XCTAssertEqual(one.persistentDomain(forName: "other")?.count ?? 0, 0)
    }

    func testArgumentsWin() throws {
      let store = try makeSavedSuite()
      let volume = WrappedDefault(wrappedValue: 4, "volume", userDefaults: store)
      store.set(5, forKey: "volume")
      XCTAssertEqual(volume.wrappedValue, 5)
      store.setVolatileDomain(["volume": "7"], forName: UserDefaults.argumentDomain)
      XCTAssertEqual(store.integer(forKey: "volume"), 7)
      XCTAssertEqual(volume.wrappedValue, 7)
      XCTAssertEqual(
        store.volatileDomain(forName: UserDefaults.argumentDomain) as? [String: String],
        ["volume": "7"])
      store.set(6, forKey: "volume")
      XCTAssertEqual(volume.wrappedValue, 7)
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      XCTAssertEqual(volume.wrappedValue, 6)
    }

    // MARK: Notification

    func testEachRawSetIsPosted() throws {
      let store = try makeSavedSuite()
      let count = TestMutex(0)
      let observer = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: store, queue: nil
      ) { _ in count.withLock { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      store.set(1, forKey: "a")
      store.set(true, forKey: "a")
      store.set("text", forKey: "a")
      store.removeObject(forKey: "a")
      XCTAssertEqual(count.withLock { $0 }, 4)
      store.transaction {
        store.set(1, forKey: "a")
        store.set(1, forKey: "b")
      }
      XCTAssertEqual(count.withLock { $0 }, 5)
    }

    func testAChangeOfAnotherProcessIsPosted() throws {
      let name = try makeTemporaryFolder().appendingPathComponent("suite").path
      nonisolated(unsafe) let store = UserDefaults.saved(suiteName: name)
      let posted = expectation(
        forNotification: UserDefaults.didChangeNotification, object: store
      ) { _ in store.integer(forKey: "a") == 1 }
      try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)
        .write(to: URL(filePath: name + ".plist"))
      wait(for: [posted], timeout: 60)
    }
  }
#endif
