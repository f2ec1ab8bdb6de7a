internal import Foundation

extension Setting {
  func listen(to state: KeyState) {
    store.listen(to: state, in: userDefaults)
  }

  /// Begins to hear changes, those of former keys too.
  ///
  /// - Returns: The listeners of the key.
  func listen() -> Listeners {
    for state in [state] + formerKeys { listen(to: state) }
    return state.listeners
  }

  /// Returns an observer that calls a function after each change, with the old and the new value,
  /// or the default in place of nil.
  func observer<V: UserDefaultsSerializable>(
    default defaultValue: V?, _ action: @escaping @Sendable (_ old: V?, _ new: V?) -> Void
  ) -> ChangeObserver {
    ValueObserver<[Found], V?>(
      isHeldUp: { Transaction.current(of: store) != nil },
      look: { objects() },
      value: { objects in
        let value = firstValue(of: objects) ?? defaultValue
        return (value, Self.storedForm(of: value))
      }, action: action)
  }

  /// Returns the stored form of a value; nil if there is none.
  static func storedForm<V: UserDefaultsSerializable>(of value: V?) -> PropertyListObject? {
    value.flatMap { try? encode($0) }
  }
}
