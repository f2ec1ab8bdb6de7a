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
      description, Unreadable.stored("key", as: "\(V.self)", fault, returns: "nil"), line: line)
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
      is: "it is an array of 2 elements; expected a range in brackets, each bound an integer")
  }

  func testTheCasesOfAnEnumAreListed() {
    assertFault(
      "blue", as: Theme.self, is: #"it is the string "blue"; expected one of: light, dark"#)
    assertFault(3, as: Level.self, is: "it is the number 3; expected one of: 1, 2")
    assertFault(
      "on", as: Mode.self, is: #"it is the string "on"; expected one of: {"on":{}}, {"off":{}}"#)
    assertFault(
      ["light", "blue"], as: [Theme].self,
      is: "it is an array of 2 elements; expected a list in brackets, each one of: light, dark")
  }

  func testACollectionSaysWhatItsElementsAre() {
    assertFault(
      [1, "x", "y"] as [Any], as: [Int].self,
      is: "it is an array of 3 elements; expected a list in brackets, each an integer")
    assertFault(
      ["a": [1], "b": [true, "no"]] as [String: Any], as: [String: [Int]].self,
      is: """
        it is a dictionary of 2 keys; expected a dictionary in braces, each value a list in brackets, \
        each an integer
        """)
    assertFault(
      "[1, 2, x]", as: [Hue].self,
      is:
        #"it is the string "[1, 2, x]"; expected a list in brackets, each a value of Hue, as a number"#
    )
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
      ["name": "", "addresses": [["street": "A", "kind": "away"]]], as: User.self,
      is: """
        addresses[0].kind is the string "away" (Cannot initialize Kind from invalid String value away)
        """)
    assertFault(
      #"{"name":"","addresses":[],"notes":{"a b":1}}"#, as: User.self,
      is: #"notes.a b is the number 1; expected true or false"#)
  }

  func testWhatIsNotJSONIsWhatItIs() {
    for (object, words) in [
      ("{", #"the string "{""#), (Data([1]), "data of 1 byte"), ("[1", #"the string "[1""#),
      ("{} x", #"the string "{} x""#),
    ] as [(Any, String)] {
      assertFault(object, as: User.self, is: "it is \(words); expected JSON of User")
    }
    assertFault(
      7, as: User.self, is: "it is the number 7; expected a JSON object")
  }

  func testNoMoreThanTwentyCharactersOfAStringAreShown() {
    let secret = "abcdefghijklmnopqrstuvwxyz"
    assertFault(
      secret, as: Int.self, is: #"it is the string "abcdefghijklmnopqrst"…; expected an integer"#)
    assertFault(
      ["street": "", "kind": secret], as: Address.self,
      is: #"kind is the string "abcdefghijklmnopqrst"…"#)
    assertFault("\"\(secret)\"", as: Strict.self, is: #"it is the string "abcdefghijklmnopqrst"…"#)
    assertFault(#""abc""#, as: Strict.self, is: #"it is the string "abc" (no abc)"#)
  }
}
