public import Foundation

extension UserDefaults {
  /// A name under which a setting was kept before, and how its value becomes one of today.
  ///
  /// A string literal is the name of a setting of the same type. If the type was another one, say how to
  /// convert its values:
  ///
  /// ```swift
  /// struct AppSettings: SettingsGroup {
  ///   @WrappedDefault(
  ///     "refresh", in: .seconds(30)...(.seconds(86_400)),
  ///     formerly: .init("refreshMinutes") { (minutes: Int) in
  ///       let (seconds, isTooLarge) =
  ///         minutes.multipliedReportingOverflow(by: 60)
  ///       return isTooLarge ? nil : .seconds(seconds)
  ///     })
  ///   var refresh = Duration.seconds(600)
  /// }
  /// ```
  ///
  /// The setting then reads an old value wherever it reads a former key: in the store, in an administrator's
  /// file, and as a launch argument such as `-refreshMinutes 5`. A read stores nothing. The first
  /// assignment stores the new form, and removes the old one in the same save.
  ///
  /// > Important: Name a former key in one setting only. Of two settings, the first that is assigned removes
  /// the old value for both.
  public struct FormerKey<Value>: Sendable, ExpressibleByStringInterpolation {
    let former: FormerName

    /// The name under which the value was stored.
    public var name: String { former.name }

    /// Creates a former key of a setting of the same type.
    ///
    /// - Parameter name: The name under which the value was stored.
    public init(name: String) {
      former = FormerName(name: name)
    }

    /// Creates a former key of a setting of another type.
    ///
    /// A value that `Old` cannot read, that has no new value, or whose new value is not in the setting's
    /// range is reported as ``DefaultsIssue/Kind/undecodableValue``, and kept.
    ///
    /// > Important: People and other programs write the old value, so it may be any `Old`, such as
    /// `Int.max`. Do not let arithmetic trap.
    ///
    /// - Parameters:
    ///   - name: The name under which the value was stored.
    ///   - convert: A function that returns the new value of an old one, or `nil` if there is none. It may
    ///     run on any thread, and on two at once. The setting keeps the result until the old value changes.
    public init<Old: UserDefaultsSerializable>(
      _ name: String, convert: @escaping @Sendable (Old) -> Value?
    ) where Value: Sendable {
      former = FormerName(name: name, conversion: Conversion(convert))
    }

    /// Creates a former key of a setting of the same type from a string literal.
    ///
    /// - Parameter name: The name under which the value was stored.
    public init(stringLiteral name: String) { self.init(name: name) }
  }
}
