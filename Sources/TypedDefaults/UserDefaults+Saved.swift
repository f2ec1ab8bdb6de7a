public import Foundation
internal import Synchronization

extension UserDefaults {
  /// The standard store, in which every set is saved and heard.
  ///
  /// On Apple platforms it is `UserDefaults.standard`. On Linux it keeps its values in the same file, and in
  /// a memory of its own: raw calls such as `set(_:forKey:)` are saved in the background and told to
  /// ``WrappedDefault/updates`` and to Observation, as assignments of a setting are, and reading a setting
  /// costs a tenth of what it costs in `UserDefaults.standard`.
  ///
  /// A program uses either this or `.standard`: in one process the two are to each other as two processes.
  public static var saved: UserDefaults { savedStandard.instance }

  /// The store of a suite, in which every set is saved and heard, as in ``saved``.
  ///
  /// - Parameter suiteName: The name of the suite.
  /// - Returns: The one store of the suite in this process.
  public static func saved(suiteName: String) -> UserDefaults {
    savedSuites.withLock { suites in
      if let suite = suites[suiteName] { return suite.instance }
      let suite = SharedUserDefaults(makeSaved(suiteName))
      suites[suiteName] = suite
      return suite.instance
    }
  }

  private static let savedStandard = SharedUserDefaults(makeSaved(nil))

  private static let savedSuites = Mutex<[String: SharedUserDefaults]>([:])

  private static func makeSaved(_ suiteName: String?) -> UserDefaults {
    #if os(Linux) || os(Android)
      MemoryUserDefaults(savedIn: suiteName)
    #else
      // Nil is what the platform answers to the name of the program itself.
      suiteName.flatMap(UserDefaults.init(suiteName:)) ?? .standard
    #endif
  }
}
