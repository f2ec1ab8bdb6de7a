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

    /// The names under which the value was stored before, the latest first.
    let formerly: [String]

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored.
    ///   - formerly: The names under which the value was stored before, the latest first. A read takes
    ///     the first that has a value, while nothing is stored under the name itself. The first
    ///     assignment stores under the name itself and removes the former ones.
    public init(name: String, formerly: String...) {
      self.init(name: name, formerly: formerly)
    }

    init(name: String, formerly: [String]) {
      self.name = name
      self.formerly = formerly
    }

    /// The former names of the key, and more.
    func formerly(_ names: [String]) -> [String] { formerly.isEmpty ? names : formerly + names }

    /// Creates a key with the name of the computed property that this call is in:
    /// `static var volume: Self { .init() }` is "volume".
    ///
    /// A stored `static let` has no such name: give it one by ``init(name:formerly:)`` or a string literal. Two
    /// that have none would both be called as the type that they are in, which is reported as
    /// ``DefaultsIssue/Kind/conflictingDefault``.
    ///
    /// - Parameters:
    ///   - function: Leave it out.
    ///   - fileID: Leave it out.
    ///   - line: Leave it out.
    ///   - column: Leave it out.
    public init(
      function: String = #function, fileID: String = #fileID, line: Int = #line,
      column: Int = #column
    ) {
      self.init(name: function)
      NamelessKeys.note(function, at: "\(fileID):\(line):\(column)")
    }

    /// Creates a key from a string literal, which is its name.
    public init(stringLiteral name: String) {
      self.init(name: name)
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
