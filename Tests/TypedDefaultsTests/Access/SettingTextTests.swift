import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private enum Theme: String, CaseIterable, UserDefaultsSerializable { case system, light, dark }

private struct Window: Codable, Equatable, UserDefaultsSerializable {
  var width: Int
  var height: Int
}

private struct Settings: SettingsGroup {
  @WrappedDefault("flag") var flag = true
  @WrappedDefault("count") var count = 4
  @WrappedDefault("byte") var byte: UInt8 = 1
  @WrappedDefault("ratio") var ratio: Float = 1.1
  @WrappedDefault("name") var name = ""
  @WrappedDefault("theme") var theme = Theme.system
  @WrappedDefault("date") var date = Date(timeIntervalSince1970: 0)
  @WrappedDefault("site") var site = URL(string: "https://example.com/a?b=c")!
  @WrappedDefault("file") var file = URL(filePath: "/etc/hosts")
  @WrappedDefault("data") var data = Data([1, 2, 255])
  @WrappedDefault("numbers") var numbers = [1, 2]
  @WrappedDefault("sites") var sites = [URL(string: "https://example.com")!]
  @WrappedDefault("dates") var dates = [Date(timeIntervalSince1970: 0.5)]
  @WrappedDefault("levels") var levels = ["b": 2.5, "a": 1]
  @WrappedDefault("range") var range = 3..<9
  @WrappedDefault("window") var window = Window(width: 800, height: 600)
  @WrappedDefault("windows") var windows = [Window(width: 1, height: 2)]
  @WrappedDefaultOptional("nickname") var nickname: String?
}

final class SettingTextTests: XCTestCase {
  private let settings = Settings(in: .inMemory())

  func testATextIsWhatAPersonWouldType() {
    let texts = settings.settings.map { $0.text }
    XCTAssertEqual(
      texts,
      [
        "true", "4", "1", "1.1", "", "system", "1970-01-01T00:00:00Z", "https://example.com/a?b=c",
        "/etc/hosts", "<0102ff>", "[1,2]", #"["https://example.com"]"#,
        #"["1970-01-01T00:00:00.5Z"]"#, #"{"a":1.0,"b":2.5}"#, "[3,9]",
        #"{"height":600,"width":800}"#, #"[{"height":2,"width":1}]"#, nil,
      ])
    XCTAssertEqual(settings.settings.map { $0.defaultText }, texts)
  }

  func testASettingIsPrintedAsItsKeyAndItsValue() {
    settings.count = 5
    XCTAssertEqual("\(settings.$count)", "count = 5")
    XCTAssertEqual("\(settings.$nickname)", "nickname = nil")
    settings.nickname = "Zoë"
    XCTAssertEqual(
      settings.settings.filter(\.isStored).map { "\($0)" }, ["count = 5", "nickname = Zoë"])
  }

  func testTheTextOfAValueOfEveryTypeIsThatValueAgain() throws {
    let home = try TemporaryFolder()
    // With the first seed Foundation once wrote of a string that it could not parse. The other one is named by
    // a failure, to be repeated.
    try sideBySide([(2, 1700), (Int.random(in: 0...9999), 850)]) { seed, count in
      let result = try ChildProcess.run("texts", "\(seed)", "\(count)", in: home)
      XCTAssertEqual(result.errors, "", "seed \(seed)")
      XCTAssertEqual(result.output.count, 1, "seed \(seed): \(result.output.prefix(5))")
      XCTAssertEqual(result.output.last?.hasSuffix(" tried"), true)
    }
  }

  func testWhatALaunchArgumentTakesIsTaken() throws {
    try settings.$flag.set(text: "NO")
    XCTAssertFalse(settings.flag)
    try settings.$count.set(text: "\"-5\"")
    XCTAssertEqual(settings.count, -5)
    try settings.$numbers.set(text: "(3, 4)")
    XCTAssertEqual(settings.numbers, [3, 4])
    try settings.$numbers.set(text: " [5, 6] ")
    XCTAssertEqual(settings.numbers, [5, 6])
    try settings.$levels.set(text: "{c = 7;}")
    XCTAssertEqual(settings.levels, ["c": 7])
    try settings.$range.set(text: "(1, 2)")
    XCTAssertEqual(settings.range, 1..<2)
    try settings.$date.set(text: "2026-01-31")
    XCTAssertEqual(settings.date, Date(timeIntervalSince1970: 1_769_817_600))
    try settings.$window.set(text: #"{"width": 1, "height": 2}"#)
    XCTAssertEqual(settings.window, Window(width: 1, height: 2))
    try settings.$sites.set(text: "(\"https://swift.org\")")
    XCTAssertEqual(settings.sites, [URL(string: "https://swift.org")!])
    try settings.$nickname.set(text: "")
    XCTAssertEqual(settings.nickname, "")
  }

  func testTheWordsOfTheRawAccessorAreBooleans() throws {
    let words = ["y", "yes", "t", "true", "1", "n", "no", "f", "false", "0"]
    let suite = try makeSuite()
    for word in words + words.map(\.localizedUppercase) + words.map(\.localizedCapitalized) {
      settings.$flag.reset()
      try settings.$flag.set(text: word)
      suite.setVolatileDomain(["flag": word], forName: UserDefaults.argumentDomain)
      let argument = WrappedDefaultOptional<Bool>("flag", userDefaults: suite)
      XCTAssertEqual(argument.wrappedValue, suite.bool(forKey: "flag"), word)
      XCTAssertEqual(settings.flag, suite.bool(forKey: "flag"), word)
    }
  }

  func testTheTextOfAFloatingPointNumberIsItsShortest() throws {
    struct Numbers: SettingsGroup {
      @WrappedDefault("float") var float = Float(0)
      @WrappedDefault("double") var double = 0.0
      @WrappedDefault("length") var length = CGFloat(0)
      @WrappedDefault("floats") var floats = ["a": [Float(0)]]
    }
    let numbers = Numbers(in: .inMemory())
    for text in ["1.1", "0.1", "3.4028235e+38", "1e-45", "-0.3", "inf", "nan"] {
      try numbers.$float.set(text: text)
      try numbers.$floats.set(text: #"{"a":["\#(text)"]}"#)
      try numbers.$double.set(text: text)
      try numbers.$length.set(text: text)
      XCTAssertEqual(numbers.$float.text, text)
      XCTAssertEqual(numbers.$floats.text, "{\"a\":[\(text.contains("n") ? "\"\(text)\"" : text)]}")
      XCTAssertEqual(numbers.$double.text, text)
      XCTAssertEqual(numbers.$length.text, text)
    }
    // A text with such bits could not be read.
    numbers.float = Float(nan: 5, signaling: true)
    numbers.double = -Double(nan: 0x3_7543_7d35_d905, signaling: true)
    numbers.length = CGFloat(Double(nan: 0x3_7543_7d35_d905, signaling: true))
    for number in numbers.settings.dropLast() { XCTAssertEqual(number.text, "nan") }
    for text in ["1.1000000000000003", "1.100000023841858", "16777217.0", "5e-324"] {
      try numbers.$double.set(text: text)
      XCTAssertEqual(numbers.$double.text, text)
    }
  }

  func testNoDigitOfANumberInsideAListIsLost() throws {
    struct Price: Codable, UserDefaultsSerializable { var amount: Decimal }
    let prices = WrappedDefault(wrappedValue: [Price](), "prices", userDefaults: .inMemory())
    let text = #"[{"amount":0.1234567890123456789012345}]"#
    try prices.set(text: text)
    XCTAssertEqual(prices.wrappedValue[0].amount, Decimal(string: "0.1234567890123456789012345"))
    XCTAssertEqual(prices.text, text)
  }

  func testATextThatMeansNoValueIsRefusedAndNothingChanges() {
    func message(_ setting: some DeclaredSetting, _ text: String) -> String {
      do {
        try setting.set(text: text)
        return "taken"
      } catch {
        let issue = error as? DefaultsIssue
        XCTAssertEqual(issue?.kind, .undecodableValue)
        XCTAssertEqual(issue?.key, setting.key)
        return "\(error)"
      }
    }
    XCTAssertEqual(
      message(settings.$theme, "purple"),
      #"invalid value "purple" for theme; expected one of: system, light, dark"#)
    XCTAssertEqual(
      message(settings.$flag, "perhaps"),
      #"invalid value "perhaps" for flag; expected true or false"#)
    XCTAssertEqual(
      message(settings.$byte, "256"),
      #"invalid value "256" for byte; expected an integer from 0 to 255"#)
    XCTAssertEqual(
      message(settings.$ratio, "much"), #"invalid value "much" for ratio; expected a number"#)
    XCTAssertEqual(
      message(settings.$date, "tomorrow"),
      #"invalid value "tomorrow" for date; expected a date, such as 2026-01-31T12:00:00Z"#)
    XCTAssertEqual(
      message(settings.$data, "zz"),
      #"invalid value "zz" for data; expected data, such as <0102ff>"#)
    XCTAssertEqual(
      message(settings.$numbers, "(1, x)"),
      #"invalid value "(1, x)" for numbers; expected a list in brackets, each an integer"#)
    XCTAssertEqual(
      message(settings.$numbers, "1, 2"),
      #"invalid value "1, 2" for numbers; expected a list in brackets, each an integer"#)
    XCTAssertEqual(
      message(settings.$windows, #"[{"width":1,"height":2},{"width":1}]"#),
      #"invalid value "[{\"width\":1,\"height\""… for windows; expected a list in brackets, "#
        + "each JSON of Window")
    XCTAssertEqual(
      message(settings.$sites, #"["https://[", "/a"]"#),
      #"invalid value "[\"https://[\", \"/a\"]" for sites; expected a list in brackets, "#
        + "each a URL, such as https://example.com/ or /path")
    XCTAssertEqual(
      message(settings.$window, #"{"width":1}"#),
      #"invalid value "{\"width\":1}" for window; height is missing"#)
    XCTAssertEqual(
      message(settings.$window, "wide"),
      #"invalid value "wide" for window; expected JSON of Window"#)
    for setting in settings.settings { XCTAssertFalse(setting.isStored, setting.key) }
  }

  func testAnEnvironmentVariableIsReadAsTextIs() throws {
    setenv("SETTING_TEXT_TESTS", "[7, 8]", 1)
    addTeardownBlock { unsetenv("SETTING_TEXT_TESTS") }
    let numbers = WrappedDefault(
      wrappedValue: [0], "numbers", environment: "SETTING_TEXT_TESTS", userDefaults: try makeSuite()
    )
    XCTAssertEqual(numbers.wrappedValue, [7, 8])
    XCTAssertEqual(numbers.source, .environment)
    XCTAssertEqual(numbers.text, "[7,8]")
  }

  func testAnArgumentWinsOverAVariableAndAVariableOverWhatIsStored() throws {
    setenv("SETTING_TEXT_TESTS", "2", 1)
    addTeardownBlock { unsetenv("SETTING_TEXT_TESTS") }
    let suite = try makeSuite()
    let count = WrappedDefault(
      wrappedValue: 0, "count", environment: "SETTING_TEXT_TESTS", userDefaults: suite)
    count.wrappedValue = 1
    XCTAssertEqual(count.wrappedValue, 2)
    suite.setVolatileDomain(["count": "3"], forName: UserDefaults.argumentDomain)
    XCTAssertEqual(count.wrappedValue, 3)
    XCTAssertEqual(count.source, .launchArgument)
    XCTAssertEqual(
      WrappedDefault(wrappedValue: 0, "count", userDefaults: suite).isStored, true)
    count.reset()
  }
}
