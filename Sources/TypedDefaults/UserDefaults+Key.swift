public import Foundation

extension UserDefaults {
  /// The name of a setting together with the type of its value.
  ///
  /// Keys are declared once and used wherever their setting is:
  ///
  ///     extension UserDefaults.Key where Value == Int {
  ///       static var volume: Self { .init() }  // named "volume"
  ///     }
  ///
  ///     UserDefaults.standard.set(7, for: .volume)
  ///     let volume = UserDefaults.standard.value(for: .volume)  // Int?
  public struct Key<Value>: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The name under which the value is stored.
    public let name: String

    /// Creates a key.
    ///
    /// - Parameter name: The name under which the value is stored. Left out, it is the name of the
    ///   computed property that creates the key: `static var volume: Self { .init() }` is "volume".
    ///   A stored `static let` has no such name, so it must give one.
    public init(name: String = #function) {
      self.name = name
    }

    /// Creates a key from a string literal, which is its name.
    public init(stringLiteral name: String) {
      self.name = name
    }
  }

  /// The value of a key; nil if there is none, or if what is stored is undecodable.
  ///
  /// As every accessor of `UserDefaults` does, it also returns a registered default. An undecodable
  /// value is reported as ``DefaultsIssue/Kind/undecodableValue``.
  @inlinable
  public func value<V: UserDefaultsSerializable>(for key: Key<V>) -> V? {
    Setting(key, in: self).read()
  }

  /// Stores a value under a key; nil removes what is stored.
  ///
  /// A value that cannot be encoded is reported as ``DefaultsIssue/Kind/unencodableValue``, and the
  /// old one stays.
  public func set<V: UserDefaultsSerializable>(_ value: V?, for key: Key<V>) {
    Setting(key, in: self).write(value)
  }

  /// Removes what is stored under a key, so that a registered default shows again.
  public func removeValue<V: UserDefaultsSerializable>(for key: Key<V>) {
    Setting(key, in: self).reset()
  }

  /// The value of a key, or nil, then each different one, whoever made the change.
  ///
  /// It hears what ``WrappedDefault/updates`` hears.
  public func updates<V: UserDefaultsSerializable>(for key: Key<V>) -> DefaultUpdates<V?> {
    Setting(key, in: self).updates()
  }
}
