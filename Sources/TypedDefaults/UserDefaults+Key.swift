public import Foundation

extension UserDefaults {
  /// The name of a setting together with the type of its value.
  ///
  /// Declare a key once, and use it with any store:
  ///
  /// ```swift
  /// extension UserDefaults.Key where Value == Int {
  ///   static var volume: Self { .init() }  // named "volume"
  /// }
  ///
  /// UserDefaults.saved.set(7, for: .volume)
  /// let volume = UserDefaults.saved.value(for: .volume)  // Int?
  /// ```
  public struct Key<Value>: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The name under which the value is stored.
    public let name: String

    /// The names under which the value was stored before, the latest first.
    @usableFromInline let formerly: [String]

    /// Creates a key from its name.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - formerly: The former names of the key, the latest first. While nothing is stored under
    ///     `name`, a read takes the first of them that has a value. The first assignment removes
    ///     them.
    public init(name: String, formerly: String...) {
      self.init(name: name, formerly: formerly)
    }

    init(name: String, formerly: [String]) {
      self.name = name
      self.formerly = formerly
    }

    /// Creates a key with the name of the computed property that contains the call.
    ///
    /// ```swift
    /// extension UserDefaults.Key where Value == Bool {
    ///   static var showsHints: Self { .init() }
    /// }
    /// ```
    ///
    /// > Important: Give a stored `static let` its name, by ``init(name:formerly:)`` or a string
    /// literal. Without one it has the name of the type or function that contains it or, outside of
    /// them, of the module. Two such keys overwrite each other.
    ///
    /// - Parameter function: The name of the key, which the compiler fills in.
    public init(function: String = #function) {
      self.init(name: function)
    }

    /// Creates a key from a string literal.
    ///
    /// - Parameter name: The name under which the value is stored.
    public init(stringLiteral name: String) {
      self.init(name: name)
    }
  }

  /// Returns the value of a key.
  ///
  /// As every accessor of `UserDefaults` does, this method also returns a registered default. It
  /// costs more than a read of a declared setting, because it looks up the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, or `nil` if nothing is stored or registered. If the stored value cannot
  ///   be read, the value of an administrator, or else `nil`, with a report of
  ///   ``DefaultsIssue/Kind/undecodableValue``.
  @inlinable
  public func value<V: UserDefaultsSerializable>(for key: Key<V>) -> V? {
    Setting(key, in: self).read()
  }

  /// Returns the stored value of a key, beneath overrides and registered defaults.
  ///
  /// Use this method to split what an older version of your program has stored into several settings. If
  /// only the type of a setting has changed, declare a ``Foundation/UserDefaults/FormerKey`` with one.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, or `nil` if nothing is stored. If the stored value cannot be read, also
  ///   `nil`, with a report of ``DefaultsIssue/Kind/undecodableValue``.
  public func storedValue<V: UserDefaultsSerializable>(for key: Key<V>) -> V? {
    Setting(key, in: self).value(at: .stored)
  }

  /// Stores a value under a key.
  ///
  /// Memory changes at once, and the library saves the change in the background. If the value
  /// cannot be encoded, the library keeps the old one and reports a
  /// ``DefaultsIssue/Kind/unencodableValue``.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil` to remove the stored value.
  ///   - key: The key.
  public func set<V: UserDefaultsSerializable>(_ value: V?, for key: Key<V>) {
    Setting(key, in: self).write(value)
  }

  /// Removes the stored value of a key, so that a read returns a registered default again, or `nil`.
  ///
  /// - Parameter key: The key.
  public func removeValue<V: UserDefaultsSerializable>(for key: Key<V>) {
    Setting(key, in: self).reset()
  }

  /// Returns an asynchronous sequence of the current value of a key, or `nil`, then each different
  /// one.
  ///
  /// ``DefaultUpdates`` lists the changes that it observes.
  ///
  /// - Parameter key: The key.
  /// - Returns: The sequence.
  public func updates<V: UserDefaultsSerializable>(for key: Key<V>) -> DefaultUpdates<V?> {
    Setting(key, in: self).updates { $0 }
  }
}
