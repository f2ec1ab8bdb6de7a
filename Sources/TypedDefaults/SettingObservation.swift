/// An observation of a setting or a group, which ``DeclaredSetting/onChange(_:)`` or
/// ``SettingsGroup/onChange(_:)`` returns.
///
/// Keep it as long as your function is to run: the observation ends when you call ``cancel()`` or
/// release it.
public final class SettingObservation: Sendable {
  private let listeners: [Listeners]
  private let observer: any ChangeObserver

  init(of listeners: [Listeners], _ observer: any ChangeObserver) {
    (self.listeners, self.observer) = (listeners, observer)
    for listeners in listeners { listeners.add(observer) }
    // The value may have changed since the observer read it.
    DeferredCalls.perform { observer.call() }
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// You can call this method on any thread. It returns at once, and does not wait for a call of
  /// your function that is running on another thread.
  public func cancel() {
    for listeners in listeners { listeners.remove(observer) }
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
    let observer = ValueObserver<[Found], (V?, stored: PropertyListObject?)>(
      isHeldUp: { Transaction.token(in: store) != nil },
      look: { candidates() },
      value: { value(of: $0, default: defaultValue) },
      action: { old, new in
        if Self.differ(old, new) { action(old.0, new.0) }
      })
    return SettingObservation(of: [listeners], observer)
  }

  /// Returns the value of objects, and its stored form.
  private func value<V: UserDefaultsSerializable>(
    of objects: [Found], default defaultValue: V?
  ) -> (V?, stored: PropertyListObject?) {
    let value = firstValue(of: objects) ?? defaultValue
    return (value, Self.storedForm(of: value))
  }

  private static func differ<V: UserDefaultsSerializable>(
    _ old: (V?, stored: PropertyListObject?), _ new: (V?, stored: PropertyListObject?)
  ) -> Bool {
    old.stored != new.stored && !areEqual(old.0, new.0, as: V?.self)
  }

  private func differ<V: UserDefaultsSerializable>(
    _ old: [Found], _ new: [Found], as type: V.Type
  ) -> Bool {
    let defaultValue: V? = declaration.default.flatMap(Self.decode)
    return Self.differ(
      value(of: old, default: defaultValue), value(of: new, default: defaultValue))
  }

  /// Calls a function after each change of any of the settings, with the indices of those whose values
  /// differ.
  static func onChange(
    of settings: [Setting], _ action: @escaping @Sendable (_ changed: [Int]) -> Void
  ) -> SettingObservation {
    let listeners = settings.map { $0.listen() }
    let observer = ValueObserver<[[Found]], [[Found]]>(
      isHeldUp: { settings.contains { Transaction.token(in: $0.store) != nil } },
      look: { candidates(of: settings) },
      value: { $0 },
      action: { old, new in
        let changed = settings.indices.filter { index in
          let setting = settings[index]
          return old[index] != new[index]
            && setting.differ(old[index], new[index], as: setting.declaration.type)
        }
        if !changed.isEmpty { action(changed) }
      })
    return SettingObservation(of: listeners, observer)
  }
}
