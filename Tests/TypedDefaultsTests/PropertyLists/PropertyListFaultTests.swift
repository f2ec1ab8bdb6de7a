import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// What is said of a file that cannot be read.
final class PropertyListFaultTests: XCTestCase {
  /// Foundation's own layout.
  private let file = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>count</key>
    	<integer>12</integer>
    	<key>names</key>
    	<array>
    		<string>Ada &amp; Bob</string>
    		<string>Cleo</string>
    	</array>
    	<key>ratio</key>
    	<real>0.5</real>
    	<key>since</key>
    	<date>2026-01-31T12:00:00Z</date>
    	<key>window</key>
    	<dict>
    		<key>open</key>
    		<true/>
    	</dict>
    </dict>
    </plist>

    """

  private func fault(_ data: Data) -> String {
    do {
      _ = try PreferencesContents(parsing: data)
      return "read"
    } catch {
      return "\(error)"
    }
  }

  func testEachMistakeOfAPersonIsNamedWithItsLine() throws {
    XCTAssertEqual(fault(Data(file.utf8)), "read")
    // The words are Foundation's own.
    let mistakes: [(String, String, line: Int)] = [
      ("12</integer>", "abc</integer>", 6), ("12</integer>", "</integer>", 6),
      ("12</integer>", "1.5</integer>", 6), ("12</integer>", "12<integer>", 6),
      ("12</integer>", "12</int>", 6), ("<integer>12", "<intege>12", 6),
      ("<integer>12</integer>", "12", 6), ("<key>names", "names", 7),
      ("<array>", "<string>", 9), ("&amp;", "&", 9), ("&amp;", "&nbsp;", 9), ("0.5", "0,5", 13),
      ("2026-01-31T12:00:00Z", "31.1.2026", 15), ("<true/>", "<True/>", 19),
      ("<true/>", "<true>yes</true>", 19), ("\t</dict>\n", "", 21),
      ("</dict>\n</plist>", "</dict>\n</dict>\n</plist>", 22),
      ("<key>count", "<!-- old <key>count", 5),
      ("<key>open</key>", "<key>CF$UID</key><integer>1</integer>", 19),
    ]
    for (text, mistake, line) in mistakes {
      let range = try XCTUnwrap(file.range(of: text), text)
      let edited = file.replacingCharacters(in: range, with: mistake)
      let fault = fault(Data(edited.utf8))
      XCTAssertTrue(fault.contains(" line \(line)"), "\(fault) \(mistake)")
    }
  }

  func testWhatPeopleWriteInOtherLayoutsIsRead() throws {
    let expected = try PreferencesContents(parsing: Data(file.utf8))
    for (text, other) in [
      ("\t", "    "), ("\n", "\r\n"), ("\n", ""), ("<key>count", "<!-- a comment -->\n<key>count"),
      ("<true/>", "<true />"), ("<true/>", "<true></true>"), (" & ", "&#32;&#x26; "),
      ("<plist version=\"1.0\">", "<plist>"), ("<array>", "<array >"), ("&amp;", "<![CDATA[&]]>"),
      ("<?xml version", "\u{FEFF}<?xml version"), ("</plist>\n", "</plist>"), ("UTF-8", "utf-8"),
      ("<integer>12", "<integer>0xC"), ("<integer>12", "<integer> +12"),
    ] {
      let edited = file.replacingOccurrences(of: text, with: other)
      let read = try PreferencesContents(parsing: Data(edited.utf8))
      XCTAssertTrue(expected.differences(in: read).isEmpty, other)
      let written = try PreferencesContents(parsing: read.data())
      XCTAssertTrue(expected.differences(in: written).isEmpty, other)
    }
  }

  func testOfAFileInAnotherLayoutTheMistakeIsNamedInTheWordsOfFoundation() {
    let other = file.replacing("<plist version=\"1.0\">", with: "<plist>")
    XCTAssertEqual(
      fault(Data(other.replacing("12</integer>", with: "</integer>").utf8)),
      "Encountered empty <integer> on line 6")
    XCTAssertEqual(
      fault(
        Data(
          other.replacing("<true/>", with: "<dict><key>CF$UID</key><integer>1</integer></dict>")
            .utf8)),
      #"the value of "window": a property list cannot hold it"#)
  }

  func testDataWithOddDigitsIsReadAsFoundationReadsIt() throws {
    for digits in [
      "", "QQ==", "QQ=J", "Q Q =\n=", "QQ", "Q", "=", "QUI=QUI=", "Q*Q==", "QUJD", "é",
    ] {
      let edited = Data(
        file.replacing("<real>0.5</real>", with: "<data>\(digits)</data>").utf8)
      let expected = try? PropertyListSerialization.propertyList(from: edited, format: nil)
      let read = try? PreferencesContents(parsing: edited)
      XCTAssertEqual(
        read?["ratio"]?.object as? Data, (expected as? [String: Any])?["ratio"] as? Data, digits)
    }
  }

  func testOfAKeyThatIsThereTwiceTheLastCounts() throws {
    let edited = file.replacing(
      "<key>ratio</key>\n\t<real>0.5", with: "<key>count</key>\n\t<integer>7"
    )
    .replacing("7</real>", with: "7</integer>")
    XCTAssertEqual(try PreferencesContents(parsing: Data(edited.utf8))["count"], .init(7))
  }

  func testAfterAMistakeBesideRareTextTheMistakeIsNamed() {
    let latin = file.replacing("UTF-8", with: "ISO-8859-1").replacing("Ada", with: "\u{E9}")
    let data = Data(latin.unicodeScalars.map { UInt8($0.value) })
    XCTAssertEqual(
      try PreferencesContents(parsing: data)["names"], .init(["\u{E9} & Bob", "Cleo"]))
    XCTAssertEqual(
      fault(Data(file.replacing("Ada", with: "\u{E9}").unicodeScalars.map { UInt8($0.value) })),
      "Unable to convert string to correct encoding")
  }

  func testTheFormatOfOpenStep() throws {
    XCTAssertEqual(
      try PreferencesContents(parsing: Data("{ count = 12; }".utf8))["count"], .init("12"))
    XCTAssertEqual(fault(Data("theme: dark".utf8)), "Unexpected character t at line 1")
  }

  func testAFileThatIsEmptyOrHoldsSomethingElseIsNamed() {
    XCTAssertEqual(fault(Data()), "it is empty")
    for (text, words) in [
      ("(1, 2)", "an array of 2 elements"), ("\n\nword", "the string \"word\""),
      ("\r\n <plist version=\"1.0\">\n\n<array/></plist>", "an array of 0 elements"),
      (
        "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist>\n<true/>\n</plist>",
        "the Boolean true"
      ),
    ] {
      XCTAssertEqual(fault(Data(text.utf8)), "it holds \(words), not a dictionary", text)
    }
  }

  func testADamagedBinaryListIsNamed() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": [7]], format: .binary, options: 0)
    // bplist00 D1 01 02 | 51 61 | A1 03 | 10 07
    XCTAssertEqual(Array(list[8..<17]), [0xD1, 1, 2, 0x51, 0x61, 0xA1, 3, 0x10, 7])
    let damage = "it is a damaged binary property list"
    // A reference to no object, no key, no dictionary, too many members, a key that is no ASCII, an unknown
    // kind of object, an object outside the list, and a wrong trailer.
    for (byte, value) in [
      (14, 9), (11, 0xA1), (8, 0x51), (8, 0xDE), (12, 0xFF), (15, 0xC0), (17, 200),
      (list.count - 1, 99),
    ] as [(Int, UInt8)] {
      var list = list
      list[byte] = value
      XCTAssertEqual(fault(list), damage, "\(byte)")
    }
    XCTAssertEqual(fault(list.prefix(20)), damage)
  }
}
