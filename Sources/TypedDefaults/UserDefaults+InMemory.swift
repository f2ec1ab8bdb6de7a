public import Foundation

extension UserDefaults {
  /// Creates a store in memory, for tests and previews.
  ///
  /// ```swift
  /// let settings = AppSettings(in: .inMemory())
  /// let stored = AppSettings(in: .inMemory(["volume": 7]))
  /// ```
  ///
  /// It touches no disk, sees no launch arguments or environment variables, and shares nothing with
  /// other stores, not even registered defaults.
  ///
  /// - Parameter objects: The objects that are stored at first, by their keys.
  /// - Returns: A new store.
  public static func inMemory(_ objects: [String: Any] = [:]) -> UserDefaults {
    let store = MemoryUserDefaults()
    for (key, object) in objects { store.set(object, forKey: key) }
    return store
  }
}
