/// An observation of a setting, which ``DeclaredSetting/onChange(_:)`` returns.
///
/// Keep it as long as your function is to run: the observation ends when you call ``cancel()`` or
/// release it.
public final class SettingObservation: Sendable {
  private let listeners: Listeners
  private let observer: any ChangeObserver

  init(of listeners: Listeners, _ observer: any ChangeObserver) {
    (self.listeners, self.observer) = (listeners, observer)
    listeners.add(observer)
    // The value may have changed since the observer read it.
    DeferredCalls.perform { observer.call() }
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// You can call this method on any thread. It returns at once, and does not wait for a call of
  /// your function that is running on another thread.
  public func cancel() {
    listeners.remove(observer)
    observer.cancel()
  }
}

extension Setting {
  /// Calls a function after each change, with the old and the new value, or the default in place of
  /// nil.
  func onChange<V: UserDefaultsSerializable>(
    default defaultValue: V?, _ action: @escaping @Sendable (_ old: V?, _ new: V?) -> Void
  ) -> SettingObservation {
    let listeners = listen()
    let observer = ValueObserver<[Found], V?>(
      isHeldUp: { Transaction.token(in: store) != nil },
      look: { objects() },
      value: { objects in
        let value = firstValue(of: objects) ?? defaultValue
        return (value, Self.storedForm(of: value))
      }, action: action)
    return SettingObservation(of: listeners, observer)
  }
}
