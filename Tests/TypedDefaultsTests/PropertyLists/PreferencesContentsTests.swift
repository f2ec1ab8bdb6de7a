import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// What a preferences file looks like.
final class PreferencesContentsTests: XCTestCase {
  private let settings: [String: Any] = [
    "string": "<&\"'>\r\n\té\u{1F600}", "": "empty key", "a\"<&>": "", "int": -1,
    "large": UInt64.max, "real": 0.1, "infinite": -Double.infinity, "true": true, "false": false,
    "data": Data((0..<200).map { UInt8($0) }), "date": Date(timeIntervalSinceReferenceDate: -5e9),
    "array": [1, "two", [3.5, [String: Any]()] as [Any], [Any]()] as [Any],
    "dictionary": ["a": ["b": ["c": true]]],
  ]

  private func contents(_ settings: [String: Any]) throws -> PreferencesContents {
    var contents = PreferencesContents()
    for (key, object) in settings { try contents.set(PropertyListObject(object), for: key) }
    return contents
  }

  func testTheFormatIsFoundationsOwn() throws {
    let contents = try contents(settings.filter { $0.key.allSatisfy(\.isASCII) })
    let expected = try PropertyListSerialization.data(
      fromPropertyList: settings, format: .xml, options: 0)
    XCTAssertEqual(
      String(decoding: try contents.data(), as: UTF8.self),
      String(decoding: expected, as: UTF8.self))
  }

  /// Swift takes a character and a mark that follows it for one.
  func testAMarkThatCombinesWithACharacterOfXMLDamagesNothing() throws {
    let text = "a&\u{301}<\u{301}b>\u{1A6A}\u{301}"
    var contents = PreferencesContents()
    for object in [text, [text], [text: text]] as [Any] {
      try contents.set(PropertyListObject(object), for: text)
      XCTAssertEqual(
        try PreferencesContents(parsing: contents.data())[text], PropertyListObject(object))
    }
  }

  func testAFileIsBinaryWhileATextHoldsWhatXMLCannot() throws {
    for text in ["\u{0}", "a\u{1}b", "\u{1F}", "\u{FFFE}", "é\u{FFFF}"] {
      let settings: [[String: Any]] = [
        ["text": text], ["text": ["list": [text]]], ["key": ["\(text)": 1]], [text: 1],
      ]
      for setting in settings {
        var written = try contents(self.settings.merging(setting) { $1 })
        let data = try written.data()
        XCTAssertTrue(data.starts(with: "bplist00".utf8))
        let read = try PreferencesContents(parsing: data)
        XCTAssertTrue(written.differences(in: read).isEmpty)
        let parsed = try XCTUnwrap(
          PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        XCTAssertEqual(Set(parsed.keys), Set(written.keys))
        for (key, object) in parsed {
          XCTAssertEqual(written[key], PropertyListObject(object), key)
        }
        let key = try XCTUnwrap(setting.keys.first)
        try written.set(nil, for: key)
        XCTAssertTrue(try written.data().starts(with: "<?xml".utf8))
      }
    }
  }

  func testReadsBackWhatItHolds() throws {
    let written = try contents(settings)
    let read = try PreferencesContents(parsing: written.data())
    for (key, object) in settings {
      XCTAssertEqual(read[key], PropertyListObject(object), key)
    }
    XCTAssertTrue(written.differences(in: read).isEmpty)
  }

  func testADateLosesItsFractionOfASecond() throws {
    let written = try contents(["date": Date(timeIntervalSince1970: 7.75)])
    let read = try PreferencesContents(parsing: written.data())
    XCTAssertEqual(read["date"], PropertyListObject(Date(timeIntervalSince1970: 7)))
  }

  /// Foundation's own writer makes the 60th second of it, which is read as the next one.
  func testADateJustBeforeASecondOfABinaryFileIsWrittenAsTheSecondBefore() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["date": Date(timeIntervalSinceReferenceDate: -1e-193)], format: .binary,
      options: 0)
    let contents = try PreferencesContents(parsing: list)
    let text = String(decoding: try contents.data(), as: UTF8.self)
    XCTAssertTrue(text.contains("<date>2000-12-31T23:59:59Z</date>"), text)
  }

  func testALeadingByteOrderMarkIsPartOfAStringOrKey() throws {
    let settings: [String: Any] = [
      "\u{FEFF}key": "\u{FEFF}", "key": "\u{FEFF}\u{FEFF}<", "\u{FEFF}\u{FEFF}key": 1,
      "list": ["\u{FEFF}a", ["\u{FEFF}b": ["\u{FEFF}c"]]] as [Any],
    ]
    let written = try contents(settings)
    let data = try written.data()
    let read = try PreferencesContents(parsing: data)
    // And to Foundation.
    let parsed = try XCTUnwrap(
      PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    XCTAssertEqual(Set(read.keys), Set(settings.keys))
    for (key, object) in settings {
      XCTAssertEqual(read[key], PropertyListObject(object), key)
      XCTAssertEqual(parsed[key].map { PropertyListObject($0) }, PropertyListObject(object), key)
    }
  }

  func testTakesOnDifferences() throws {
    var old = try contents(["same": 1, "changed": 1, "gone": 1])
    let new = try contents(["same": 1, "changed": 2, "new": 1])
    let differences = old.differences(in: new)
    XCTAssertEqual(Set(differences.keys), ["changed", "gone", "new"])
    XCTAssertEqual(differences["changed"], PropertyListObject(2))
    XCTAssertEqual(differences["gone"], .some(nil))
    old.adopt(differences)
    XCTAssertEqual(try old.data(), try new.data())
  }

  func testWhatChangesBetweenTwoSavesIsInItsPlace() throws {
    var generator = SeededGenerator()
    let keys = ["a", "b", "c", "d", "\u{e9}", "e", "f"]
    var (contents, settings) = (PreferencesContents(), [Data: Int]())
    for number in 0..<500 {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let key = keys.randomElement(using: &generator)!
        let object = Bool.random(using: &generator) ? number : nil
        try contents.set(object.map { PropertyListObject($0) }, for: key)
        settings[Data(key.utf8)] = object
      }
      var expected = PreferencesContents()
      for (key, number) in settings {
        try expected.set(PropertyListObject(number), for: String(decoding: key, as: UTF8.self))
      }
      let data = try contents.data()
      XCTAssertTrue(
        try expected.differences(in: .init(parsing: data)).isEmpty, "\(generator)")
      let written = String(decoding: data, as: UTF8.self).components(separatedBy: "<key>")
        .dropFirst().map { $0.prefix { $0 != "<" } }
      XCTAssertEqual(written, written.sorted(), "\(generator)")
    }
  }

  func testRefusesWhatWouldNotReadBack() throws {
    var contents = try contents(["a": 1])
    let before = try contents.data()
    let poison: [Any] = [
      ["CF$UID": 1], [["CF$UID": 1]], ["deep": ["CF$UID": 1]], NSNull(),
      Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: .infinity),
    ]
    for object in poison {
      XCTAssertThrowsError(try contents.set(PropertyListObject(object), for: "p"), "\(object)")
    }
    XCTAssertThrowsError(try contents.set(PropertyListObject(1), for: "CF$UID"))
    XCTAssertEqual(try contents.data(), before)
  }
}
