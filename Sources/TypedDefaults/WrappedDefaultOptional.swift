public import Foundation

/// A setting without a default value, kept in `UserDefaults`.
///
/// ```swift
/// struct AppSettings: SettingsGroup {
///   static let shared = AppSettings(in: .saved)
///   @WrappedDefaultOptional("timestamp") var timestamp: Date?
/// }
///
/// AppSettings.shared.timestamp = .now  // stored
/// AppSettings.shared.timestamp = nil  // removed
/// ```
///
/// While nothing is stored, the setting is `nil`, even if a default is registered for its key. If the
/// stored value cannot be read as a `T`, the setting is also `nil`, and reports a
/// ``DefaultsIssue/Kind/undecodableValue``. A value that an argument, a variable or an administrator
/// gives comes first: see ``SettingSource``.
@propertyWrapper
public struct WrappedDefaultOptional<T: UserDefaultsSerializable>: Sendable {
  @usableFromInline let setting: Setting

  /// Creates a setting from the name of its key.
  ///
  /// - Parameters:
  ///   - keyName: The name under which the value is stored.
  ///   - userDefaults: The store. If you name none, it is that of the ``SettingsGroup`` that
  ///     contains the declaration and, outside a group, `UserDefaults.standard`.
  public init(keyName: String, userDefaults: UserDefaults? = nil) {
    self.init(.init(name: keyName), userDefaults: userDefaults)
  }

  /// Creates a setting from its key.
  ///
  /// ```swift
  /// @WrappedDefaultOptional("nickname") var nickname: String?
  /// ```
  ///
  /// - Parameters:
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
    _ key: UserDefaults.Key<T>, formerly: UserDefaults.FormerKey<T>..., environment: String? = nil,
    help: String? = nil, isSecret: Bool = false, userDefaults: UserDefaults? = nil
  ) {
    setting = Setting(
      declaring: key, formerly: formerly, environment: environment, help: help,
      isSecret: isSecret, in: userDefaults, default: nil)
  }

  /// Creates a setting that accepts the values in a range.
  ///
  /// ```swift
  /// @WrappedDefaultOptional("limit", in: 1...) var limit: Int?
  /// ```
  ///
  /// A value outside the range is treated as one of another type, wherever it comes from. If you assign
  /// such a value, the setting keeps the old one and reports a
  /// ``DefaultsIssue/Kind/unencodableValue``. The range belongs to this declaration: a typed key of the
  /// same name has none.
  ///
  /// - Parameters:
  ///   - key: The key under which the value is stored.
  ///   - range: The values that the setting accepts: a range of any kind.
  ///   - formerly: The former names of the key, the latest first, as in
  ///     ``init(_:formerly:environment:help:isSecret:userDefaults:)``.
  ///   - environment: The name of an environment variable that overrides the stored value.
  ///   - help: A sentence for people, such as "How loud the music is.", which
  ///     ``DeclaredSetting/help`` returns.
  ///   - isSecret: Whether the value is in no report, description, copy or export. The file holds it
  ///     as plain text all the same.
  ///   - userDefaults: The store. If you name none, it is that of the ``SettingsGroup`` that
  ///     contains the declaration and, outside a group, `UserDefaults.standard`.
  public init(
    _ key: UserDefaults.Key<T>, in range: some RangeExpression<T> & Sendable,
    formerly: UserDefaults.FormerKey<T>...,
    environment: String? = nil, help: String? = nil, isSecret: Bool = false,
    userDefaults: UserDefaults? = nil
  ) where T: Comparable {
    setting = Setting(
      declaring: key, range: DeclaredRange(range), formerly: formerly, environment: environment,
      help: help, isSecret: isSecret, in: userDefaults, default: nil)
  }

  @available(*, unavailable, message: "leave out the default, or use @WrappedDefault without '?'")
  public init(
    wrappedValue: T?, _ key: UserDefaults.Key<T>, userDefaults: UserDefaults? = nil
  ) {
    fatalError("unavailable")
  }

  /// The value of the first source that has one, or `nil`.
  ///
  /// Assign a value to store it, or `nil` to remove the stored value. Threads and waiting are those
  /// of ``WrappedDefault/wrappedValue``.
  public var wrappedValue: T? {
    @inlinable get { setting.read() }
    nonmutating set { setting.write(newValue) }
  }

  /// The setting, for `$nickname.key`, `$nickname.reset()` and its other members.
  public var projectedValue: Self { self }

  /// The source of the value: an override, the store or the default.
  public var source: SettingSource { setting.source(T.self) }

  /// Whether a value is stored, even one that is overridden or cannot be decoded.
  public var isStored: Bool { setting.isStored }

  /// The name under which the value is stored, with the prefix of the group.
  public var key: String { setting.key }

  /// Removes the stored value, as an assignment of `nil` does.
  public func reset() {
    setting.reset()
  }

  /// Changes the value in one step, so that no assignment of another thread is lost.
  ///
  /// ```swift
  /// settings.$nicknames.withLock { $0?.append("Bob") }
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
  public func withLock<R>(_ body: (inout T?) throws -> R) rethrows -> R {
    try setting.withLock(body)
  }

  /// An asynchronous sequence of the current value or `nil`, then each different one.
  ///
  /// ```swift
  /// for await nickname in settings.$nickname.updates {
  ///   print(nickname ?? "(none)")
  /// }
  /// ```
  ///
  /// ``DefaultUpdates`` lists the changes that it observes.
  public var updates: DefaultUpdates<T?> { setting.updates { $0 } }
}

// Two wrappers are equal if they are one setting. Their values do not matter.
extension WrappedDefaultOptional: Hashable {
  /// Returns whether two wrappers have the same key in the same store.
  ///
  /// - Parameters:
  ///   - left: A wrapper.
  ///   - right: Another wrapper.
  /// - Returns: `true` if both are the same setting.
  public static func == (left: Self, right: Self) -> Bool {
    left.setting.identity == right.setting.identity
  }

  /// Hashes the key and the store.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) { hasher.combine(setting.identity) }
}
