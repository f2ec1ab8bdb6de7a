import TypedDefaults
import XCTest

@testable import TestSupport

/// The snippets of the well-known articles on typed `UserDefaults`, written as they stand there.
final class ArticleTests: XCTestCase {
  // MARK: Foil's settings class, with the keys of an enum

  func testASettingsClassWithTheKeysOfAnEnum() {
    let settings = FoilSettings.shared
    XCTAssertTrue(settings.flagEnabled)
    settings.flagEnabled = false
    XCTAssertFalse(settings.flagEnabled)
    XCTAssertEqual(FoilSettings.store.object(forKey: "flagEnabled") as? Bool, false)
    XCTAssertEqual(settings.totalCount, 0)
    XCTAssertNil(settings.timestamp)
    settings.timestamp = .distantPast
    XCTAssertEqual(settings.timestamp, .distantPast)
  }

  // MARK: Typed keys by extension

  func testTypedKeysByExtension() {
    let store = UserDefaults.inMemory()
    store.set("Zoë", for: .username)
    XCTAssertEqual(store.value(for: .username), "Zoë")
    store.set([1, 2], for: .recent)
    XCTAssertEqual(store.value(for: .recent), [1, 2])
    store.removeValue(for: .username)
    XCTAssertNil(store.value(for: .username))
    let username = WrappedDefault(wrappedValue: "nobody", .username, userDefaults: store)
    XCTAssertEqual(username.wrappedValue, "nobody")
  }

  // MARK: A key named by #function

  func testAKeyNamedByItsFunction() {
    XCTAssertEqual(UserDefaults.Key<Int>.volume.name, "volume")
    XCTAssertEqual(FunctionSettings().$volume.key, "volume")
    XCTAssertEqual(FunctionSettings().volume, 4)
  }

  // MARK: A namespace of static records, with a prefix

  // `async`, because the list of tests that older compilers make calls no other method of an actor.
  func testANamespaceOfStaticRecords() async {
    await MainActor.run {
      XCTAssertEqual(Preferences.$isFirstLaunch.key, "com.example.app.isFirstLaunch")
      XCTAssertTrue(Preferences.isFirstLaunch)
      Preferences.isFirstLaunch = false
      XCTAssertFalse(Preferences.isFirstLaunch)
      XCTAssertNil(Preferences.lastVersion)
      Preferences.lastVersion = "1.0"
      XCTAssertEqual(Preferences.lastVersion, "1.0")
    }
  }

  // MARK: An injected suite

  func testAnInjectedSuite() throws {
    let suite = try makeSuite()
    let settings = InjectedSettings(userDefaults: suite)
    settings.theme = .dark
    XCTAssertEqual(suite.string(forKey: "theme"), "dark")
    XCTAssertEqual(InjectedSettings(userDefaults: suite).theme, .dark)
    XCTAssertEqual(InjectedSettings(userDefaults: .inMemory()).theme, .system)
  }

  // MARK: A Codable value in an optional wrapper

  func testACodableValueInAnOptionalWrapper() {
    let settings = AccountSettings()
    XCTAssertNil(settings.userInfo)
    settings.userInfo = UserInfo(firstName: "Ann", lastName: "Lee", age: 30)
    settings.userInfo?.age += 1
    XCTAssertEqual(settings.userInfo, UserInfo(firstName: "Ann", lastName: "Lee", age: 31))
    settings.userInfo = nil
    XCTAssertNil(settings.userInfo)
  }
}

private enum AppSettingsKey: String {
  case flagEnabled
  case totalCount
  case timestamp
}

extension WrappedDefault {
  fileprivate init(wrappedValue: T, key: AppSettingsKey, userDefaults: UserDefaults) {
    self.init(keyName: key.rawValue, defaultValue: wrappedValue, userDefaults: userDefaults)
  }
}

extension WrappedDefaultOptional {
  fileprivate init(key: AppSettingsKey, userDefaults: UserDefaults) {
    self.init(keyName: key.rawValue, userDefaults: userDefaults)
  }
}

private final class FoilSettings: @unchecked Sendable {
  static let shared = FoilSettings()
  nonisolated(unsafe) static let store = UserDefaults.inMemory()

  @WrappedDefault(key: .flagEnabled, userDefaults: store) var flagEnabled = true
  @WrappedDefault(key: .totalCount, userDefaults: store) var totalCount = 0
  @WrappedDefaultOptional(key: .timestamp, userDefaults: store) var timestamp: Date?
}

extension UserDefaults.Key where Value == String {
  fileprivate static let username: Self = "username"
}

extension UserDefaults.Key where Value == [Int] {
  fileprivate static let recent = Self(name: "recent")
}

extension UserDefaults.Key where Value == Int {
  fileprivate static var volume: UserDefaults.Key<Int> { .init() }
}

private struct FunctionSettings {
  @WrappedDefault(.volume, userDefaults: .inMemory()) var volume = 4
}

@MainActor
private enum Preferences {
  private static let prefix = "com.example.app."
  private static let store = UserDefaults.inMemory()

  @WrappedDefault(keyName: prefix + "isFirstLaunch", defaultValue: true, userDefaults: store)
  static var isFirstLaunch: Bool
  @WrappedDefaultOptional("\(prefix)lastVersion", userDefaults: store)
  static var lastVersion: String?
}

private struct InjectedSettings: Sendable {
  enum Theme: String, UserDefaultsSerializable { case system, light, dark }

  @WrappedDefault var theme: Theme

  init(userDefaults: UserDefaults = .standard) {
    _theme = WrappedDefault(keyName: "theme", defaultValue: .system, userDefaults: userDefaults)
  }
}

private struct UserInfo: Codable, Equatable, UserDefaultsSerializable {
  var firstName: String
  var lastName: String
  var age: Int
}

private struct AccountSettings {
  @WrappedDefaultOptional("userInfo", userDefaults: .inMemory()) var userInfo: UserInfo?
}
