#if os(Linux) || os(Android)
  import Foundation
  import Synchronization
  import TypedDefaults
  import XCTest

  /// The saved store is a `UserDefaults` like Foundation's to whoever knows nothing of this library.
  final class SavedStoreTests: XCTestCase {
    // MARK: Accessors

    // Without integers beyond `Int.max`, which Foundation does not read from a file.
    private let objects: [String: Any] = {
      let texts = [
        "", "YES", "yes", "No", "true", "FALSE", "y", "t", "1", "0", "007", " 7", "7.5", "-5", "1e3",
        "12abc", "abc", "+3", "0x10", "99999999999999999999", "é\u{1F600}<&>", "/a/b c", "a/b",
        "file:///a/b", "nan", "inf",
      ]
      let data = [Data(), Data([1, 2, 3])]
      let numbers: [Any] = [
        true, false, 0, 1, -1, 7, 255, Int.max, Int.min, 0.0, -0.5, 1.5, 7.9, 1e300,
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
  }
#endif
