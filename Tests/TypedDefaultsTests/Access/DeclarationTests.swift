import TypedDefaults
import XCTest

@testable import TestSupport

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

  func testAnOptionalWithoutADefaultIsSentToTheOtherWrapper() throws {
    let errors = try compilerErrors(
      #"struct Settings { @WrappedDefault("name") var name: String? }"#)
    XCTAssertTrue(
      errors.contains("'String' conform to 'UseWrappedDefaultOptionalInstead'"), errors)
    XCTAssertTrue(
      errors.contains("declare an optional setting with @WrappedDefaultOptional"), errors)
  }

  func testAnOptionalElementOrANestedOptionalIsSentToADeclarationWithoutThem() throws {
    for type in ["[Int?]?", "[String: Int?]?", "Int??"] {
      let errors = try compilerErrors(
        #"struct Settings { @WrappedDefaultOptional("a") var a: \#(type) }"#)
      XCTAssertTrue(errors.contains("without '?' in its key or elements"), "\(type): \(errors)")
    }
  }

  private struct Percentage: UserDefaultsSerializable {
    static var expectation: String? { "a percentage from 0 to 100" }
    var storedValue: Int
    init(_ value: Int) { storedValue = value }
    init?(storedValue: Int) {
      guard 0...100 ~= storedValue else { return nil }
      self.storedValue = storedValue
    }
  }

  func testADefaultThatItsOwnTypeRefusesIsReportedAtTheDeclaration() throws {
    for store in try makeStoresAndSubclasses() {
      let recorder = recordIssues()
      let levels = (1...2).map { _ in
        WrappedDefault(wrappedValue: Percentage(150), "level", userDefaults: store)
      }
      _ = WrappedDefault(wrappedValue: [Percentage(1), Percentage(-1)], "all", userDefaults: store)
      _ = WrappedDefault(wrappedValue: Percentage(100), "good", userDefaults: store)
      let issues = recorder.take()
      XCTAssertEqual(issues.map(\.kind), [.unencodableValue, .unencodableValue], "\(store)")
      XCTAssertEqual(issues.map(\.key), ["level", "all"], "\(store)")
      XCTAssertEqual(
        issues.map(\.description),
        [
          """
          The setting does not accept its default of "level", and returns it nevertheless: it is the \
          number 150; expected a percentage from 0 to 100. Declare another default.
          """,
          """
          The setting does not accept its default of "all", and returns it nevertheless: it is an \
          array of 2 elements; expected a list in brackets, each a percentage from 0 to 100. Declare \
          another default.
          """,
        ], "\(store)")
      XCTAssertEqual(levels[0].wrappedValue.storedValue, 150, "\(store)")
      XCTAssertEqual(recorder.take().count, 0, "\(store)")
    }
  }

  private struct Room: SettingsGroup {
    @WrappedDefault("target", environment: "DECLARATION_TESTS_TARGET") var target = 20
  }

  func testAVariableOfTwoSettingsIsReportedOnce() throws {
    for store in [
      try makeSuite(), try makeSavedSuite(), PlainDefaults(), AnnouncingDefaults(),
    ] {
      let recorder = recordIssues()
      for _ in 1...2 { _ = Room(in: store, prefix: "kitchen/") }
      XCTAssertEqual(recorder.take().count, 0, "one setting, \(store)")
      for prefix in ["hall/", "kitchen/", "bath/"] { _ = Room(in: store, prefix: prefix) }
      let issues = recorder.take()
      XCTAssertEqual(issues.map(\.kind), [.conflictingDefault], "\(store)")
      XCTAssertEqual(issues.first?.key, "hall/target", "\(store)")
      XCTAssertEqual(
        issues.first?.description,
        """
        The environment variable DECLARATION_TESTS_TARGET overrides both "kitchen/target" and \
        "hall/target". Give each setting a variable of its own, and leave environment: out of a group \
        with several prefixes.
        """, "\(store)")
      for key in ["one", "another"] {
        _ = WrappedDefault(
          wrappedValue: 20, .init(name: key), environment: "DECLARATION_TESTS_OTHER",
          userDefaults: store)
      }
      XCTAssertEqual(recorder.take().map(\.key), ["another"], "\(store)")
    }
  }

  func testAVariableThatAStoreInMemoryDoesNotSeeIsNoConflict() {
    let recorder = recordIssues()
    let store = UserDefaults.inMemory()
    for prefix in ["kitchen/", "hall/"] { _ = Room(in: store, prefix: prefix) }
    XCTAssertEqual(recorder.take().count, 0)
  }

  func testAnEnumWithoutARawValueIsToldToHaveOne() throws {
    let errors = try compilerErrors("enum Mode: UserDefaultsSerializable { case quick, quiet }")
    XCTAssertTrue(errors.contains("'Mode' does not conform to protocol"), errors)
    XCTAssertTrue(errors.contains("Give an enum a raw value, as in `enum Theme: String`"), errors)
  }

  func testASettingWithoutADefaultDoesNotCompileAndTheErrorAsksForOne() throws {
    let errors = try compilerErrors(
      """
      struct Settings {
        @WrappedDefault("a") var a: String
        @WrappedDefault(keyName: "b") var b: String
      }
      """)
    XCTAssertEqual(
      Self.count("is unavailable: give a default: ", in: errors), 1, errors)
    XCTAssertEqual(
      Self.count("missing argument for parameter 'defaultValue'", in: errors), 1, errors)
  }

  func testAnOptionalWithADefaultDoesNotCompileAndTheErrorNamesTheOtherWrapper() throws {
    let errors = try compilerErrors(
      """
      struct Settings {
        @WrappedDefaultOptional("a") var a: Int? = 5
        @WrappedDefaultOptional("b") var b: Int? = nil
      }
      """)
    XCTAssertEqual(Self.count("error: 'init", in: errors), 2, errors)
    XCTAssertEqual(
      Self.count("leave out the default, or use @WrappedDefault without '?'", in: errors), 2)
  }

  /// How many lines of a compiler's, each of which is one error, hold a text.
  private static func count(_ text: String, in errors: String) -> Int {
    errors.split(separator: "\n").count { $0.contains(": error: ") && $0.contains(text) }
  }

  func testAGenericResultIsStillInferredWhereAnOptionalIsExpected() throws {
    XCTAssertEqual(
      try compilerErrors(
        """
        func fetch<T: UserDefaultsSerializable>(_ key: String) -> T { fatalError() }
        let url: URL? = fetch("url")
        """), "")
  }

  func testAConformanceApartFromItsTypeCompilesIfTheTypeIsSendable() throws {
    let conformance = "import TypedDefaults\nextension Theme: UserDefaultsSerializable {}"
    XCTAssertEqual(
      try Compiler.diagnostics(
        of: ["enum Theme: String, Sendable { case light, dark }", conformance],
        in: try makeTemporaryFolder()), "")
    let errors = try Compiler.diagnostics(
      of: ["enum Theme: String { case light, dark }", conformance], in: try makeTemporaryFolder())
    XCTAssertTrue(errors.contains("'Sendable' must occur in the same source file"), errors)
  }

  func testWrappersAreEqualIfTheyAreOneSetting() throws {
    let store = try makeSuite()
    let other = UserDefaults.inMemory()
    let settings = [
      WrappedDefault(wrappedValue: 1, "a", userDefaults: store),
      WrappedDefault(wrappedValue: 1, "a", userDefaults: store),
      WrappedDefault(wrappedValue: 1, "b", userDefaults: store),
      WrappedDefault(wrappedValue: 1, "a", userDefaults: other),
    ]
    XCTAssertEqual(settings[0], settings[1])
    XCTAssertEqual(Set(settings).count, 3)
    let optionals = [store, store, other].map { WrappedDefaultOptional<Int>("a", userDefaults: $0) }
    XCTAssertEqual(optionals[0], optionals[1])
    XCTAssertEqual(Set(optionals).count, 2)
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
      of: ["import Foundation\nimport TypedDefaults\n\(source)"], in: try makeTemporaryFolder(),
      languageMode: languageMode)
  }

  func testARegisteredDefaultIsNotTakenForWhatWasStoredBefore() throws {
    for store in try makeStoresAndSubclasses() {
      let key = UUID().uuidString
      let volume = WrappedDefault(wrappedValue: 4, .init(name: key), userDefaults: store)
      store.set(7, forKey: key)
      XCTAssertEqual(volume.wrappedValue, 7, "\(store)")
      // Another part of the program, which knows nothing of the library.
      store.register(defaults: [key: 7])
      store.removeObject(forKey: key)
      // It alone knows what is registered. And Foundation's class tells of no raw registration: a look
      // for it would double the price of each read.
      if store is PlainDefaults || type(of: store) == UserDefaults.self { continue }
      XCTAssertEqual(volume.wrappedValue, 4, "\(store)")
      XCTAssertFalse(volume.isStored, "\(store)")
    }
  }
}
