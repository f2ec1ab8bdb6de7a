/// A setting of any type: what ``WrappedDefault`` and ``WrappedDefaultOptional`` have in common.
///
///     for setting in settings.settings {
///       print(setting.key, setting.text ?? "(none)")
///     }
public protocol DeclaredSetting<Value>: Sendable {
  /// The type of the setting's values: an optional one, if the setting has no default.
  associatedtype Value: Sendable

  /// The name under which the value is stored.
  var key: String { get }

  /// The value. Assigning stores.
  var wrappedValue: Value { get nonmutating set }

  /// Where the value comes from.
  var source: SettingSource { get }

  /// Whether anything is stored: beneath a launch argument or an environment variable too, and whether it can be
  /// read or not.
  var isStored: Bool { get }

  /// The value as a person types it; nil if there is none.
  ///
  /// Strings, numbers and Booleans are written plainly, dates in ISO 8601, URLs as they are, data as
  /// `<0102ff>`, and lists, dictionaries and `Codable` values as JSON.
  var text: String? { get }

  /// The default as a person types it; nil if there is none.
  var defaultText: String? { get }

  /// Assigns the value that a text means.
  ///
  /// It takes what ``text`` gives, and what a launch argument takes. `set(text: text)` leaves the value as it
  /// was.
  ///
  /// - Parameter text: The text.
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/undecodableValue`` if the text means no value of
  ///   the setting's type, or of kind ``DefaultsIssue/Kind/unencodableValue`` if the value cannot be stored.
  ///   Nothing changes then.
  func set(text: String) throws

  /// Removes the stored value, so that the default shows again.
  func reset()

  /// The current value, then each different one, whoever made the change.
  var updates: DefaultUpdates<Value> { get }

  /// Calls a function after each change of the value, whoever made it.
  ///
  ///     let observation = settings.$theme.onChange { old, new in
  ///       print("from \(old) to \(new)")
  ///     }
  ///
  /// The function is called with each different value, in the order of the changes and never twice at once, on
  /// the thread that made the change. If two threads make changes at once, one of them calls it for both. No
  /// lock of the library is held, so the function may read and assign settings.
  ///
  /// It hears what ``updates`` hears.
  ///
  /// - Parameter action: The function, which receives the value before the change and the one after it.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release it.
  func onChange(
    _ action: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SettingObservation
}

extension WrappedDefault: DeclaredSetting {
  /// The value as a person types it; nil if it cannot be stored.
  public var text: String? { wrappedValue.text }

  /// The default as a person types it; nil if it cannot be stored.
  public var defaultText: String? { defaultValue.text }

  /// Assigns the value that a text means.
  ///
  /// - Parameter text: What ``text`` gives, or what a launch argument takes.
  /// - Throws: ``DefaultsIssue`` if the text means no value of the setting's type; then nothing changes.
  public func set(text: String) throws {
    try setting.write(T.self, text: text)
  }

  /// Calls a function with the old and the new value after each change of the value, whoever made it.
  ///
  /// - Parameter action: The function. It is called as ``DeclaredSetting/onChange(_:)`` says.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release it.
  public func onChange(
    _ action: @escaping @Sendable (_ old: T, _ new: T) -> Void
  ) -> SettingObservation {
    setting.onChange(default: defaultValue) { action($0 ?? defaultValue, $1 ?? defaultValue) }
  }
}

extension WrappedDefaultOptional: DeclaredSetting {
  /// The value as a person types it; nil if there is none.
  public var text: String? { wrappedValue?.text }

  /// Nil, because the setting has no default.
  public var defaultText: String? { nil }

  /// Assigns the value that a text means.
  ///
  /// - Parameter text: What ``text`` gives, or what a launch argument takes.
  /// - Throws: ``DefaultsIssue`` if the text means no value of the setting's type; then nothing changes.
  public func set(text: String) throws {
    try setting.write(T.self, text: text)
  }

  /// Calls a function with the old and the new value after each change of the value, whoever made it.
  ///
  /// - Parameter action: The function. It is called as ``DeclaredSetting/onChange(_:)`` says.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release it.
  public func onChange(
    _ action: @escaping @Sendable (_ old: T?, _ new: T?) -> Void
  ) -> SettingObservation {
    setting.onChange(default: nil, action)
  }
}
