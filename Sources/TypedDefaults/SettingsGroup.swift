public import Foundation

/// Settings that belong together: those of a program, of a window, of an account.
///
/// Conform a struct or a final class. The declarations need no initialiser and no store:
///
///     struct AppSettings: SettingsGroup {
///       static let shared = AppSettings(in: .saved)
///
///       @WrappedDefault("theme") var theme = Theme.system
///       @WrappedDefaultOptional("nickname") var nickname: String?
///     }
///
///     let testSettings = AppSettings(in: .inMemory())
///
/// A group may hold other groups. They are kept in the store of the outer one.
///
/// > Important: While a group is made, each declaration that names no store becomes part of it. If an
/// initialiser or a default inside the group uses another group for the first time, such as
/// `OtherSettings.shared`, that group must name its store: `static let shared = OtherSettings(in: .standard)`.
public protocol SettingsGroup: Sendable {
  /// Creates the group, with its settings in `UserDefaults.standard`, or in the store of the group that is
  /// being made.
  ///
  /// The compiler writes this initialiser if each setting has a default.
  init()
}

extension SettingsGroup {
  /// Creates the group with its settings in a store.
  ///
  ///     let account = Account(in: .standard, prefix: "account.\(id).")
  ///
  /// - Parameters:
  ///   - userDefaults: Where the settings are kept. A declaration that names a store keeps its own.
  ///   - prefix: The beginning of the settings' keys, before the names that the declarations give. A
  ///     declaration that names a store has none.
  public init(in userDefaults: UserDefaults, prefix: String = "") {
    self = DeclaringGroup.make(in: userDefaults, prefix: prefix) { Self() }
  }

  /// Creates a group inside another, in the store of that one.
  ///
  ///     struct AppSettings: SettingsGroup {
  ///       let left = PaneSettings(prefix: "left.")
  ///       let right = PaneSettings(prefix: "right.")
  ///     }
  ///
  /// - Parameter prefix: The beginning of the settings' keys, after the prefix of the outer group.
  public init(prefix: String) {
    self = DeclaringGroup.make(prefix: prefix) { Self() }
  }

  /// The settings in the order of their declarations, those of groups inside included.
  ///
  /// Static properties are not among them.
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

  /// Removes the stored value of each setting, so that the defaults show again.
  public func resetAll() {
    let settings = settings
    Setting.transaction(of: settings.compactMap { ($0 as? any GroupMember)?.setting }) {
      for setting in settings { setting.reset() }
    }
  }

  /// Returns what is stored of the settings, as an XML property list.
  ///
  /// The property list is a dictionary, with the settings' whole keys. It does not hold defaults, launch
  /// arguments, environment variables and what cannot be read as the setting's type. Dates have whole seconds.
  ///
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/unencodableValue`` if a stored value has no form
  ///   that a property list can hold.
  public func exportData() throws -> Data {
    var contents = PreferencesContents()
    for member in settings.compactMap({ $0 as? any GroupMember }) {
      do {
        try contents.set(member.setting.storedObject(as: member.valueType), for: member.key)
      } catch {
        throw DefaultsIssue.notExported(key: member.key, error)
      }
    }
    return try contents.data()
  }

  /// Gives each setting its value in the data, and resets each setting that the data lacks.
  ///
  /// All settings change, or none does: of one store as one ``Foundation/UserDefaults/transaction(_:)``. Keys
  /// that are of no setting of the group are passed over.
  ///
  /// - Parameter data: What ``exportData()`` has returned, or another property list of a dictionary.
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/undecodableValue``, which says which setting cannot
  ///   have its value and why, or that the data is no property list, or has no key of the group.
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
      for (setting, object) in changes { setting.store(object) }
    }
  }
}

/// What a group needs of its settings, whatever their type.
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
