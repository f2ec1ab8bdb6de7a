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
  /// A test can play the administrator, whose managed values override what is stored, and whose
  /// system values are beneath it:
  ///
  /// ```swift
  /// let managed = UserDefaults.inMemory(managed: ["volume": 3])
  /// let settings = AppSettings(in: managed)
  /// ```
  ///
  /// - Parameters:
  ///   - objects: The objects that are stored at first, by their keys.
  ///   - managed: The objects of an administrator, which nobody overrides.
  ///   - system: The defaults of an administrator.
  /// - Returns: A new store.
  public static func inMemory(
    _ objects: [String: Any] = [:], managed: [String: Any] = [:], system: [String: Any] = [:]
  ) -> UserDefaults {
    let store = MemoryUserDefaults(managed: managed, system: system)
    for (key, object) in objects { store.set(object, forKey: key) }
    return store
  }
}
