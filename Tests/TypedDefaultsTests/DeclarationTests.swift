import TypedDefaults
import XCTest

// The ways to declare settings in Swift 6 mode. This file passes by compiling without a warning.

private enum Theme: String, UserDefaultsSerializable { case light, dark }

/// Sendable, and checked by the compiler in full.
private struct StructSettings: Sendable {
  static let shared = StructSettings()

  @WrappedDefault("flagEnabled") var flagEnabled = true
  @WrappedDefault("theme") var theme = Theme.light
  @WrappedDefault(keyName: "count", defaultValue: 3) var count: Int
  @WrappedDefaultOptional("timestamp") var timestamp: Date?
  @WrappedDefaultOptional(keyName: "nickname") var nickname: String?

  init(userDefaults: UserDefaults = .inMemory()) {
    _flagEnabled = WrappedDefault(wrappedValue: true, "flagEnabled", userDefaults: userDefaults)
    _timestamp = WrappedDefaultOptional("timestamp", userDefaults: userDefaults)
  }
}

@MainActor
private final class MainActorSettings {
  static let shared = MainActorSettings()

  @WrappedDefault("flagEnabled") var flagEnabled = true
  @WrappedDefaultOptional("timestamp") var timestamp: Date?
}

private final class UncheckedSettings: @unchecked Sendable {
  static let shared = UncheckedSettings()

  @WrappedDefault("flagEnabled") var flagEnabled = true
  @WrappedDefaultOptional("timestamp") var timestamp: Date?
}

@MainActor
private enum EnumSettings {
  @WrappedDefault("flagEnabled") static var flagEnabled = true
  @WrappedDefaultOptional("timestamp") static var timestamp: Date?
}

/// What the library promises to be `Sendable`.
private func requireSendable<T: Sendable>(_ type: T.Type) {}
private struct NotSendable { var reference: NSObject? }

private func promises() {
  requireSendable(WrappedDefault<[String: [Int]]>.self)
  requireSendable(WrappedDefaultOptional<URL>.self)
  requireSendable(UserDefaults.Key<NotSendable>.self)
  requireSendable(DefaultsIssue.self)
  requireSendable(DefaultsIssue.Kind.self)
}

final class DeclarationTests: XCTestCase {
  func testAStructsSettingsAreAssignedThroughALet() async {
    let settings = StructSettings()
    settings.flagEnabled = false
    await Task.detached { settings.timestamp = .distantPast }.value
    XCTAssertFalse(settings.flagEnabled)
    XCTAssertEqual(settings.timestamp, .distantPast)
    XCTAssertEqual(settings.$count.defaultValue, 3)
  }

  func testADefaultOnAnOptionalDoesNotCompileAndTheErrorNamesTheOtherWrapper() throws {
    let errors = try compilerErrors(
      """
      struct Settings {
        @WrappedDefault("nickname") var nickname: String? = nil
      }
      """)
    XCTAssertTrue(errors.contains("error:"), errors)
    XCTAssertTrue(
      errors.contains("declare an optional setting with @WrappedDefaultOptional"), errors)
  }

  func testADictionaryWhoseKeysHaveNoTextDoesNotCompile() throws {
    let errors = try compilerErrors(
      #"struct Settings { @WrappedDefault("dates") var dates: [Data: Int] = [:] }"#)
    XCTAssertTrue(errors.contains("LosslessStringConvertible"), errors)
  }

  func testTheCompilerFindsNothingWrongWithADeclarationThatIsRight() throws {
    XCTAssertEqual(
      try compilerErrors(#"struct Settings { @WrappedDefaultOptional("a") var a: String? }"#), "")
    XCTAssertEqual(
      try compilerErrors(
        #"struct Settings { @WrappedDefault("a") var a = "" }"#, languageMode: "5"), "")
  }

  private func compilerErrors(_ source: String, languageMode: String = "6") throws -> String {
    try Compiler.diagnostics(
      of: source, in: try makeTemporaryFolder(), languageMode: languageMode)
  }
}
