import TypedDefaults
import XCTest

@testable import TestSupport

/// Whatever is stored, reading it as any type ends well and changes nothing.
final class FuzzTests: XCTestCase {
  private enum Color: String, UserDefaultsSerializable { case red }
  private struct User: Codable, UserDefaultsSerializable {
    var name: String
    var ages: [String: Int]?
  }

  private var generator = SeededGenerator()

  private func readAsEveryType(_ key: String, in store: UserDefaults) {
    func read<V: UserDefaultsSerializable>(_ type: V.Type) {
      _ = WrappedDefaultOptional<V>(keyName: key, userDefaults: store).wrappedValue
    }
    read(Bool.self)
    read(Int8.self)
    read(UInt64.self)
    read(Float.self)
    read(Double.self)
    read(Decimal.self)
    read(String.self)
    read(Data.self)
    read(Date.self)
    read(URL.self)
    read(UUID.self)
    read(TimeZone.self)
    read(Locale.self)
    read(Duration.self)
    read(Character.self)
    read(CGRect.self)
    read(DateComponents.self)
    read(Range<Int>.self)
    read(ClosedRange<Double>.self)
    read([Int].self)
    read([URL].self)
    read(Set<String>.self)
    read([String: Double].self)
    read([Int: [Date]].self)
    read(Color.self)
    read(User.self)
    read([[String: User]].self)
  }

  func testRandomObjectsAreReadAsAnyTypeWithoutHarm() {
    DefaultsIssue.setHandler { _ in }
    defer { DefaultsIssue.setHandler(nil) }
    for _ in 0..<Scale.rounds(100, long: 2_000) {
      let store = UserDefaults.inMemory()
      store.set(object(depth: 3), forKey: "key")
      let before = xml(store.object(forKey: "key"))
      readAsEveryType("key", in: store)
      XCTAssertEqual(xml(store.object(forKey: "key")), before, "\(generator)")
    }
  }

  /// `NSKeyedUnarchiver` on Linux ends the process at most of these.
  func testDamagedAndForeignArchivesAreNoURLs() throws {
    let store = UserDefaults.inMemory()
    let url = WrappedDefaultOptional<URL>("url", userDefaults: store)
    DefaultsIssue.setHandler { _ in }
    defer { DefaultsIssue.setHandler(nil) }

    let foreign: [any NSObject & NSSecureCoding] = [
      NSDate(), NSArray(array: ["a"]), NSDictionary(dictionary: ["a": 1]), NSString("a"),
      NSSet(array: [1]),
    ]
    for object in foreign {
      store.set(
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true),
        forKey: "url")
      XCTAssertNil(url.wrappedValue, "\(object)")
    }

    url.wrappedValue = URL(
      string: "c?d\(String(repeating: "e", count: 300))", relativeTo: URL(string: "https://e.com/a")
    )
    let archive = try XCTUnwrap(store.data(forKey: "url"))
    var readable = 0
    for _ in 0..<Scale.rounds(500, long: 10_000) {
      store.set(generator.mutated(archive), forKey: "url")
      if url.wrappedValue != nil { readable += 1 }
    }
    XCTAssertGreaterThan(
      readable, 0, "some bytes are text, whose change makes another URL; \(generator)")
    for length in 0..<archive.count {
      store.set(archive.prefix(length), forKey: "url")
      XCTAssertNil(url.wrappedValue)
    }
  }

  private func object(depth: Int) -> Any {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &generator) {
    case 0: Bool.random(using: &generator)
    case 1: Int.random(in: .min ... .max, using: &generator)
    case 2: UInt64.random(in: 0 ... .max, using: &generator)
    case 3: Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
    case 4: Date(timeIntervalSinceReferenceDate: Double.random(in: -1e15...1e15, using: &generator))
    case 5:
      Data(
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          .random(in: 0...255, using: &generator)
        })
    case 6:
      [
        "", "~", "~nobody/x", "~/", "a:", "://", "https://[", "file:", "\0", "{}", "[", "null",
        "\"a\"",
        "1e999", "-", "0x", "nan", "+", "yes", "2026-02-31", "GMT+99", "../..", "NaN", "1.",
        #"{"name":"a","ages":{"b":1}}"#, String(repeating: "[", count: 20_000),
      ].randomElement(using: &generator)!
    case 7: text()
    case 8: (0..<Int.random(in: 0...4, using: &generator)).map { _ in object(depth: depth - 1) }
    default:
      Dictionary(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in (text(), object(depth: depth - 1))
        }
      ) { $1 }
    }
  }

  private func text() -> String {
    let scalars = (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x300, using: &generator))
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
