public import Foundation

extension UserDefaults {
  /// Creates a store that lives in memory, for tests and previews: it touches no disk, sees no launch
  /// argument, and shares nothing with any other store, registered defaults included.
  ///
  ///     let settings = AppSettings(in: .inMemory())
  public static func inMemory() -> UserDefaults {
    MemoryUserDefaults()
  }
}
