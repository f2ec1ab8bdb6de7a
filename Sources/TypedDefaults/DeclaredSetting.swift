/// A setting of any type, declared by ``WrappedDefault`` or ``WrappedDefaultOptional``.
///
/// ```swift
/// for setting in settings.settings {
///   print(setting.key, setting.text ?? "(none)")
/// }
/// ```
public protocol DeclaredSetting<Value>: Sendable, CustomStringConvertible {
  /// The type of the setting's values, which is optional if the setting has no default.
  associatedtype Value: Sendable

  /// The name under which the value is stored.
  var key: String { get }

  /// The value of the setting.
  ///
  /// Assign a value to store it. You can read and assign a setting on any thread.
  var wrappedValue: Value { get nonmutating set }

  /// The source of the value: an override, the store or the default.
  var source: SettingSource { get }

  /// Whether a value is stored, even one that is overridden or cannot be decoded.
  var isStored: Bool { get }

  /// The value as a person types it, or `nil` if there is no value.
  ///
  /// Strings, numbers, Booleans and URLs are plain text, and a file's URL is its path. Dates are in
  /// ISO 8601, and data is written as `<0102ff>`. Arrays, dictionaries, relative URLs and `Codable`
  /// values are JSON.
  var text: String? { get }

  /// The default as a person types it, or `nil` if there is no default.
  var defaultText: String? { get }

  /// The values that the setting accepts, in words, such as "an integer from 1 to 65535".
  var expectation: String { get }

  /// The texts of all values of a `CaseIterable` type or a `Bool`; otherwise empty.
  ///
  /// An enum that is not `CaseIterable` has none. A setting with a range has those in the range.
  var choices: [String] { get }

  /// The name of the environment variable that overrides the stored value, or `nil` if there is
  /// none.
  var environmentVariable: String? { get }

  /// The sentence for people that the declaration gives, or `nil` if there is none.
  var help: String? { get }

  /// Whether the value is in no report, description, copy or export.
  ///
  /// ``text`` returns the value of a secret all the same.
  var isSecret: Bool { get }

  /// The least value that the setting accepts, as ``expectation`` says it, or `nil` if that names
  /// none.
  var lowerBound: String? { get }

  /// The greatest value that the setting accepts, or `nil` if ``expectation`` names none.
  ///
  /// It is "9" for the integers in `0..<10`, and `nil` for the fractions in `0..<1`.
  var upperBound: String? { get }

  /// What is wrong with the value now, or `nil` if it can be read.
  ///
  /// The issue is that of the source that overrides all others. Asking for it reports nothing.
  ///
  /// ```swift
  /// for issue in settings.settings.compactMap(\.issue) {
  ///   print(issue)
  /// }
  /// ```
  var issue: DefaultsIssue? { get }

  /// Assigns the value that a text stands for.
  ///
  /// Reads the form of ``text``, and the list or dictionary of a launch argument. A URL has a scheme,
  /// or a path that begins with `/` or `~/`. If the method throws, nothing changes. An override, such
  /// as a launch argument, still wins over the assigned value.
  ///
  /// - Parameter text: The value as a person types it.
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/undecodableValue`` if the text is
  ///   no value of the setting's type, or of kind ``DefaultsIssue/Kind/unencodableValue`` if the
  ///   value cannot be stored.
  func set(text: String) throws

  /// Removes the stored value, so that the setting returns its default again, or `nil`.
  func reset()

  /// An asynchronous sequence of the current value, then each different one.
  ///
  /// ``DefaultUpdates`` lists the changes that it observes.
  var updates: DefaultUpdates<Value> { get }

  /// Calls a function after each change of the value.
  ///
  /// ```swift
  /// let observation = settings.$theme.onChange { old, new in
  ///   print("from \(old) to \(new)")
  /// }
  /// ```
  ///
  /// Calls come in the order of the changes and never two at once. Normally they come on the thread
  /// that made the change, so a slow function delays the assignment. A change by another process
  /// arrives on a background thread; of simultaneous changes, one thread delivers all. Your function
  /// may read and assign settings.
  ///
  /// ``DefaultUpdates`` lists the changes that it observes.
  ///
  /// - Parameter action: A function that receives the value before the change and the value after
  ///   it.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release
  ///   it.
  func onChange(
    _ action: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SettingObservation
}

extension DeclaredSetting {
  /// The key and the value, such as "volume = 4", which `print` writes, without the value of a secret.
  public var description: String {
    if isSecret { return "\(key) = (secret)" }
    let isOptional = Value.self is any ExpressibleByNilLiteral.Type
    return "\(key) = \(text ?? (isOptional ? "nil" : "a value that cannot be stored"))"
  }
}

extension WrappedDefault: DeclaredSetting, CustomReflectable {
  /// The value as a person types it, or `nil` if the value cannot be stored.
  public var text: String? { wrappedValue.text }

  /// The default as a person types it, or `nil` if the default cannot be stored.
  public var defaultText: String? { defaultValue.text }

  /// The values that the setting accepts, in words, such as "an integer from 1 to 65535".
  public var expectation: String { setting.expectation(of: T.self) }

  /// The texts of all values of a `CaseIterable` type or a `Bool`; otherwise empty.
  public var choices: [String] { setting.choices(of: T.self) }

  /// The name of the environment variable that overrides the stored value, or `nil` if there is
  /// none.
  public var environmentVariable: String? { setting.environmentVariable }

  /// The sentence for people that the declaration gives, or `nil` if there is none.
  public var help: String? { setting.declaration.help }

  /// Whether the value is in no report, description, copy or export.
  public var isSecret: Bool { setting.isSecret }

  /// The least value that the setting accepts, as ``expectation`` says it, or `nil`.
  public var lowerBound: String? { setting.bounds(of: T.self).lower }

  /// The greatest value that the setting accepts, as ``expectation`` says it, or `nil`.
  public var upperBound: String? { setting.bounds(of: T.self).upper }

  /// What is wrong with the value now, or `nil` if it can be read.
  public var issue: DefaultsIssue? { setting.presentIssue(as: T.self) }

  /// The key and the text, which `dump` writes, without the text of a secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "text": isSecret ? "(secret)" : text as Any])
  }

  /// Assigns the value that a text stands for.
  ///
  /// - Parameter text: The value as a person types it, in a form that ``DeclaredSetting/set(text:)`` reads.
  /// - Throws: A ``DefaultsIssue`` if the text is no value of the setting's type, or the value
  ///   cannot be stored. Nothing changes then.
  public func set(text: String) throws {
    try setting.write(T.self, text: text)
  }

  /// Calls a function after each change of the value, as ``DeclaredSetting/onChange(_:)``
  /// describes.
  ///
  /// - Parameter action: A function that receives the value before the change and the value after
  ///   it.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release
  ///   it.
  public func onChange(
    _ action: @escaping @Sendable (_ old: T, _ new: T) -> Void
  ) -> SettingObservation {
    setting.onChange(default: defaultValue) { action($0 ?? defaultValue, $1 ?? defaultValue) }
  }
}

extension WrappedDefaultOptional: DeclaredSetting, CustomReflectable {
  /// The value as a person types it, or `nil` if there is no value.
  public var text: String? { wrappedValue?.text }

  /// Always `nil`, because the setting has no default.
  public var defaultText: String? { nil }

  /// The values that the setting accepts, in words, such as "an integer from 1 to 65535".
  public var expectation: String { setting.expectation(of: T.self) }

  /// The texts of all values of a `CaseIterable` type or a `Bool`; otherwise empty.
  public var choices: [String] { setting.choices(of: T.self) }

  /// The name of the environment variable that overrides the stored value, or `nil` if there is
  /// none.
  public var environmentVariable: String? { setting.environmentVariable }

  /// The sentence for people that the declaration gives, or `nil` if there is none.
  public var help: String? { setting.declaration.help }

  /// Whether the value is in no report, description, copy or export.
  public var isSecret: Bool { setting.isSecret }

  /// The least value that the setting accepts, as ``expectation`` says it, or `nil`.
  public var lowerBound: String? { setting.bounds(of: T.self).lower }

  /// The greatest value that the setting accepts, as ``expectation`` says it, or `nil`.
  public var upperBound: String? { setting.bounds(of: T.self).upper }

  /// What is wrong with the value now, or `nil` if it can be read.
  public var issue: DefaultsIssue? { setting.presentIssue(as: T.self) }

  /// The key and the text, which `dump` writes, without the text of a secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "text": isSecret ? "(secret)" : text as Any])
  }

  /// Assigns the value that a text stands for.
  ///
  /// - Parameter text: The value as a person types it, in a form that ``DeclaredSetting/set(text:)`` reads.
  /// - Throws: A ``DefaultsIssue`` if the text is no value of the setting's type, or the value
  ///   cannot be stored. Nothing changes then.
  public func set(text: String) throws {
    try setting.write(T.self, text: text)
  }

  /// Calls a function after each change of the value, as ``DeclaredSetting/onChange(_:)``
  /// describes.
  ///
  /// - Parameter action: A function that receives the value before the change and the value after
  ///   it.
  /// - Returns: The observation. It ends when you call ``SettingObservation/cancel()`` or release
  ///   it.
  public func onChange(
    _ action: @escaping @Sendable (_ old: T?, _ new: T?) -> Void
  ) -> SettingObservation {
    setting.onChange(default: nil, action)
  }
}
