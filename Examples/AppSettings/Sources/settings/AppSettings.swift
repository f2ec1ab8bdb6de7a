import Foundation
import TypedDefaults

/// The settings of the program. `AppSettings.shared.theme = .dark` stores one.
struct AppSettings: SettingsGroup {
  static let shared = AppSettings(in: .saved)

  @WrappedDefault("showsHints", help: "Whether to show hints at the start.") var showsHints = true
  @WrappedDefault("launchCount") var launchCount: UInt16 = 0
  @WrappedDefault("fontSize", in: 6...72, help: "The size of text in points.") var fontSize = 12.5
  @WrappedDefault("theme", environment: "SETTINGS_THEME", help: "The colors of the window.")
  var theme = Theme.system
  @WrappedDefault("tags", environment: "SETTINGS_TAGS") var tags = ["swift", "linux"]
  @WrappedDefault("website") var website = URL(string: "https://www.swift.org")!
  @WrappedDefault("window") var window = Window(width: 800, height: 600)
  @WrappedDefaultOptional("firstLaunch") var firstLaunch: Date?
  @WrappedDefaultOptional("nickname") var nickname: String?
}

/// Stored as its raw value.
enum Theme: String, CaseIterable, UserDefaultsSerializable {
  case system, light, dark
}

/// Stored as JSON text.
struct Window: Codable, UserDefaultsSerializable {
  var width: Int
  var height: Int
}
