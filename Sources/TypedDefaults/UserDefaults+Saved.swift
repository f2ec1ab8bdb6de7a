public import Foundation
internal import Synchronization

extension UserDefaults {
  /// The store for a program of your own, where every change is saved and announced, raw calls
  /// included.
  ///
  /// On Apple platforms this is `UserDefaults.standard`. On Linux it uses the same file, with its
  /// own memory. It saves raw calls such as `set(_:forKey:)` in the background, and announces them to
  /// ``WrappedDefault/updates`` and to Observation. A read of a setting costs a small part of one in
  /// `UserDefaults.standard`, because the setting keeps its decoded value until the key changes.
  ///
  /// Only the first use waits for the disk, to read the file.
  ///
  /// > Important: Use either this store or `.standard` in a program. Each sees the changes of the
  /// other only as it sees those of another process, after they are saved.
  ///
  /// A global or a `static let` cannot hold a store in Swift 6, because `UserDefaults` is not
  /// `Sendable` on Linux. Write `static var store: UserDefaults { .saved }`.
  public static var saved: UserDefaults { savedStandard.instance }

  /// Returns the store of a suite, where every change is saved and announced as in ``saved``.
  ///
  /// - Parameter suiteName: The name of the suite, or the identifier of an app group.
  /// - Returns: The store, which is the same object for each call with this name.
  public static func saved(suiteName: String) -> UserDefaults {
    savedSuites.withLock { suites in
      if let suite = suites[suiteName] { return suite.instance }
      let suite = SendableDefaults(makeSaved(suiteName))
      suites[suiteName] = suite
      return suite.instance
    }
  }

  private static let savedStandard = SendableDefaults(makeSaved(nil))

  private static let savedSuites = Mutex<[String: SendableDefaults]>([:])

  private static func makeSaved(_ suiteName: String?) -> UserDefaults {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      return MemoryUserDefaults(savedIn: suiteName)
    #else
      // The platform returns nil for the name of the program itself.
      guard let suiteName, let suite = UserDefaults(suiteName: suiteName) else { return .standard }
      Store.note(suite, suite: suiteName)
      return suite
    #endif
  }
}
