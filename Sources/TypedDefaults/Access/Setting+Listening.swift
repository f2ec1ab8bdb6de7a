internal import Foundation

extension Setting {
  /// Begins to observe changes, those of former keys too.
  ///
  /// - Returns: The listeners of the key.
  func listen() -> Listeners {
    for state in [state] + formerKeys { store.listen(to: state, in: userDefaults) }
    return state.listeners
  }

  /// Returns the stored form of a value; nil if there is none.
  static func storedForm<V: UserDefaultsSerializable>(of value: V?) -> PropertyListObject? {
    value.flatMap { try? encode($0) }
  }
}
