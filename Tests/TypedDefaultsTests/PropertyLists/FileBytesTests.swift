import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// The bytes of files, whoever writes the property lists: each version writes the same, and reads what
/// the others have written.
final class FileBytesTests: XCTestCase {
  private static let reference = Date(timeIntervalSinceReferenceDate: 0)

  /// What XML gives back.
  private let settings: [String: Any] = [
    "": "", "a<&>\"'": "<&>\"'\r\n\té\u{1F600} a\u{FEFF}b\u{FFFD}",
    "bools": [true, false], "data": Data(),
    "dates": [
      Date(timeIntervalSinceReferenceDate: -1e15), Date(timeIntervalSinceReferenceDate: -5e9),
      Date(timeIntervalSinceReferenceDate: -0.25), reference,
      Date(timeIntervalSinceReferenceDate: 1e15),
    ],
    "empty": [[Any](), [String: Any]()] as [Any],
    "integers": [0, -1, Int.min, Int.max, UInt64.max] as [Any],
    "lines": Data((0..<200).map { UInt8($0) }),
    "nested": [["a": ["b": ["c": [["d": ["e": Data((0..<60).map { UInt8($0) })]]]]]]],
    "reals": [
      0.0, -0.0, 1.0, 0.1, 1e300, 1e-300, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude, .infinity, -.infinity, .nan, 1e15, 123456789.125,
    ] as [Double],
    "é": ["é", "z", ["z": 1, "é": 2]] as [Any],
  ]

  /// What it does not.
  private let texts = [
    "\u{0}", "a\u{1}b\u{1F}", "\u{FFFE}", "é\u{FFFF}", "\u{FEFF}", "\u{FEFF}<a>",
    "\u{FEFF}\u{FEFF}",
  ]

  private func contents(_ settings: [String: Any]) throws -> PreferencesContents {
    var contents = PreferencesContents()
    for (key, object) in settings { try contents.set(PropertyListObject(object), for: key) }
    return contents
  }

  private func assert(
    _ file: Data, holds settings: [String: Any], line: UInt = #line
  ) throws {
    let contents = try contents(settings)
    let read = try PreferencesContents(parsing: file)
    XCTAssertEqual(contents.differences(in: read).keys.sorted(), [], line: line)
    // And to Foundation.
    let parsed = try XCTUnwrap(
      PropertyListSerialization.propertyList(from: file, format: nil) as? [String: Any])
    XCTAssertEqual(Set(parsed.keys), Set(settings.keys), line: line)
    for (key, object) in parsed {
      XCTAssertEqual(contents[key], PropertyListObject(object), key, line: line)
    }
  }

  func testTheBytesOfAFileStayAsTheyAre() throws {
    let contents = try contents(settings)
    let data = try contents.data()
    XCTAssertEqual(String(decoding: data, as: UTF8.self), Self.xml)
    try assert(data, holds: settings)
  }

  func testAFileOfADeepObjectIsAsTheFourthVersionHasWrittenIt() throws {
    for levels in [1, 64, 65, 100, 511] {
      let contents = try contents(["count": 4, "deep": DeepFile.object(levels: levels)])
      XCTAssertEqual(try contents.data(), DeepFile.data(levels: levels), "\(levels)")
    }
  }

  func testWhatXMLDoesNotGiveBackIsReadAsItWas() throws {
    for text in texts {
      for settings in [
        ["text": text], ["list": [["map": [text]]]], ["map": [text: 1]], [text: 1],
      ] as [[String: Any]] {
        let contents = try contents(self.settings.merging(settings) { $1 })
        try assert(try contents.data(), holds: self.settings.merging(settings) { $1 })
      }
    }
  }

  func testWhatTheFourthVersionHasWrittenIsRead() throws {
    let binary = try XCTUnwrap(
      Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters))
    let special: [String: Any] = [
      "dates": settings["dates"]!, "empty": settings["empty"]!,
      "numbers": [-0.0, 0.1, UInt64.max, Int.min, true] as [Any], "texts": Array(texts.prefix(4)),
    ]
    try assert(binary, holds: special)
    // It began such a text with two marks, of which a parser drops one.
    try assert(
      Data(
        """
        <plist version="1.0">
        <dict>
        \t<key>\u{FEFF}\u{FEFF}key</key>
        \t<array>
        \t\t<string>\u{FEFF}\u{FEFF}</string>
        \t\t<string>\u{FEFF}\u{FEFF}&lt;a&gt;</string>
        \t</array>
        </dict>
        </plist>
        """.utf8), holds: ["\u{FEFF}key": ["\u{FEFF}", "\u{FEFF}<a>"]])
  }

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key></key>
    	<string></string>
    	<key>a&lt;&amp;&gt;"'</key>
    	<string>&lt;&amp;&gt;"'\r
    	é😀 a\u{FEFF}b\u{FFFD}</string>
    	<key>bools</key>
    	<array>
    		<true/>
    		<false/>
    	</array>
    	<key>data</key>
    	<data>
    	</data>
    	<key>dates</key>
    	<array>
    		<date>-31686738-06-29T22:13:20Z</date>
    		<date>1842-07-23T15:06:40Z</date>
    		<date>2000-12-31T23:59:59Z</date>
    		<date>2001-01-01T00:00:00Z</date>
    		<date>31690739-07-06T01:46:40Z</date>
    	</array>
    	<key>empty</key>
    	<array>
    		<array/>
    		<dict/>
    	</array>
    	<key>integers</key>
    	<array>
    		<integer>0</integer>
    		<integer>-1</integer>
    		<integer>-9223372036854775808</integer>
    		<integer>9223372036854775807</integer>
    		<integer>18446744073709551615</integer>
    	</array>
    	<key>lines</key>
    	<data>
    	AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEy
    	MzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2Rl
    	ZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeY
    	mZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsc=
    	</data>
    	<key>nested</key>
    	<array>
    		<dict>
    			<key>a</key>
    			<dict>
    				<key>b</key>
    				<dict>
    					<key>c</key>
    					<array>
    						<dict>
    							<key>d</key>
    							<dict>
    								<key>e</key>
    								<data>
    								AAECAwQFBgcI
    								CQoLDA0ODxAR
    								EhMUFRYXGBka
    								GxwdHh8gISIj
    								JCUmJygpKiss
    								LS4vMDEyMzQ1
    								Njc4OTo7
    								</data>
    							</dict>
    						</dict>
    					</array>
    				</dict>
    			</dict>
    		</dict>
    	</array>
    	<key>reals</key>
    	<array>
    		<real>0.0</real>
    		<real>0.0</real>
    		<real>1</real>
    		<real>0.10000000000000001</real>
    		<real>1.0000000000000001e+300</real>
    		<real>1e-300</real>
    		<real>1.7976931348623157e+308</real>
    		<real>4.9406564584124654e-324</real>
    		<real>2.2250738585072014e-308</real>
    		<real>+infinity</real>
    		<real>-infinity</real>
    		<real>nan</real>
    		<real>1000000000000000</real>
    		<real>123456789.125</real>
    	</array>
    	<key>é</key>
    	<array>
    		<string>é</string>
    		<string>z</string>
    		<dict>
    			<key>z</key>
    			<integer>1</integer>
    			<key>é</key>
    			<integer>2</integer>
    		</dict>
    	</array>
    </dict>
    </plist>

    """

  private static let binary = """
    YnBsaXN0MDBVZGF0ZXNVZW1wdHlXbnVtYmVyc1V0ZXh0czPDDGv1JjQAADPB8qBfIAAAADO/8AAAAAAAADMAAAAAAAAA
    ADNDDGv1JjQAAKUAAAAEAAAABQAAAAYAAAAHAAAACKDQogAAAAoAAAALI4AAAAAAAAAAIz+5mZmZmZmaFAAAAAAAAAAA
    //////////8TgAAAAAAAAAAJpQAAAA0AAAAOAAAADwAAABAAAAARUQBUYQFiH2H//mIA6f//pAAAABMAAAAUAAAAFQAA
    ABbUAAAAAAAAAAEAAAACAAAAAwAAAAkAAAAMAAAAEgAAABcAAAAAAAAACAAAAAAAAAAOAAAAAAAAABQAAAAAAAAAHAAA
    AAAAAAAiAAAAAAAAACsAAAAAAAAANAAAAAAAAAA9AAAAAAAAAEYAAAAAAAAATwAAAAAAAABkAAAAAAAAAGUAAAAAAAAA
    ZgAAAAAAAABvAAAAAAAAAHgAAAAAAAAAgQAAAAAAAACSAAAAAAAAAJsAAAAAAAAAnAAAAAAAAACxAAAAAAAAALMAAAAA
    AAAAuAAAAAAAAAC7AAAAAAAAAMAAAAAAAAAA0QAAAAAAAAgEAAAAAAAAABkAAAAAAAAAGAAAAAAAAADy
    """
}
