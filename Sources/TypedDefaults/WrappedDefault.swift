public import Foundation

/// A setting with a default value, kept in `UserDefaults`.
///
/// ```swift
/// struct AppSettings: SettingsGroup {
///   static let shared = AppSettings(in: .saved)
///   @WrappedDefault("flagEnabled") var flagEnabled = true
/// }
///
/// AppSettings.shared.flagEnabled = false  // stored
/// AppSettings.shared.$flagEnabled.reset()  // true again
/// ```
///
/// While nothing is stored, the setting returns its default, which the library registers and does not
/// store. If the stored value cannot be read as a `T`, the setting also returns its default, and
/// reports a ``DefaultsIssue/Kind/undecodableValue``. A value that an argument, a variable or an
/// administrator gives comes before the default: see ``SettingSource``.
///
/// You can use the setting on any thread, and assign it through a `let` as well as through a `var`.
@propertyWrapper
public struct WrappedDefault<T: UserDefaultsSerializable>: Sendable {
  @usableFromInline let setting: Setting

  /// The value that the setting returns while no other source has one.
  public let defaultValue: T

  /// Creates a setting from the name of its key.
  ///
  /// - Parameters:
  ///   - keyName: The name under which the value is stored.
  ///   - defaultValue: The value while no other source has one. The initializer registers it, so that raw
  ///     accessors such as `userDefaults.object(forKey:)` return it too.
  ///   - userDefaults: The store. If you name none, it is that of the ``SettingsGroup`` that
  ///     contains the declaration and, outside a group, `UserDefaults.standard`.
  public init(keyName: String, defaultValue: T, userDefaults: UserDefaults? = nil) {
    self.init(wrappedValue: defaultValue, .init(name: keyName), userDefaults: userDefaults)
  }

  /// Creates a setting from its key and the value of its property.
  ///
  /// ```swift
  /// @WrappedDefault("volume") var volume = 4
  /// ```
  ///
  /// - Parameters:
  ///   - wrappedValue: The value while no other source has one. The initializer registers it, so that raw
  ///     accessors such as `userDefaults.object(forKey:)` return it too.
  ///   - key: The key under which the value is stored.
  ///   - formerly: The former names of the key, the latest first, and how to convert values of another
  ///     type: see ``Foundation/UserDefaults/FormerKey``. While nothing is stored under `key`, a read takes
  ///     the first of them that has a value. The first assignment removes them.
  ///   - environment: The name of an environment variable that overrides the stored value. The
  ///     initializer reads the variable once, in the form of a launch argument, but takes the text for a
  ///     `String` as it is, quotes included.
  ///   - help: A sentence for people, such as "How loud the music is.", which
  ///     ``DeclaredSetting/help`` returns.
  ///   - isSecret: Whether the value is in no report, description, copy or export. The file holds it
  ///     as plain text all the same.
  ///   - userDefaults: The store. If you name none, it is that of the ``SettingsGroup`` that
  ///     contains the declaration and, outside a group, `UserDefaults.standard`.
  public init(
    wrappedValue: T, _ key: UserDefaults.Key<T>, formerly: UserDefaults.FormerKey<T>...,
    environment: String? = nil,
    help: String? = nil, isSecret: Bool = false, userDefaults: UserDefaults? = nil
  ) {
    setting = Setting(
      declaring: key, formerly: formerly, environment: environment, help: help,
      isSecret: isSecret, in: userDefaults, default: wrappedValue)
    defaultValue = wrappedValue
  }

  /// Creates a setting that accepts the values in a range.
  ///
  /// ```swift
  /// @WrappedDefault("port", in: 1...65535) var port = 8080
  /// ```
  ///
  /// A value outside the range is treated as one of another type, wherever it comes from. If you assign
  /// such a value, the setting keeps the old one and reports a
  /// ``DefaultsIssue/Kind/unencodableValue``. The range belongs to this declaration: a typed key of the
  /// same name has none.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value while no other source has one, in the range.
  ///   - key: The key under which the value is stored.
  ///   - range: The values that the setting accepts: a range of any kind.
  ///   - formerly: The former names of the key, the latest first, as in
  ///     ``init(wrappedValue:_:formerly:environment:help:isSecret:userDefaults:)``.
  ///   - environment: The name of an environment variable that overrides the stored value.
  ///   - help: A sentence for people, such as "How loud the music is.", which
  ///     ``DeclaredSetting/help`` returns.
  ///   - isSecret: Whether the value is in no report, description, copy or export. The file holds it
  ///     as plain text all the same.
  ///   - userDefaults: The store. If you name none, it is that of the ``SettingsGroup`` that
  ///     contains the declaration and, outside a group, `UserDefaults.standard`.
  public init(
    wrappedValue: T, _ key: UserDefaults.Key<T>, in range: some RangeExpression<T> & Sendable,
    formerly: UserDefaults.FormerKey<T>..., environment: String? = nil, help: String? = nil,
    isSecret: Bool = false,
    userDefaults: UserDefaults? = nil
  ) where T: Comparable {
    setting = Setting(
      declaring: key, range: DeclaredRange(range), formerly: formerly, environment: environment,
      help: help, isSecret: isSecret, in: userDefaults, default: wrappedValue)
    defaultValue = wrappedValue
  }

  @available(*, unavailable, message: "give a default: @WrappedDefault(\"volume\") var volume = 4")
  public init(_ key: UserDefaults.Key<T>, userDefaults: UserDefaults? = nil) {
    fatalError("unavailable")
  }

  /// The value of the first source that has one: an override, the store or the default.
  ///
  /// You can read and assign the setting on any thread. A read waits for no other thread and, after
  /// the first use of the store, for no disk. Of a wrong value, it calls your handler of issues once.
  /// An assignment changes memory at once, calls the
  /// functions that you passed to ``onChange(_:)``, and leaves saving to the background. It waits
  /// while another thread changes the same setting, as in ``withLock(_:)``.
  public var wrappedValue: T {
    @inlinable get { setting.read() ?? defaultValue }
    nonmutating set { setting.write(newValue) }
  }

  /// The setting, for `$volume.key`, `$volume.reset()` and its other members.
  public var projectedValue: Self { self }

  /// The source of the value: an override, the store or the default.
  public var source: SettingSource { setting.source(T.self) }

  /// Whether a value is stored, even one that is overridden or cannot be decoded.
  public var isStored: Bool { setting.isStored }

  /// The name under which the value is stored, with the prefix of the group.
  public var key: String { setting.key }

  /// Removes the stored value, so that the setting returns its default again.
  public func reset() {
    setting.reset()
  }

  /// Changes the value in one step, so that no assignment of another thread is lost.
  ///
  /// ```swift
  /// settings.$count.withLock { $0 += 1 }
  /// ```
  ///
  /// Other threads that change the setting wait until the body has returned, but reads do not. You
  /// may read and assign the setting inside the body. If the body throws or does not change the
  /// value, the method stores nothing. In a store that several machines share, the body may run
  /// more than once: see ``DefaultsStore/revision(forKey:)``.
  ///
  /// > Important: If you use a second setting inside the body, use the two in the same order
  /// everywhere. Two threads that nest them in opposite orders wait for each other forever.
  ///
  /// - Parameter body: A function that receives the value and may change it. No other assignment
  ///   through this library in this process comes between.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws.
  public func withLock<R>(_ body: (inout T) throws -> R) rethrows -> R {
    try setting.withLock(default: defaultValue) { stored in
      var value = stored ?? defaultValue
      defer { stored = value }
      return try body(&value)
    }
  }

  /// An asynchronous sequence of the current value, then each different one.
  ///
  /// ```swift
  /// for await volume in settings.$volume.updates {
  ///   print(volume)
  /// }
  /// ```
  ///
  /// ``DefaultUpdates`` lists the changes that it observes.
  public var updates: DefaultUpdates<T> {
    setting.updates(default: defaultValue) { $0 ?? defaultValue }
  }
}

// Two wrappers are equal if they are one setting. Their values and defaults do not matter.
extension WrappedDefault: Hashable {
  /// Returns whether two wrappers have the same key in the same store.
  ///
  /// - Parameters:
  ///   - left: A wrapper.
  ///   - right: Another wrapper.
  /// - Returns: `true` if both are the same setting, whatever their defaults are.
  public static func == (left: Self, right: Self) -> Bool {
    left.setting.identity == right.setting.identity
  }

  /// Hashes the key and the store.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) { hasher.combine(setting.identity) }
}
