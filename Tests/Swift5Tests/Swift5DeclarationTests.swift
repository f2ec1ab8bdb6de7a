import TypedDefaults
import XCTest

// The usual class, in Swift 5 mode. This file passes by compiling without a warning.

private final class AppSettings {
  static let shared = AppSettings()

  @WrappedDefault("flagEnabled", userDefaults: store) var flagEnabled = true
  @WrappedDefault(keyName: "count", defaultValue: 3, userDefaults: store) var count: Int
  @WrappedDefaultOptional("timestamp", userDefaults: store) var timestamp: Date?

  private static let store = UserDefaults.inMemory()

  private init() {}
}

final class Swift5DeclarationTests: XCTestCase {
  func testAClassWithASharedInstance() {
    AppSettings.shared.flagEnabled.toggle()
    AppSettings.shared.timestamp = .distantPast
    AppSettings.shared.$count.withLock { $0 += 1 }
    XCTAssertFalse(AppSettings.shared.flagEnabled)
    XCTAssertEqual(AppSettings.shared.timestamp, .distantPast)
    XCTAssertEqual(AppSettings.shared.count, 4)
  }
}
