internal import Foundation

extension Setting {
  func listen(to state: KeyState) {
    store.listen(to: state, in: userDefaults)
  }

  /// Begins to observe changes, those of former keys too.
  ///
  /// - Returns: The listeners of the key.
  func listen() -> Listeners {
    for state in [state] + formerKeys { listen(to: state) }
    return state.listeners
  }

  /// Returns the stored form of a value; nil if there is none.
  static func storedForm<V: UserDefaultsSerializable>(of value: V?) -> PropertyListObject? {
    value.flatMap { try? encode($0) }
  }
}
