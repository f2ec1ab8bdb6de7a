/// An observation of a setting or a group, which ``DeclaredSetting/onChange(_:)`` or
/// ``SettingsGroup/onChange(_:)`` returns.
///
/// Keep it as long as your function is to run: the observation ends when you call ``cancel()`` or
/// release it.
public final class SettingObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the observation.
  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// You can call this method on any thread. It returns at once, and does not wait for a call of
  /// your function that is running on another thread.
  public func cancel() {
    end()
  }
}

extension Setting {
  /// Calls a function after each change, with the old and the new value, or the default in place of
  /// nil.
  func onChange<V: UserDefaultsSerializable>(
    default defaultValue: V?, _ action: @escaping @Sendable (_ old: V?, _ new: V?) -> Void
  ) -> SettingObservation {
    let listeners = listen()
    let observer = ValueObserver<[Found], (V?, stored: PropertyListObject?)>(
      isHeldUp: { Transaction.token(in: store) != nil },
      look: { candidates() },
      value: {
        let value: V? = firstValue(of: $0) ?? defaultValue
        return (value, Self.storedForm(of: value))
      },
      action: { old, new in
        if old.stored != new.stored, !areEqual(old.0, new.0, as: V?.self) { action(old.0, new.0) }
      })
    listeners.add(observer)
    // The value may have changed since the observer read it.
    DeferredCalls.perform { observer.call() }
    return SettingObservation {
      listeners.remove(observer)
      observer.cancel()
    }
  }
}
