import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// The text of a duration that a person types.
final class DurationTests: XCTestCase {
  private struct Settings: SettingsGroup {
    @WrappedDefault("refresh", in: .milliseconds(1)...(.seconds(1_000_000)))
    var refresh = Duration.seconds(600)
    @WrappedDefaultOptional("any") var any: Duration?
    @WrappedDefaultOptional("list") var list: [Duration]?
  }

  private let texts: [(String, Duration)] = [
    ("90", .seconds(90)), ("1.5", .milliseconds(1500)), ("30m", .seconds(1800)),
    ("1h30m", .seconds(5400)), ("14d", .seconds(1_209_600)), ("250ms", .milliseconds(250)),
    ("1.5h", .seconds(5400)), ("0.5d", .seconds(43_200)), ("90s", .seconds(90)),
    ("2m500ms", .milliseconds(120_500)), ("1d2h3m4s5ms", .milliseconds(93_784_005)),
    ("1.5h0.5m", .seconds(5430)), ("100m", .seconds(6000)), ("-1h30m", .seconds(-5400)),
    ("+5s", .seconds(5)), ("0.000001ms", .nanoseconds(1)),
    ("0.000000000000000001d", .init(secondsComponent: 0, attosecondsComponent: 86_400)),
    ("200.000000000000000001", .init(secondsComponent: 200, attosecondsComponent: 1)),
  ]

  func testAPersonTypesUnits() throws {
    let settings = Settings(in: .inMemory())
    for (text, duration) in texts {
      try settings.$any.set(text: text)
      XCTAssertEqual(settings.any, duration, text)
      // It is stored and printed as before.
      let seconds = try XCTUnwrap(settings.$any.text)
      XCTAssertTrue(seconds.allSatisfy { "-.0123456789".contains($0) }, seconds)
      try settings.$any.set(text: seconds)
      XCTAssertEqual(settings.any, duration, text)
    }
    try settings.$any.set(text: "1h30m")
    XCTAssertEqual(settings.$any.text, "5400")
    try settings.$list.set(text: #"["1h", "5"]"#)
    XCTAssertEqual(settings.list, [.seconds(3600), .seconds(5)])
  }

  func testTheEndsOfTheTypeAreRead() throws {
    let settings = Settings(in: .inMemory())
    for text in [
      "-170141183460469231731.687303715884105728", "170141183460469231731.687303715884105727",
    ] {
      try settings.$any.set(text: text)
      XCTAssertEqual(settings.$any.text, text)
    }
  }

  func testAnythingElseIsNoDuration() {
    let settings = Settings(in: .inMemory())
    for text in [
      "", "m", "1h30", "30m1h", "1m2m", "5 m", "5m ", " 5m", "1x", "1H", "1sec", "1mss", "1h-30m",
      "1..5h", ".5h", "1.h", "--1h", "1e3", "1h1.", "\u{661}h", "0.0000000000000001ms",
      "0.0000000000000000001s", "170141183460469231732", "2000000000000000000d",
      "99999999999999999999999999999999999999999d", "1d170141183460469231731s",
    ] {
      XCTAssertThrowsError(try settings.$any.set(text: text), text) {
        XCTAssertTrue(
          "\($0)".hasSuffix("for any; expected a duration, such as 90, 1.5 or 1h30m"), "\($0)")
      }
    }
    XCTAssertThrowsError(try settings.$refresh.set(text: "14d")) {
      XCTAssertEqual(
        "\($0)", #"invalid value "14d" for refresh; expected a duration from 0.001 to 1000000"#)
    }
  }

  func testArgumentsVariablesAndImportsReadIt() throws {
    setenv("DURATION_TESTS", "250ms", 1)
    addTeardownBlock { unsetenv("DURATION_TESTS") }
    for store in try makeStores() {
      store.setVolatileDomain(["any": "1h30m"], forName: UserDefaults.argumentDomain)
      let settings = Settings(in: store)
      XCTAssertEqual(settings.any, .seconds(5400), "\(store)")
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["refresh": "30m"], format: .xml, options: 0)
      try settings.importData(data)
      XCTAssertEqual(settings.refresh, .seconds(1800), "\(store)")
      XCTAssertEqual(store.string(forKey: "refresh"), "1800", "\(store)")
      store.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
    }
    let variable = WrappedDefault(
      wrappedValue: Duration.zero, "variable", environment: "DURATION_TESTS",
      userDefaults: try makeSuite())
    XCTAssertEqual(variable.wrappedValue, .milliseconds(250))
  }
}
