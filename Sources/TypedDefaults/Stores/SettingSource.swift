/// The source of a setting's value: an override, the store or a default.
///
/// A setting takes its value from the first source that has a readable one, in the order of the topics
/// below. <doc:SettingsAsAWhole> says who gives each.
public struct SettingSource: Hashable, Sendable, CustomStringConvertible {
  /// The name of the source, such as "stored", which `print` writes.
  public let description: String

  /// An administrator's value, which nothing overrides.
  public static let managed = Self(description: "managed")

  /// A launch argument, such as `-volume 7`.
  public static let launchArgument = Self(description: "launch argument")

  /// The environment variable that the declaration names.
  public static let environment = Self(description: "environment")

  /// The value that the store holds.
  public static let stored = Self(description: "stored")

  /// An administrator's default, in place of that of the declaration.
  public static let system = Self(description: "system")

  /// The default of the declaration, because no other source has a value that can be decoded.
  public static let defaultValue = Self(description: "default")
}
