public import Foundation

extension UserDefaults {
  /// Creates a store in memory, for tests and previews.
  ///
  /// ```swift
  /// let settings = AppSettings(in: .inMemory())
  /// ```
  ///
  /// The store touches no disk and sees no launch arguments or environment variables. It shares
  /// nothing with other stores, not even registered defaults.
  ///
  /// - Returns: A new store.
  public static func inMemory() -> UserDefaults {
    MemoryUserDefaults()
  }
}
