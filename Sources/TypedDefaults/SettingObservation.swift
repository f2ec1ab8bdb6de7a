/// The following of a setting's changes, which ``DeclaredSetting/onChange(_:)`` has begun.
///
/// It ends when you call ``cancel()`` or release the observation.
public final class SettingObservation: Sendable {
  private let listeners: Listeners
  private let observer: ChangeObserver

  init(of listeners: Listeners, _ observer: ChangeObserver) {
    (self.listeners, self.observer) = (listeners, observer)
    listeners.add(observer)
    // A change may have come between.
    DeferredCalls.perform { observer.callForAll() }
  }

  deinit { cancel() }

  /// Ends the observation. A call that runs on another thread meanwhile comes to its end.
  public func cancel() {
    listeners.remove(observer)
    observer.cancel()
  }
}
