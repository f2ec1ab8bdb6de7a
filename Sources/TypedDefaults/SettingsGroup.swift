public import Foundation

/// A group of settings, such as those of a program, a window or an account.
///
/// Conform a struct or a final class. The declarations need no initializer and no store:
///
/// ```swift
/// struct AppSettings: SettingsGroup {
///   static let shared = AppSettings(in: .saved)
///
///   @WrappedDefault("theme") var theme = Theme.system
///   @WrappedDefaultOptional("nickname") var nickname: String?
/// }
///
/// let testSettings = AppSettings(in: .inMemory())
/// ```
///
/// A group may contain other groups, which use the store of the outer group.
///
/// > Important: While a group is created, each declaration that names no store becomes part of it.
/// An initializer or default inside the group may use another group for the first time, such as
/// `Other.shared`. Name the store of that group: `static let shared = Other(in: .standard)`.
public protocol SettingsGroup: Sendable {
  /// Creates the group in `UserDefaults.standard`, or in the store of the group that contains it.
  ///
  /// The compiler writes this initializer if each stored property has a default value.
  init()
}

extension SettingsGroup {
  /// Creates the group in a store.
  ///
  /// ```swift
  /// let account = Account(in: .standard, prefix: "account.\(id).")
  /// ```
  ///
  /// A declaration that names a store itself uses that store, without the prefix.
  ///
  /// - Parameters:
  ///   - userDefaults: The store of the settings.
  ///   - prefix: The text before the key of each setting.
  public init(in userDefaults: UserDefaults, prefix: String = "") {
    self = DeclaringGroup.make(in: userDefaults, prefix: prefix) { Self() }
  }

  /// Creates a group inside another group, in the store of the outer group.
  ///
  /// ```swift
  /// struct AppSettings: SettingsGroup {
  ///   let left = PaneSettings(prefix: "left.")
  ///   let right = PaneSettings(prefix: "right.")
  /// }
  /// ```
  ///
  /// - Parameter prefix: The text before the key of each setting, after the prefix of the outer
  ///   group.
  public init(prefix: String) {
    self = DeclaringGroup.make(prefix: prefix) { Self() }
  }

  /// The settings of the group and of the groups inside it, in the order of their declarations.
  ///
  /// Static properties are left out.
  public var settings: [any DeclaredSetting] {
    func settings(of mirror: Mirror) -> [any DeclaredSetting] {
      (mirror.superclassMirror.map(settings) ?? [])
        + mirror.children.flatMap { child -> [any DeclaredSetting] in
          if let setting = child.value as? any DeclaredSetting { return [setting] }
          return (child.value as? any SettingsGroup)?.settings ?? []
        }
    }
    return settings(of: Mirror(reflecting: self))
  }

  /// Removes the stored value of each setting, so that all settings return their defaults.
  public func resetAll() {
    let settings = settings
    Setting.transaction(of: settings.compactMap { ($0 as? any GroupMember)?.setting }) {
      for setting in settings { setting.reset() }
    }
  }

  /// Returns the stored values of the settings as an XML property list.
  ///
  /// The property list is a dictionary with the whole keys, prefixes included. It contains only
  /// stored values that can be read as the setting's type: no defaults, launch arguments or
  /// environment variables. Dates have whole seconds.
  ///
  /// - Returns: The data of the property list.
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/unencodableValue`` if a property
  ///   list cannot hold a stored value.
  public func exportData() throws -> Data {
    var contents = PreferencesContents()
    for member in settings.compactMap({ $0 as? any GroupMember }) {
      do {
        try contents.set(member.setting.exported(as: member.valueType), for: member.key)
      } catch {
        throw DefaultsIssue.notExported(key: member.key, error)
      }
    }
    return try contents.data()
  }

  /// Stores the values in the data, and resets each setting that the data lacks.
  ///
  /// All settings change, or none does. The settings of one store change in one
  /// ``Foundation/UserDefaults/transaction(_:)``. The import ignores keys of other settings.
  ///
  /// - Parameter data: The result of ``exportData()``, or another property list of a dictionary.
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/undecodableValue`` if a value
  ///   cannot be read as its setting's type. The same kind if the data is not a property list of a
  ///   dictionary, or has no key of the group. A ``DefaultsIssue`` of kind
  ///   ``DefaultsIssue/Kind/unencodableValue`` if a value cannot be stored.
  public func importData(_ data: Data) throws {
    guard let contents = try? PreferencesContents(parsing: data) else {
      throw DefaultsIssue.notImported(
        "the data is not a property list of a dictionary", "Import data that exportData() returned."
      )
    }
    let members = settings.compactMap { $0 as? any GroupMember }
    let keys = Set(contents.keys)
    guard keys.isEmpty || members.contains(where: { keys.contains($0.key) }) else {
      throw DefaultsIssue.notImported(
        "the data has no key of the group",
        "Import data of the same group, exported with the same prefix.")
    }
    let changes = try members.map { member in
      (member.setting, keys.contains(member.key) ? try member.imported(contents[member.key]) : nil)
    }
    Setting.transaction(of: members.map(\.setting)) {
      for (setting, object) in changes { setting.store(object, as: setting.declaration.type) }
    }
  }
}

/// A setting of any type, as its group uses it.
protocol GroupMember {
  var setting: Setting { get }
  var valueType: any UserDefaultsSerializable.Type { get }
}

extension GroupMember {
  fileprivate var key: String { setting.key }

  fileprivate func imported(_ object: PropertyListObject?) throws -> PropertyListObject {
    guard let object else {
      throw DefaultsIssue.notImported(
        "the value of \"\(key)\" is damaged", "Correct the value, or remove it from the data.",
        key: key)
    }
    return try setting.imported(object, as: valueType)
  }
}

extension WrappedDefault: GroupMember {
  var valueType: any UserDefaultsSerializable.Type { T.self }
}

extension WrappedDefaultOptional: GroupMember {
  var valueType: any UserDefaultsSerializable.Type { T.self }
}
