import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private enum Theme: String, CaseIterable, UserDefaultsSerializable { case system, light, dark }

private struct Percentage: UserDefaultsSerializable, Comparable {
  let value: Int
  var storedValue: Int { value }
  init(_ value: Int) { self.value = value }
  init?(storedValue: Int) { value = storedValue }
  static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  static let expectation: String? = "a percentage"
}

private struct Settings: SettingsGroup {
  @WrappedDefault("volume", in: 0...10, formerly: "loudness", help: "How loud the music is.")
  var volume = 4
  @WrappedDefault("theme", help: "") var theme = Theme.system
  @WrappedDefaultOptional("name", environment: "NAME", help: "Who listens.") var name: String?
  @WrappedDefaultOptional("limit", in: 1..., help: "The most songs.") var limit: Int?
}

/// What a setting says of itself.
final class SettingDescriptionTests: XCTestCase {
  func testHelpIsTheSentenceOfTheDeclaration() {
    let settings = Settings(in: .inMemory())
    XCTAssertEqual(
      settings.settings.map(\.help),
      ["How loud the music is.", nil, "Who listens.", "The most songs."])
    XCTAssertEqual(settings.$volume.description, "volume = 4")
  }

  func testBoundsAreThoseThatTheExpectationNames() {
    func assert<T: UserDefaultsSerializable & Comparable>(
      _ range: some RangeExpression<T> & Sendable, _ value: T, _ lower: String?, _ upper: String?,
      line: UInt = #line
    ) {
      let setting = WrappedDefault(wrappedValue: value, "key", in: range, userDefaults: .inMemory())
      XCTAssertEqual(setting.lowerBound, lower, line: line)
      XCTAssertEqual(setting.upperBound, upper, line: line)
      for bound in [lower, upper].compactMap(\.self)
      where !(range is Range<T> || range is PartialRangeUpTo<T>) {
        XCTAssertTrue(setting.expectation.contains(bound), setting.expectation, line: line)
      }
    }
    func assert<T: UserDefaultsSerializable>(
      _ value: T, _ lower: String?, _ upper: String?, line: UInt = #line
    ) {
      let setting = WrappedDefault(wrappedValue: value, "key", userDefaults: .inMemory())
      XCTAssertEqual(setting.lowerBound, lower, line: line)
      XCTAssertEqual(setting.upperBound, upper, line: line)
    }
    assert(0...10, 4, "0", "10")
    assert(0..<10, 4, "0", "9")
    assert(Int.min..<Int.min + 1, Int.min, "\(Int.min)", "\(Int.min)")
    assert(0..<0, 0, "0", nil)
    assert(..<10, 4, nil, "9")
    assert(...10, 4, nil, "10")
    assert(1..., 4, "1", nil)
    assert(5..., UInt8(7), "5", "255")
    assert(..<100, UInt8(7), "0", "99")
    assert(0.0..<1, 0.5, "0.0", nil)
    assert(0.0...1, 0.5, "0.0", "1.0")
    assert(Percentage(0)...Percentage(100), Percentage(5), "0", "100")
    assert(Date(timeIntervalSince1970: 0)..., .now, "1970-01-01T00:00:00Z", nil)
    assert(UInt8(1), "0", "255")
    assert(1, nil, nil)
    assert(true, nil, nil)
    assert(Theme.dark, nil, nil)
    assert("text", nil, nil)
  }

  func testTheIssueIsThatOfTheUppermostObjectAndIsNotReported() throws {
    let issues = recordIssues()
    for store in try makeStores() {
      let settings = Settings(in: store)
      XCTAssertEqual(settings.settings.compactMap(\.issue).count, 0, "\(store)")
      store.set("loud", forKey: "volume")
      store.set(0, forKey: "limit")
      XCTAssertEqual(settings.settings.compactMap(\.issue).map(\.key), ["volume", "limit"])
      let issue = try XCTUnwrap(settings.$volume.issue)
      XCTAssertEqual(issue.kind, .undecodableValue)
      XCTAssertTrue(issue.description.contains("\"loud\""), issue.description)
      XCTAssertEqual(issues.take().count, 0, "\(store)")
      XCTAssertEqual(settings.volume, 4)
      XCTAssertEqual(issues.take().map(\.description), [issue.description])
      store.setVolatileDomain(["volume": "3"], forName: UserDefaults.argumentDomain)
      XCTAssertNil(settings.$volume.issue, "a readable argument is above it")
      store.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      settings.volume = 5
      settings.$limit.reset()
      XCTAssertEqual(settings.settings.compactMap(\.issue).count, 0, "\(store)")
      settings.resetAll()
      _ = issues.take()
    }
  }

  func testASettingIsFoundByItsKeyWithThePrefixOrWithoutIt() {
    let settings = Settings(in: .inMemory(), prefix: "a/")
    XCTAssertEqual(settings["a/volume"]?.key, "a/volume")
    XCTAssertEqual(settings["volume"]?.key, "a/volume")
    XCTAssertNil(settings["loudness"])
    XCTAssertNil(settings[""])
  }

  func testAnAdministratorsValuesCanBeGivenToAStoreInMemory() {
    let store = UserDefaults.inMemory(
      ["volume": 7], managed: ["volume": 3], system: ["name": "Zoë", "limit": 0])
    let settings = Settings(in: store)
    XCTAssertEqual(settings.volume, 3)
    XCTAssertEqual(settings.$volume.source, .managed)
    settings.volume = 8
    XCTAssertEqual(settings.volume, 3)
    XCTAssertEqual(store.storedValue(for: "volume" as UserDefaults.Key<Int>), 8)
    XCTAssertEqual(settings.name, "Zoë")
    XCTAssertEqual(settings.$name.source, .system)
    settings.name = "Ann"
    XCTAssertEqual(settings.name, "Ann")
    XCTAssertTrue(settings.$limit.issue?.description.contains("system") ?? false)
  }
}
