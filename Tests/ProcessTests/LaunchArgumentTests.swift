import XCTest

@testable import TestSupport

final class LaunchArgumentTests: XCTestCase {
  func testALaunchArgumentOverridesASettingOfAnyType() throws {
    let home = try TemporaryFolder()
    let arguments = [
      "-flag", "NO", "-count", "\"-42\"", "-byte", "255", "-big", "18446744073709551615",
      "-ratio", "1e3", "-float", "1.1", "-decimal", "0.1", "-name", "Zoë", "-data", "<0102ff>",
      "-date", "2026-01-31T12:00:00Z", "-url", "https://swift.org/a?b=c",
      "-uuid", "00000000-0000-0000-0000-000000000001", "-zone", "Europe/Paris", "-locale", "pt_BR",
      "-range", "(3, 9)", "-theme", "dark", "-themes", "(dark, light)", "-numbers", "(1, 2, 3)",
      "-levels", "{b = 7;}", "-user", #"{"name": "Ann"}"#, "-nickname", "Z",
    ]
    let result = try ChildProcess(["arguments"] + arguments, in: home).wait()
    XCTAssertEqual(result.errors, "")
    XCTAssertEqual(
      result.output,
      [
        "flag false", "count -42", "byte 255", "big 18446744073709551615", "ratio 1000.0",
        "float 1.1", "decimal 0.1", "name Zoë", "data [1, 2, 255]", "date 1769860800.0",
        "url https://swift.org/a?b=c", "uuid 00000000-0000-0000-0000-000000000001",
        "zone Europe/Paris", "locale pt_BR", "range 3..<9", "theme dark",
        #"themes ["dark", "light"]"#,
        "numbers [1, 2, 3]", #"levels ["b": 7]"#, "user Ann", "nickname Z",
      ])
  }

  func testAnUnreadableArgumentIsReportedAndWhatIsStoredShows() throws {
    let home = try TemporaryFolder()
    let stored = try ChildProcess.run("arguments", "store", in: home)
    XCTAssertEqual(stored.errors, "")
    let result = try ChildProcess.run(
      "arguments", "-theme", "purple", "-count", "many", "-flag", "perhaps", "-numbers", "(1, x)",
      in: home)
    for line in ["theme dark", "count 7", "flag true", "numbers [0]", "nickname Zoë"] {
      XCTAssertTrue(result.output.contains(line), "\(line) is not in \(result.output)")
    }
    XCTAssertEqual(
      result.errors,
      [
        Unreadable.argument(
          "flag", as: "Bool", #"it is the string "perhaps"; expected true or false"#,
          returns: "its default, the Boolean true"),
        Unreadable.argument(
          "count", as: "Int", #"it is the string "many"; expected an integer"#,
          returns: "the number 7 (stored)"),
        Unreadable.argument(
          "theme", as: "Theme",
          #"it is the string "purple"; expected a value of Theme, as a string"#,
          returns: #"the string "dark" (stored)"#),
        Unreadable.argument(
          "numbers", as: "Array<Int>",
          "it is an array of 2 elements; expected a list in brackets, each an integer",
          returns: "its default, an array of 1 element"),
      ].map { "TypedDefaults: \($0)\n" }.joined())
  }

  func testAnUnreadableArgumentOverAnUnreadableValueIsReportedOnceLikeTheValue() throws {
    let home = try TemporaryFolder()
    let result = try ChildProcess.run("twice", "-volume", "loud", in: home)
    XCTAssertEqual(result.output, ["4", "4", "4"])
    XCTAssertEqual(
      result.errors,
      [
        Unreadable.argument(
          "volume", as: "Int", #"it is the string "loud"; expected an integer"#,
          returns: "its default, the number 4"),
        Unreadable.stored(
          "volume", as: "Int", #"it is the string "louder"; expected an integer"#,
          returns: "its default, the number 4"),
      ].map { "TypedDefaults: \($0)\n" }.joined())
  }

  func testAnArgumentWithoutAValueIsIgnored() throws {
    let home = try TemporaryFolder()
    let result = try ChildProcess.run(
      "arguments", "-count", "-5", "-theme", "dark", "--name", "-float=7", "-byte", "--", "-ratio",
      "-flag", in: home)
    for line in ["theme dark", "count 1", "flag true"] {
      XCTAssertTrue(result.output.contains(line), "\(line) is not in \(result.output)")
    }
    XCTAssertEqual(result.errors, "")
  }

  func testAnArgumentWinsOverWhatIsAssignedWhichIsStoredAllTheSame() throws {
    let home = try TemporaryFolder()
    let result = try ChildProcess.run("arguments", "store", "-count", "3", in: home)
    XCTAssertTrue(result.output.contains("count 3"))
    let next = try ChildProcess.run("arguments", in: home)
    XCTAssertTrue(next.output.contains("count 7"))
  }
}
