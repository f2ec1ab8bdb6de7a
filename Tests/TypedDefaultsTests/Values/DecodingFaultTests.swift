import TypedDefaults
import XCTest

@testable import TestSupport

/// A message about an undecodable value names the part that cannot be read, and what it is.
final class DecodingFaultTests: XCTestCase {
  private enum Theme: String, CaseIterable, UserDefaultsSerializable { case light, dark }
  private enum Level: Int, CaseIterable, UserDefaultsSerializable {
    case low = 1
    case high
  }
  private enum Mode: CaseIterable, Codable, UserDefaultsSerializable { case on, off }
  private struct Hue: UserDefaultsSerializable {
    var storedValue: Double { 0 }
    init?(storedValue: Double) { nil }
  }
  private struct Address: Codable, UserDefaultsSerializable {
    enum Kind: String, Codable { case home, work }
    var street: String
    var number: UInt8?
    var kind: Kind?
  }
  private struct Addresses: Codable, UserDefaultsSerializable {
    var all: [Address]
    init(from decoder: any Decoder) throws { all = try [Address](from: decoder) }
    func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
  }
  private struct User: Codable, UserDefaultsSerializable {
    var name: String
    var addresses: [Address]
    var notes: [String: Bool]?
  }
  private struct Strict: Codable, UserDefaultsSerializable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no \(text)"))
    }
  }

  private func assertFault<V: UserDefaultsSerializable>(
    _ object: Any, as type: V.Type, is fault: String, line: UInt = #line
  ) {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    store.set(object, forKey: "key")
    XCTAssertNil(store.value(for: UserDefaults.Key<V>("key")), line: line)
    let description = recorder.take().first?.description ?? "no issue"
    XCTAssertEqual(
      description,
      """
      The stored value of "key" cannot be read as \(V.self): \(fault). The setting returns nil. Assign \
      a value, which keeps the old one as "key.undecodable", or reset the setting.
      """, line: line)
  }

  func testTheWholeIsWhatItIs() {
    assertFault("loud", as: Int.self, is: #"it is the string "loud"; expected an integer"#)
    assertFault(400, as: Hue.self, is: "it is the number 400; expected a value of Hue, as a number")
    assertFault([1, 2], as: String.self, is: "it is an array of 2 elements; expected a string")
    assertFault([1], as: String.self, is: "it is an array of 1 element; expected a string")
    assertFault(["a": 1], as: String.self, is: "it is a dictionary of 1 key; expected a string")
    assertFault(Data(count: 2), as: Int.self, is: "it is data of 2 bytes; expected an integer")
    assertFault(
      [5, 1], as: Range<Int>.self,
      is: "it is an array of 2 elements; expected a range, such as [1, 2]")
  }

  func testTheCasesOfAnEnumAreListed() {
    assertFault(
      "blue", as: Theme.self, is: #"it is the string "blue"; expected one of: light, dark"#)
    assertFault(3, as: Level.self, is: "it is the number 3; expected one of: 1, 2")
    assertFault(
      "on", as: Mode.self, is: #"it is the string "on"; expected one of: {"on":{}}, {"off":{}}"#)
    assertFault(
      ["light", "blue"], as: [Theme].self,
      is: #"[1] is the string "blue"; expected one of: light, dark"#)
  }

  func testAnElementIsNamedByItsIndexOrKey() {
    assertFault(
      [1, "x", "y"] as [Any], as: [Int].self,
      is: #"[1] is the string "x"; expected an integer"#)
    assertFault(
      [1, 2.5], as: Set<Int>.self, is: "[1] is the number 2.5; expected an integer")
    assertFault(
      ["a": [[1]], "b": [[2], [true, "no\n"]]] as [String: Any], as: [String: [[Int]]].self,
      is: #"["b"][1][1] is the string "no\n"; expected an integer"#)
    assertFault(
      [400], as: [Hue].self, is: "[0] is the number 400; expected a value of Hue, as a number")
    assertFault(
      [1, "x"] as [Any], as: Range<Int>.self,
      is: #"[1] is the string "x"; expected an integer"#)
    assertFault(
      ["1": "a", "one": "b"], as: [Int: String].self,
      is: #"["one"] is a key; expected an integer"#)
    assertFault(
      ["1": "a", "01": "b"], as: [Int: String].self,
      is: #"["1"] is a key, which is the same Int as another"#)
  }

  func testAMemberIsNamedByItsPath() {
    assertFault(
      #"{"addresses":[]}"#, as: User.self, is: "name is missing")
    assertFault(
      #"{"name":1,"addresses":[]}"#, as: User.self,
      is: "name is the number 1; expected a string")
    assertFault(
      #"{"name":null,"addresses":[]}"#, as: User.self,
      is: "name is null; expected a string")
    assertFault(
      #"{"name":"","addresses":[{"street":"A"},{"street":true}]}"#, as: User.self,
      is: "addresses[1].street is the Boolean true; expected a string")
    assertFault(
      [["name": "", "addresses": [["street": "A", "kind": "away"]]]], as: [User].self,
      is: """
        [0].addresses[0].kind is the string "away" (Cannot initialize Kind from invalid String value \
        away)
        """)
    assertFault(
      #"{"name":"","addresses":[],"notes":{"a b":1}}"#, as: User.self,
      is: #"notes["a b"] is the number 1; expected true or false"#)
  }

  func testANumberThatDoesNotFitIsNamedByItsPath() {
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    store.set(#"[{"street":"A","number":1},{"street":"A","number":300}]"#, forKey: "key")
    XCTAssertNil(store.value(for: UserDefaults.Key<Addresses>("key")))
    // In brackets are Foundation's own words.
    let description = recorder.take()[0].description
    XCTAssertTrue(description.contains(": [1].number is the number 300 ("), description)
    XCTAssertTrue(description.contains("does not fit in UInt8"), description)
  }

  func testWhatIsNotJSONIsSaidToBeNone() {
    let recorder = recordIssues()
    // The words after the colon are Foundation's own.
    for (object, words) in [
      ("{", #"it is the string "{", which is not JSON: "#),
      (Data([1]), "it is data of 1 byte, which is not JSON: "),
    ] as [(Any, String)] {
      let store = UserDefaults.inMemory()
      store.set(object, forKey: "key")
      XCTAssertNil(store.value(for: UserDefaults.Key<User>("key")))
      let description = recorder.take().first?.description ?? "no issue"
      XCTAssertTrue(description.contains(words), description)
      XCTAssertFalse(description.contains(".."), description)
    }
    for text in [
      "[1", "\"\n\"", "{} x", "[01]", #"{"a" 1}"#, "[1.]", #"["\ud800"]"#,
    ] {
      let store = UserDefaults.inMemory()
      store.set(text, forKey: "key")
      XCTAssertNil(store.value(for: UserDefaults.Key<User>("key")), text)
      let description = recorder.take().first?.description ?? "no issue"
      XCTAssertTrue(description.contains(", which is not JSON: "), description)
    }
    assertFault(
      7, as: User.self, is: "it is the number 7; expected a JSON object")
  }

  func testAMistakeInTheJSONOfACollectionIsNamedWithItsPlace() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    store.set("[1, 2, x]", forKey: "key")
    XCTAssertNil(store.value(for: UserDefaults.Key<[Int]>("key")))
    let description = recorder.take().first?.description ?? "no issue"
    XCTAssertTrue(
      description.contains(#"it is the string "[1, 2, x]", which is not JSON: "#), description)
    XCTAssertTrue(description.contains(" character 7; expected a list, such as "), description)
  }

  func testNoMoreThanTwentyCharactersOfAStringAreShown() {
    let secret = "abcdefghijklmnopqrstuvwxyz"
    assertFault(
      secret, as: Int.self, is: #"it is the string "abcdefghijklmnopqrst"…; expected an integer"#)
    assertFault(
      [secret: "x"], as: [String: Int].self,
      is: #"["abcdefghijklmnopqrst"…] is the string "x"; expected an integer"#)
    assertFault(
      [["street": "", "kind": secret]], as: [Address].self,
      is: #"[0].kind is the string "abcdefghijklmnopqrst"…"#)
    assertFault("\"\(secret)\"", as: Strict.self, is: #"it is the string "abcdefghijklmnopqrst"…"#)
    assertFault(#""abc""#, as: Strict.self, is: #"it is the string "abc" (no abc)"#)
  }
}
