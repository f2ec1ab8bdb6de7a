import Foundation
import XCTest

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
    let mistakes: [(String, String, expected: String)] = [
      ("12</integer>", "abc</integer>", #"line 6: <integer> holds "abc""#),
      ("12</integer>", "</integer>", #"line 6: <integer> holds """#),
      ("12</integer>", "1.5</integer>", #"line 6: <integer> holds "1.5""#),
      ("12</integer>", "12<integer>", "line 6: <integer> is not closed"),
      ("12</integer>", "12</int>", "line 6: </int> stands where </integer> of line 6 is expected"),
      ("<integer>12", "<intege>12", "line 6: <intege> stands where a value is expected"),
      ("<integer>12</integer>", "12", #"line 6: "12" stands where a value is expected"#),
      ("<integer>12</integer>", "", #"line 5: the key "count" has no value"#),
      ("<key>names</key>", "", "line 8: <array> stands where a <key> is expected"),
      ("<key>names", "names", #"line 7: "names" stands where a <key> is expected"#),
      ("names</key>", "names", "line 7: <key> is not closed"),
      ("\t</array>\n", "", "line 11: <key> stands where a value is expected"),
      ("<array>", "<string>", "line 8: <string> is not closed"),
      ("&amp;", "&", #"line 9: "& Bob" is no entity: write & as &amp;"#),
      ("&amp;", "&nbsp;", #"line 9: "&nbsp" is no entity: write & as &amp;"#),
      ("0.5", "0,5", #"line 13: <real> holds "0,5""#),
      ("2026-01-31T12:00:00Z", "31.1.2026", #"line 15: <date> holds "31.1.2026""#),
      ("<true/>", "<True/>", "line 19: <True/> stands where a value is expected"),
      ("<true/>", "<true>yes</true>", #"line 19: <true> holds "yes""#),
      ("\t</dict>\n", "", "line 21: </plist> stands where </dict> of line 4 is expected"),
      (
        "</dict>\n</plist>", "</dict>\n</dict>\n</plist>",
        "line 22: </dict> stands where </plist> is expected"
      ),
      ("</dict>\n</plist>", "", "line 4: <dict> is not closed"),
      ("<dict>", "<array>", "Close tag on line 21 does not match open tag array"),
      ("<key>count", "<!-- old <key>count", "line 5: the comment has no end"),
      (
        "<key>open</key>", "<key>CF$UID</key><integer>1</integer>",
        "line 19: <true/> stands where a <key> is expected"
      ),
      (
        "<key>open</key>\n\t\t<true/>", "<key>CF$UID</key><integer>1</integer>",
        "line 17: a property list cannot hold the dictionary key CF$UID"
      ),
    ]
    for (text, mistake, expected) in mistakes {
      let range = try XCTUnwrap(file.range(of: text), text)
      let edited = file.replacingCharacters(in: range, with: mistake)
      XCTAssertEqual(fault(Data(edited.utf8)), expected, mistake)
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
      var read = try PreferencesContents(parsing: Data(edited.utf8))
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
      "line 9: the text is not UTF-8")
  }

  func testTheFormatOfOpenStep() throws {
    XCTAssertEqual(
      try PreferencesContents(parsing: Data("{ count = 12; }".utf8))["count"], .init("12"))
    XCTAssertEqual(fault(Data("{ a = 1;\n b = 2\n c = 3; }".utf8)), "Missing ';' on line 3")
    XCTAssertEqual(
      fault(Data("theme: dark".utf8)), "Expected ';' or '=' after key at line 1")
    XCTAssertEqual(fault(Data("(1, 2)".utf8)), "the list is no dictionary")
    XCTAssertEqual(fault(Data()), "Cannot parse a NULL or zero-length data")
  }

  func testAFaultOfABinaryListIsNamedWithItsByte() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": [7]], format: .binary, options: 0)
    // bplist00 D1 01 02 | 51 61 | A1 03 | 10 07
    XCTAssertEqual(Array(list[8..<17]), [0xD1, 1, 2, 0x51, 0x61, 0xA1, 3, 0x10, 7])
    func fault(_ byte: Int, _ value: UInt8) -> String {
      var list = list
      list[byte] = value
      return self.fault(list)
    }
    XCTAssertEqual(fault(14, 9), "byte 14: this refers to an object that is not there")
    XCTAssertEqual(fault(11, 0xA1), "byte 11: a string is expected")
    XCTAssertEqual(fault(8, 0x51), "byte 8: a dictionary is expected")
    XCTAssertEqual(fault(8, 0xDE), "byte 8: the object is longer than the list")
    XCTAssertEqual(fault(12, 0xFF), "byte 11: the text is no ASCII")
    XCTAssertEqual(fault(15, 0x80), "byte 15: the object is of a kind that no setting has")
    XCTAssertEqual(fault(17, 200), "byte 17: an object lies outside the list")
    XCTAssertEqual(fault(list.count - 1, 99), "byte \(list.count - 32): the trailer is wrong")
    XCTAssertEqual(
      self.fault(list.prefix(20)), "byte 0: this is no binary property list of a known version")
  }
}
