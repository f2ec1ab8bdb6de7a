import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

private struct Pair: Codable, UserDefaultsSerializable {
  var user = "hunter1"
  var word: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if word == "hunter2, refused" {
      throw EncodingError.invalidValue(
        word, .init(codingPath: [], debugDescription: "\(word) is refused"))
    }
    try container.encode(word)
  }
}

private struct Settings: SettingsGroup {
  @WrappedDefault("password", isSecret: true) var password = "hunter2 default"
  @WrappedDefault("pin", in: 1000...9999, isSecret: true) var pin = 1234
  @WrappedDefaultOptional("pair", isSecret: true) var pair: Pair?
  @WrappedDefault("plain") var plain = 1
}

/// The value of a secret is in no report, description, copy or export.
final class SecretTests: XCTestCase {
  private func assertKeepsSecrets(_ text: String, line: UInt = #line) {
    for secret in ["hunter", "1234", "77777"] {
      XCTAssertFalse(text.contains(secret), text, line: line)
    }
  }

  func testTheTextIsThereAndADescriptionOrADumpIsNot() {
    let settings = Settings(in: .inMemory())
    settings.password = "hunter2"
    XCTAssertTrue(settings.$password.isSecret)
    XCTAssertFalse(settings.$plain.isSecret)
    XCTAssertEqual(settings.$password.text, "hunter2")
    XCTAssertEqual(settings.$password.defaultText, "hunter2 default")
    XCTAssertEqual(settings.$password.description, "password = (secret)")
    var text = ""
    dump(settings, to: &text)
    dump(settings.$pin, to: &text)
    print(settings, settings.$password, to: &text)
    debugPrint(settings, settings.$pin, to: &text)
    assertKeepsSecrets(text)
    XCTAssertTrue(text.contains("password"), text)
  }

  func testNoReportNamesIt() throws {
    let issues = recordIssues()
    for store in try makeStores() {
      let settings = Settings(in: store)
      store.set([1: "hunter2"].values.map { $0 }, forKey: "password")
      store.set(77777, forKey: "pin")
      store.set("{\"hunter2\": 1", forKey: "pair")
      _ = (settings.password, settings.pin, settings.pair)
      for setting in settings.settings { assertKeepsSecrets(setting.issue?.description ?? "") }
      settings.pin = 77777
      settings.pair = Pair(word: "hunter2, refused")
      for key in ["pin", "pair"] {
        XCTAssertThrowsError(try settings[key]?.set(text: "hunter2")) {
          self.assertKeepsSecrets("\($0)")
        }
      }
      _ = store.value(for: "pin" as UserDefaults.Key<Bool>)
      _ = store.value(for: "pin" as UserDefaults.Key<UUID>)
      let again = WrappedDefault(wrappedValue: "hunter3", "password", userDefaults: store)
      XCTAssertEqual(again.defaultValue, "hunter3")
      let reported = issues.take(atLeast: 4)
      for issue in reported { assertKeepsSecrets(issue.description) }
      // Nothing of its length either.
      XCTAssertFalse(reported.contains { $0.description.contains("character") }, "\(reported)")
      XCTAssertTrue(
        reported.contains { $0.description.contains(": it is a secret; expected ") }, "\(reported)")
      let refusals = reported.filter { $0.description.contains("1000 to 9999") }
      XCTAssertFalse(refusals.isEmpty, "\(reported)")
      settings.resetAll()
    }
  }

  func testAnUnreadableOneIsRemovedWithoutACopy() throws {
    let issues = recordIssues()
    for store in try makeStores() {
      store.set("hunter2", forKey: "pin")
      let settings = Settings(in: store)
      settings.pin = 4321
      XCTAssertNil(store.object(forKey: "pin.undecodable"), "\(store)")
      XCTAssertEqual(settings.pin, 4321)
      for issue in issues.take(atLeast: 1) {
        XCTAssertTrue(issue.description.contains("without a copy"), issue.description)
      }
      settings.resetAll()
    }
  }

  func testAnExportHasItOnlyIfAskedAndAnImportLeavesItOtherwise() throws {
    let settings = Settings(in: .inMemory(["password": "hunter2", "plain": 2]))
    let data = try settings.exportData()
    assertKeepsSecrets(String(decoding: data, as: UTF8.self))
    let other = Settings(in: .inMemory(["password": "mine", "pin": 4444]))
    XCTAssertEqual(try other.importData(data), [])
    XCTAssertEqual(other.password, "mine")
    XCTAssertEqual(other.plain, 2)
    let whole = try settings.exportData(includingSecrets: true)
    XCTAssertTrue(String(decoding: whole, as: UTF8.self).contains("hunter2"))
    XCTAssertEqual(try other.importData(whole), [])
    XCTAssertEqual(other.password, "hunter2")
    XCTAssertEqual(other.pin, 1234, "the data has none")
    let handmade = try PropertyListSerialization.data(
      fromPropertyList: ["password": "theirs", "plain": 3], format: .xml, options: 0)
    XCTAssertEqual(try other.importData(handmade), ["password"])
    XCTAssertEqual(other.password, "hunter2")
  }
}
