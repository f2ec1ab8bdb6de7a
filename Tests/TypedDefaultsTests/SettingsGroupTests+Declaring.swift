import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

extension SettingsGroupTests {
  // MARK: Declaring

  private static let declarations = """
    import Foundation
    import TypedDefaults

    struct Pane: SettingsGroup {
      @WrappedDefault("width") var width = 200
    }

    struct AppSettings: SettingsGroup {
      static let shared = AppSettings(in: .standard)

      @WrappedDefault("volume") var volume = 4
      @WrappedDefaultOptional("nickname", userDefaults: .init(suiteName: "x")!) var nickname: String?
      let pane = Pane(prefix: "pane.")
    }
    """

  private static let use = """
    func use() {
      let settings = AppSettings(in: .inMemory(), prefix: "a.")
      settings.volume = 5
      settings.$volume.reset()
      settings.resetAll()
      print(settings.settings.map { $0.key }, AppSettings.shared.pane.width)
    }
    """

  func testGroupsCompileInBothLanguageModes() throws {
    for mode in ["5", "6"] {
      let finalClass = """
        final class ClassSettings: SettingsGroup, @unchecked Sendable {
          @WrappedDefault("volume") var volume = 4
        }
        """
      XCTAssertEqual(
        try Compiler.diagnostics(
          of: [[Self.declarations, finalClass, Self.use].joined(separator: "\n")],
          in: try makeTemporaryFolder(), languageMode: mode), "")
    }
  }

  #if compiler(>=6.2)
    func testGroupsOfAMainActorModuleAreUsedFromAnyThread() throws {
      for mode in ["5", "6"] {
        XCTAssertEqual(
          try Compiler.diagnostics(
            of: [[Self.declarations, "nonisolated " + Self.use].joined(separator: "\n")],
            in: try makeTemporaryFolder(), languageMode: mode,
            options: ["-default-isolation", "MainActor"]), "")
      }
    }
  #endif
}
