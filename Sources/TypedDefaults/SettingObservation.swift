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
    DeferredCalls.perform { observer.callForAll() }
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// A call that is running on another thread is not interrupted.
  public func cancel() {
    listeners.remove(observer)
    observer.cancel()
  }
}
