public import Foundation

/// A setting with a default value, kept in `UserDefaults`.
///
///     struct AppSettings: Sendable {
///       static let shared = AppSettings()
///       @WrappedDefault("flagEnabled") var flagEnabled = true
///     }
///
///     AppSettings.shared.flagEnabled = false      // stored
///     AppSettings.shared.$flagEnabled.reset()     // true again
///
/// The default is registered, not stored. It is the value while nothing is stored, and while what is
/// stored cannot be read as a `T`, which is reported as ``DefaultsIssue/Kind/undecodableValue``.
@propertyWrapper
public struct WrappedDefault<T: UserDefaultsSerializable>: Sendable {
  @usableFromInline let setting: Setting

  /// The value while nothing is stored.
  public let defaultValue: T

  /// Declares a setting by the name of its key.
  ///
  /// - Parameters:
  ///   - keyName: The name under which the value is stored.
  ///   - defaultValue: The value while nothing is stored. It is registered, so that
  ///     `userDefaults.object(forKey:)` and its kin return it too.
  ///   - userDefaults: Where the value is stored. Leave it out for the store of the ``SettingsGroup`` that the
  ///     declaration is part of; outside such a group, that is `UserDefaults.standard`.
  @inlinable
  public init(keyName: String, defaultValue: T, userDefaults: UserDefaults? = nil) {
    self.init(wrappedValue: defaultValue, .init(name: keyName), userDefaults: userDefaults)
  }

  /// Declares a setting: `@WrappedDefault("volume") var volume = 4`.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value while nothing is stored. It is registered, so that
  ///     `userDefaults.object(forKey:)` and its kin return it too.
  ///   - key: The key under which the value is stored.
  ///   - formerly: The keys under which the value was stored before, the latest first. A read takes the
  ///     first that has a value, while nothing is stored under `key`. The first assignment stores under
  ///     `key` and removes the former ones.
  ///   - environment: The name of an environment variable that wins over what is stored. It is read once,
  ///     here, as a launch argument is.
  ///   - userDefaults: Where the value is stored. Leave it out for the store of the ``SettingsGroup`` that the
  ///     declaration is part of; outside such a group, that is `UserDefaults.standard`.
  @inlinable
  public init(
    wrappedValue: T, _ key: UserDefaults.Key<T>, formerly: String..., environment: String? = nil,
    userDefaults: UserDefaults? = nil
  ) {
    setting = Setting(
      declaring: key, formerly: formerly, environment: environment, in: userDefaults,
      default: wrappedValue)
    defaultValue = wrappedValue
  }

  @available(
    *, unavailable,
    message: "give the setting a default: @WrappedDefault(\"volume\") var volume = 4"
  )
  public init(_ key: UserDefaults.Key<T>, userDefaults: UserDefaults? = nil) {
    fatalError("unavailable")
  }

  @available(
    *, unavailable,
    message: "give the setting a default: @WrappedDefault(\"volume\") var volume = 4"
  )
  public init(keyName: String, userDefaults: UserDefaults? = nil) {
    fatalError("unavailable")
  }

  /// The stored value, or the default.
  ///
  /// Assigning stores.
  public var wrappedValue: T {
    @inlinable get { setting.read() ?? defaultValue }
    nonmutating set { setting.write(newValue) }
  }

  /// The setting itself, by which `$volume.key` or `$volume.reset()` are reached.
  public var projectedValue: Self { self }

  /// Where the value comes from.
  public var source: SettingSource { setting.source(T.self) }

  /// Whether anything is stored, be it beneath a launch argument or an environment variable, and whether it
  /// can be decoded or not.
  public var isStored: Bool { setting.isStored }

  /// The name under which the value is stored.
  public var key: String { setting.key }

  /// Removes the stored value, so that the default shows again.
  public func reset() {
    setting.reset()
  }

  /// Reads, changes and stores the value in one step, which no other assignment through this library
  /// in this process can come between: `$count.withLock { $0 += 1 }`.
  ///
  /// Reading or assigning the setting inside the body is safe. Nothing is stored if the body leaves
  /// the value as it was, or throws. In a store that several machines share, the body may run again:
  /// see ``DefaultsStore/revision(forKey:)``.
  ///
  /// > Important: If you use a second setting inside the body, use the two in the same order
  /// everywhere. Two threads that nest them in opposite orders wait for each other forever, without a
  /// warning.
  public func withLock<R>(_ body: (inout T) throws -> R) rethrows -> R {
    try setting.withLock(default: defaultValue) { stored in
      var value = stored ?? defaultValue
      defer { stored = value }
      return try body(&value)
    }
  }

  /// The current value, then each different one, whoever made the change.
  ///
  ///     for await volume in settings.$volume.updates {
  ///       print(volume)
  ///     }
  ///
  /// It hears of every change made through this library, in this process or another, and of
  /// `removePersistentDomain(forName:)` and `setPersistentDomain(_:forName:)`. A raw
  /// `userDefaults.set(_:forKey:)` is heard on Apple platforms; on Linux only in a store made by
  /// `UserDefaults.inMemory()`, because Foundation announces none: elsewhere its value shows at the
  /// next change that is heard. A subclass of `UserDefaults` whose values change by themselves
  /// calls ``DefaultsStore/announceChange(of:telling:)``, or posts `UserDefaults.didChangeNotification`.
  public var updates: DefaultUpdates<T> { setting.updates(default: defaultValue) }
}

/// Two wrappers are equal if they are one setting: of one key in one store. Their values and defaults
/// do not matter.
extension WrappedDefault: Hashable {
  /// Returns whether both are the same setting.
  public static func == (left: Self, right: Self) -> Bool {
    left.setting.identity == right.setting.identity
  }

  /// Hashes the key and the store.
  public func hash(into hasher: inout Hasher) { hasher.combine(setting.identity) }
}
