/// An observation of a setting, which ``DeclaredSetting/onChange(_:)`` returns.
///
/// The observation ends when you call ``cancel()`` or release it.
public final class SettingObservation: Sendable {
  private let listeners: Listeners
  private let observer: ChangeObserver

  init(of listeners: Listeners, _ observer: ChangeObserver) {
    (self.listeners, self.observer) = (listeners, observer)
    listeners.add(observer)
    // The value may have changed since the observer read it.
    DeferredCalls.perform { observer.call() }
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// The method returns at once, on any thread, and does not wait for a call that is running on
  /// another one.
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
    SettingObservation(of: listen(), observer(default: defaultValue, action))
  }
}
