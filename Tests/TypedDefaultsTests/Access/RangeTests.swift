import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private enum Level: Int, CaseIterable, Comparable, UserDefaultsSerializable {
  case low = 1
  case middle, high
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A range of a kind that the library does not know, and that cannot be compared.
private struct Even: RangeExpression, Sendable, CustomStringConvertible {
  var description: String { "the even numbers" }
  func contains(_ element: Int) -> Bool { element.isMultiple(of: 2) }
  func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int { 0..<0 }
}

private struct Settings: SettingsGroup {
  @WrappedDefault("port", in: 1...65535) var port = 8080
  @WrappedDefaultOptional("limit", in: 1..., formerly: "bound") var limit: Int?
}

final class RangeTests: XCTestCase {
  func testAStoredValueOutOfRangeIsUndecodable() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let settings = Settings(in: store, prefix: "range.")
      store.set(1, forKey: "range.port")
      XCTAssertEqual(settings.port, 1, "\(store)")
      for wrong in [0, 70000, -1] {
        store.set(wrong, forKey: "range.port")
        XCTAssertEqual(settings.port, 8080, "\(store)")
        XCTAssertEqual(settings.port, 8080, "\(store)")
        XCTAssertTrue(settings.$port.isStored)
        XCTAssertEqual(settings.$port.source, .defaultValue)
        let issues = recorder.take()
        XCTAssertEqual(issues.map(\.kind), [.undecodableValue], "\(store)")
        XCTAssertEqual(
          issues.first?.description.replacing(#/ in [^ ]*\.plist/#, with: ""),
          Unreadable.stored(
            "range.port", as: "Int",
            "it is the number \(wrong); expected an integer from 1 to 65535",
            returns: "its default, the number 8080"))
      }
      store.set(65535, forKey: "range.port")
      XCTAssertEqual(settings.port, 65535, "\(store)")
      store.set("loud", forKey: "range.port")
      XCTAssertEqual(settings.port, 8080, "\(store)")
      XCTAssertEqual(
        recorder.take().first?.description.contains(
          #"it is the string "loud"; expected an integer from 1 to 65535."#), true, "\(store)")
      // A typed key cannot know the range.
      store.set(0, for: UserDefaults.Key<Int>("range.limit"))
      XCTAssertNil(settings.limit, "\(store)")
      XCTAssertEqual(recorder.take().map(\.key), ["range.limit"], "\(store)")
      settings.limit = 5
      XCTAssertEqual(store.integer(forKey: "range.limit.undecodable"), 0)
      XCTAssertEqual(settings.limit, 5, "\(store)")
      settings.resetAll()
    }
  }

  func testAnAssignedValueOutOfRangeIsReportedAndTheOldOneIsKept() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let settings = Settings(in: store, prefix: "range.")
      settings.port = 443
      let assignments: [() -> Void] = [
        { settings.port = 70000 },
        { settings.$port.withLock { $0 = 0 } },
        { settings.$port.withLock { $0 += 70000 } },
      ]
      for assign in assignments {
        assign()
        XCTAssertEqual(settings.port, 443, "\(store)")
        XCTAssertEqual(store.object(forKey: "range.port") as? Int, 443, "\(store)")
        XCTAssertEqual(recorder.take().map(\.kind), [.unencodableValue], "\(store)")
      }
      settings.limit = 0
      XCTAssertNil(settings.limit, "\(store)")
      XCTAssertFalse(settings.$limit.isStored, "\(store)")
      XCTAssertEqual(
        recorder.take().map(\.description),
        [
          """
          A value of type Int cannot be stored for "range.limit": it is the number 0; expected an \
          integer of at least 1. The old value is kept. Assign a value that can be stored.
          """
        ], "\(store)")
      settings.$limit.withLock { $0 = 7 }
      XCTAssertEqual(settings.limit, 7, "\(store)")
      XCTAssertEqual(recorder.take().count, 0)
      settings.resetAll()
    }
  }

  func testATextOutOfRangeIsRefused() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "range.")
      for text in ["70000", "0", "-1", "loud", "1.5"] {
        XCTAssertThrowsError(try settings.$port.set(text: text)) { error in
          XCTAssertEqual((error as? DefaultsIssue)?.kind, .undecodableValue)
          XCTAssertEqual(
            "\(error)",
            "invalid value \"\(text)\" for range.port; expected an integer from 1 to 65535")
        }
      }
      XCTAssertFalse(settings.$port.isStored, "\(store)")
      try settings.$port.set(text: "1")
      XCTAssertEqual(settings.port, 1, "\(store)")
      settings.resetAll()
    }
  }

  func testAnImportWithAValueOutOfRangeChangesNothing() throws {
    for store in try makeStoresAndSubclasses() {
      let settings = Settings(in: store, prefix: "range.")
      (settings.port, settings.limit) = (443, 3)
      for objects in [["range.port": 0, "range.limit": 4], ["range.port": 5, "range.bound": 0]] {
        let data = try PropertyListSerialization.data(
          fromPropertyList: objects, format: .xml, options: 0)
        XCTAssertThrowsError(try settings.importData(data)) {
          XCTAssertTrue("\($0)".contains("it is the number 0; expected an integer"), "\($0)")
        }
        XCTAssertEqual(settings.port, 443, "\(store)")
        XCTAssertEqual(settings.limit, 3, "\(store)")
      }
      // What is out of range is exported as it is.
      store.set(0, forKey: "range.port")
      let exported = try PropertyListSerialization.propertyList(
        from: settings.exportData(), format: nil)
      XCTAssertEqual(
        exported as? NSDictionary,
        [
          "range.port": 0, "range.limit": 3,
          "TypedDefaults": ["prefix": "range.", "unreadable": ["range.port"]],
        ], "\(store)")
      settings.resetAll()
    }
  }

  func testAnArgumentAndAVariableOutOfRangeAreIgnoredAndReported() throws {
    let variable = "RANGE_TESTS_PORT"
    for text in ["70000", "443"] {
      setenv(variable, text, 1)
      defer { unsetenv(variable) }
      for store in [try makeSuite(), try makeSavedSuite()] {
        let recorder = recordIssues()
        let port = WrappedDefault(
          wrappedValue: 80, "port", in: 1...65535, environment: variable, userDefaults: store)
        port.wrappedValue = 8080
        XCTAssertEqual(port.wrappedValue, text == "443" ? 443 : 8080, "\(store)")
        XCTAssertEqual(port.source, text == "443" ? .environment : .stored, "\(store)")
        store.setVolatileDomain(["port": "0"], forName: UserDefaults.argumentDomain)
        XCTAssertEqual(port.wrappedValue, text == "443" ? 443 : 8080, "\(store)")
        let messages = recorder.take().map(\.description)
        XCTAssertEqual(messages.count, text == "443" ? 1 : 2, "\(store)")
        XCTAssertEqual(
          messages.last,
          Unreadable.argument(
            "port", as: "Int", #"it is the string "0"; expected an integer from 1 to 65535"#,
            returns: text == "443"
              ? #"the string "443" (environment)"# : "the number 8080 (stored)"))
        if text == "70000" {
          XCTAssertEqual(
            messages.first?.contains(
              """
              The environment variable RANGE_TESTS_PORT cannot be read as Int: it is the string \
              "70000"; expected an integer from 1 to 65535.
              """), true, "\(messages)")
        }
        store.setVolatileDomain(["port": "22"], forName: UserDefaults.argumentDomain)
        XCTAssertEqual(port.wrappedValue, 22, "\(store)")
        store.setVolatileDomain([:], forName: UserDefaults.argumentDomain)
        port.reset()
      }
    }
  }

  func testAChangeToAValueOutOfRangeIsHeardAsTheDefault() async throws {
    try await withDeadline {
      let store = UserDefaults.inMemory()
      let settings = Settings(in: store)
      var values = settings.$port.updates.makeAsyncIterator()
      var heard = [await values.next()]
      settings.port = 443
      heard.append(await values.next())
      store.set(0, forKey: "port")
      heard.append(await values.next())
      XCTAssertEqual(heard, [8080, 443, 8080])
    }
  }

  func testEachKindOfRangeAndEachComparableTypeIsTaken() throws {
    func assert<T: UserDefaultsSerializable & Comparable>(
      _ range: some RangeExpression<T> & Sendable, _ good: T, _ bad: T, line: UInt = #line
    ) {
      for store in [UserDefaults.inMemory(), PlainDefaults()] {
        let recorder = recordIssues()
        let setting = WrappedDefaultOptional<T>("key", in: range, userDefaults: store)
        setting.wrappedValue = good
        XCTAssertEqual(setting.wrappedValue, good, line: line)
        setting.wrappedValue = bad
        XCTAssertEqual(setting.wrappedValue, good, line: line)
        XCTAssertEqual(recorder.take().map(\.kind), [.unencodableValue], line: line)
        store.set(bad, for: UserDefaults.Key<T>("key"))
        XCTAssertNil(setting.wrappedValue, line: line)
        XCTAssertEqual(recorder.take().map(\.kind), [.undecodableValue], line: line)
      }
    }
    assert(0..<10, 9, 10)
    assert(1...10, 10, 11)
    assert(1..., 1, 0)
    assert(..<10, 9, 10)
    assert(...10, 10, 11)
    assert(Even(), 2, 3)
    assert(0.0...1.0, 0.5, .nan)
    assert(Decimal(0)...1, 1, 2)
    assert("a"..."f", "e", "g")
    assert(Level.middle..., .high, .low)
    let date = Date(timeIntervalSince1970: 0)
    assert(date..., date, date.addingTimeInterval(-1))
  }

  func testADefaultOutOfRangeIsReportedAtTheDeclaration() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let port = WrappedDefault(
        wrappedValue: 0, "badPort", in: 1...65535, userDefaults: store)
      XCTAssertEqual(
        recorder.take(atLeast: 1).map(\.description),
        [
          """
          The setting does not accept its default of "badPort", and returns it nevertheless: it is \
          the number 0; expected an integer from 1 to 65535. Declare another default.
          """
        ], "\(store)")
      XCTAssertEqual(port.wrappedValue, 0, "\(store)")
      XCTAssertEqual(recorder.take().count, 0, "\(store)")
    }
  }

  func testASettingSaysWhatItAcceptsItsChoicesAndItsVariable() {
    struct Settings: SettingsGroup {
      @WrappedDefault("port", in: 1...65535, environment: "PORT") var port = 80
      @WrappedDefault("flag") var flag = true
      @WrappedDefault("level") var level = Level.low
      @WrappedDefaultOptional("atLeast", in: Level.middle..., environment: "LEVEL") var level2:
        Level?
      @WrappedDefaultOptional("site") var site: URL?
      @WrappedDefault("numbers") var numbers = [1]
    }
    XCTAssertEqual(
      Settings(in: .inMemory()).settings.map {
        [$0.expectation, $0.choices.joined(separator: " "), $0.environmentVariable ?? "-"]
      },
      [
        ["an integer from 1 to 65535", "", "PORT"],
        ["true or false", "true false", "-"],
        ["one of: 1, 2, 3", "1 2 3", "-"],
        ["one of: 2, 3", "2 3", "LEVEL"],
        ["a URL, such as https://example.com/ or /path", "", "-"],
        ["a list in brackets, each an integer", "", "-"],
      ])
  }
}
