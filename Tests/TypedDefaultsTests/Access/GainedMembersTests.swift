import Foundation
import Synchronization
import TypedDefaults
import XCTest

@testable import TestSupport

/// `Codable` settings whose types have gained members since they were stored.
final class GainedMembersTests: XCTestCase {
  private struct Window: Codable, Equatable, UserDefaultsSerializable {
    struct Frame: Codable, Equatable {
      var width: Decimal
      var height: Int
      var depth: Double?
    }
    struct Tab: Codable, Equatable {
      var name: String
      var isPinned: Bool
    }
    var title: String
    var frame: Frame
    var tabs: [Tab]
    var colors: [String: String]
  }

  private static let window = Window(
    title: "New", frame: .init(width: 1, height: 2, depth: 3),
    tabs: [.init(name: "first", isPinned: true)], colors: ["text": "black"])

  private func declare(in store: UserDefaults) -> WrappedDefault<Window> {
    WrappedDefault(wrappedValue: Self.window, "gainedWindow", userDefaults: store)
  }

  func testTheMissingMembersAreTheDefaultsAndAllOthersTheStoredOnes() throws {
    let stored: [Any] = [
      #"{"frame":{"width":0.1234567890123456789012345},"tabs":[],"colors":{"a\"}":"}"}}"#,
      Data(
        #"{"frame": {"width":0.1234567890123456789012345}, "tabs":[], "colors":{"a\"}":"}"}}"#.utf8),
      [
        "frame": ["width": 0.5, "height": 7] as [String: Any], "tabs": [Any](),
        "colors": ["a": "b"],
      ] as [String: Any],
    ]
    let expected = [
      Window(
        title: "New",
        frame: .init(width: Decimal(string: "0.1234567890123456789012345")!, height: 2),
        tabs: [], colors: ["a\"}": "}"]),
      Window(
        title: "New",
        frame: .init(width: Decimal(string: "0.1234567890123456789012345")!, height: 2),
        tabs: [], colors: ["a\"}": "}"]),
      Window(title: "New", frame: .init(width: 0.5, height: 7), tabs: [], colors: ["a": "b"]),
    ]
    for store in try makeStores() {
      let recorder = recordIssues()
      for (object, expected) in zip(stored, expected) {
        let setting = declare(in: store)
        store.set(object, forKey: "gainedWindow")
        let before = xml(store.object(forKey: "gainedWindow"))
        for _ in 1...2 { XCTAssertEqual(setting.wrappedValue, expected) }
        setting.withLock { _ in }
        XCTAssertEqual(xml(store.object(forKey: "gainedWindow")), before, "a read stores nothing")
        setting.wrappedValue.title = "Changed"
        XCTAssertEqual(declare(in: store).wrappedValue.frame, expected.frame)
        XCTAssertEqual(declare(in: store).wrappedValue.title, "Changed")
      }
      XCTAssertEqual(recorder.take().map(\.description), [])
      XCTAssertNil(store.object(forKey: "gainedWindow.undecodable"))
    }
  }

  func testNothingElseIsInvented() throws {
    let frame = #""frame":{"width":1,"height":2},"colors":{}"#
    let rows = [
      // A list's element that lacks a member, though the default's has it.
      #"{\#(frame),"title":"t","tabs":[{"name":"a"}]}"#: "tabs[0].isPinned is missing",
      // A member of another type, with another missing.
      #"{\#(frame),"tabs":"none"}"#:
        #"tabs is the string "none"; expected a list"#,
      #"{"frame":7}"#: "frame is the number 7; expected a JSON object",
      "[]": "it is an array of 0 elements; expected a JSON object",
    ]
    for store in try makeStores() {
      let recorder = recordIssues()
      for (text, fault) in rows {
        store.set(text, forKey: "gainedWindow")
        XCTAssertEqual(declare(in: store).wrappedValue, Self.window)
        let description = try XCTUnwrap(recorder.take().first?.description)
        XCTAssertTrue(description.contains("Window: \(fault). The"), description)
      }
      // Nothing says what is missing where there is no default.
      store.set("{}", forKey: "gainedWindow")
      XCTAssertNil(store.value(for: UserDefaults.Key<Window>("gainedWindow")))
      XCTAssertNil(WrappedDefaultOptional<Window>("gainedWindow", userDefaults: store).wrappedValue)
      XCTAssertEqual(recorder.take().count, 1)
      XCTAssertEqual(declare(in: store).wrappedValue, Self.window)
    }
  }

  func testADictionaryThatGainsAMemberIsFilledWhereTheDefaultHasOneOfTheSameName() {
    enum Shape: Codable, Equatable, UserDefaultsSerializable {
      case circle(radius: Int, color: String)
      case square(side: Int)
    }
    let store = UserDefaults.inMemory()
    let recorder = recordIssues()
    let shape = WrappedDefault(
      wrappedValue: Shape.circle(radius: 1, color: "red"), "gainedShape", userDefaults: store)
    store.set(#"{"circle":{"radius":5}}"#, forKey: "gainedShape")
    XCTAssertEqual(shape.wrappedValue, .circle(radius: 5, color: "red"))
    XCTAssertEqual(recorder.take().count, 0)
    store.set(#"{"square":{}}"#, forKey: "gainedShape")
    XCTAssertEqual(shape.wrappedValue, .circle(radius: 1, color: "red"))
    XCTAssertEqual(recorder.take().count, 1)
  }

  func testAnArgumentThatLacksAMemberIsIgnored() throws {
    let store = try makeSuite()
    let recorder = recordIssues()
    store.setVolatileDomain(
      ["gainedWindow": #"{"title":"t"}"#], forName: UserDefaults.argumentDomain)
    XCTAssertEqual(declare(in: store).wrappedValue, Self.window)
    XCTAssertEqual(
      recorder.take().first?.description.hasPrefix(
        "The launch argument -gainedWindow cannot be read"),
      true)
  }

  // MARK: Any shape

  func testEveryOldMemberOfAnyShapeIsReadAndEveryNewOneIsTheDefaults() throws {
    var random = SeededGenerator()
    let stores = try makeStores()
    let recorder = recordIssues()
    for _ in 0..<Scale.rounds(200, long: 2000) {
      let old = Tree.randomObject(depth: 3, using: &random)
      let new = old.grown(using: &random)
      let declared = new.withOtherValues()
      let store = stores.randomElement(using: &random)!
      let key = UserDefaults.Key<Shaped>(name: UUID().uuidString)
      let json = try old.json(using: &random)
      let text = String(decoding: json, as: UTF8.self)
      store.set(Bool.random(using: &random) ? json : text, forKey: key.name)
      Shaped.shape.withLock { $0 = new }
      let setting = WrappedDefault(
        wrappedValue: Shaped(tree: declared), key, userDefaults: store)
      XCTAssertEqual(setting.wrappedValue.tree, old.filled(from: declared), "\(random): \(text)")
      store.removeObject(forKey: key.name)
    }
    XCTAssertEqual(recorder.take().map(\.description), [])
  }
}

/// A value of any shape.
private indirect enum Tree: Equatable, Sendable, Encodable {
  case number(Int)
  case text(String)
  case list([Int])
  case object([String: Tree])

  struct Name: CodingKey {
    let stringValue: String
    init(stringValue: String) { self.stringValue = stringValue }
    var intValue: Int? { nil }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .number(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    case .list(let list): try list.encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, member) in members {
        try container.encode(member, forKey: Name(stringValue: name))
      }
    }
  }

  /// Decodes as a type would that has been declared in a tree's shape.
  init(from decoder: any Decoder, shapedLike shape: Tree) throws {
    switch shape {
    case .number: self = .number(try Int(from: decoder))
    case .text: self = .text(try String(from: decoder))
    case .list: self = .list(try [Int](from: decoder))
    case .object(let members):
      let container = try decoder.container(keyedBy: Name.self)
      self = .object(
        try Dictionary(
          uniqueKeysWithValues: members.map { name, shape in
            let key = Name(stringValue: name)
            guard container.contains(key) else {
              throw DecodingError.keyNotFound(
                key, .init(codingPath: decoder.codingPath, debugDescription: "missing"))
            }
            return (name, try Tree(from: container.superDecoder(forKey: key), shapedLike: shape))
          }))
    }
  }

  func json(using random: inout some RandomNumberGenerator) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = Bool.random(using: &random) ? [.prettyPrinted, .sortedKeys] : []
    return try encoder.encode(self)
  }

  private static let names = [
    "a", "b", "c", "", "\"", "\\", "}", "{,:", "[1]", "1", "ü", "a.b", "\n",
  ]

  static func random(depth: Int, using random: inout some RandomNumberGenerator) -> Tree {
    switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &random) {
    case 0: .number(.random(in: .min ... .max, using: &random))
    case 1: .text(names.randomElement(using: &random)!)
    case 2: .list((0..<Int.random(in: 0...2, using: &random)).map { $0 })
    default: randomObject(depth: depth, using: &random)
    }
  }

  static func randomObject(depth: Int, using random: inout some RandomNumberGenerator) -> Tree {
    let names = names.shuffled(using: &random).prefix(.random(in: 0...4, using: &random))
    var members: [String: Tree] = [:]
    for name in names { members[name] = .random(depth: depth - 1, using: &random) }
    return .object(members)
  }

  /// The shape with members added to some of its objects.
  func grown(using random: inout some RandomNumberGenerator) -> Tree {
    guard case .object(var members) = self else { return self }
    for (name, member) in members { members[name] = member.grown(using: &random) }
    for name in Self.names where members[name] == nil && Int.random(in: 0..<5, using: &random) == 0
    {
      members[name] = .random(depth: 2, using: &random)
    }
    return .object(members)
  }

  /// Another value of the same shape.
  func withOtherValues() -> Tree {
    switch self {
    case .number(let number): .number(~number)
    case .text(let text): .text(text + "'")
    case .list(let list): .list(list + [-1])
    case .object(let members): .object(members.mapValues { $0.withOtherValues() })
    }
  }

  /// The value with all members that only another one has.
  func filled(from other: Tree) -> Tree {
    guard case .object(let mine) = self, case .object(let others) = other else { return self }
    return .object(mine.merging(others) { $0.filled(from: $1) })
  }
}

/// A type that is declared in another shape for each value.
private struct Shaped: Codable, UserDefaultsSerializable {
  static let shape = TestMutex(Tree.object([:]))

  let tree: Tree

  init(tree: Tree) { self.tree = tree }

  init(from decoder: any Decoder) throws {
    tree = try Tree(from: decoder, shapedLike: Self.shape.withLock { $0 })
  }

  func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}
