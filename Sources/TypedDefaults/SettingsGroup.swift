public import Foundation

/// A group of settings, such as those of a program, a window or an account.
///
/// Conform a struct, which needs no initializer, or a final class, which in Swift 6 mode is
/// `@unchecked Sendable` as well:
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
/// `Other.shared`. Name the store of that group: `static let shared = Other(in: .saved)`.
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
  /// let account = Account(in: .saved, prefix: "account/\(id)/")
  /// ```
  ///
  /// A declaration that names a store itself uses that store, without the prefix. If this is the
  /// first use of the store, your thread waits while the library reads the file.
  ///
  /// - Parameters:
  ///   - userDefaults: The store of the settings.
  ///   - prefix: The text before the key of each setting.
  ///   - formerPrefixes: The prefixes that the group had before, the latest first. Each name that a
  ///     setting has or had is a former key under each of them.
  public init(
    in userDefaults: UserDefaults, prefix: String = "", formerly formerPrefixes: String...
  ) {
    self = DeclaringGroup.make(in: userDefaults, prefix: prefix, formerPrefixes: formerPrefixes) {
      Self()
    }
  }

  /// Creates a group inside another group, in the store of the outer group.
  ///
  /// ```swift
  /// struct AppSettings: SettingsGroup {
  ///   let left = PaneSettings(prefix: "left/")
  ///   let right = PaneSettings(prefix: "right/")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: The text before the key of each setting, after the prefix of the outer group.
  ///   - formerPrefixes: The prefixes that the group had before in the outer group, the latest first.
  ///     They apply under each former prefix of the outer group, too.
  public init(prefix: String, formerly formerPrefixes: String...) {
    self = DeclaringGroup.make(in: nil, prefix: prefix, formerPrefixes: formerPrefixes) { Self() }
  }

  /// The settings of the group and of the groups inside it, in the order of their declarations.
  ///
  /// Settings and groups inside arrays, tuples, optionals and plain structs are listed too, and so
  /// are those in the values of dictionaries, sorted by key. Static properties are not. Each
  /// access looks at the group by reflection, so keep the list for use in a loop.
  ///
  /// > Important: In a program that is compiled with `-disable-reflection-metadata`, the list is
  /// empty, and all that uses it does nothing: an export, an import or a reset of the group.
  public var settings: [any DeclaredSetting] {
    TypedDefaults.settings(in: Mirror(reflecting: self))
  }

  /// Returns the setting of a key.
  ///
  /// ```swift
  /// try settings["volume"]?.set(text: "7")
  /// ```
  ///
  /// - Parameter key: The key with the group's prefix or without it. The whole key comes first.
  /// - Returns: The setting, or `nil` if the group has none of this key.
  public subscript(key: String) -> (any DeclaredSetting)? {
    let settings = settings
    if let setting = settings.first(where: { $0.key == key }) { return setting }
    let prefix = GroupPlace.of(Self.self, settings.members).prefix
    return settings.first { $0.key == prefix + key }
  }

  /// The keys of stored values under the group's prefix that no setting of the group has, sorted.
  ///
  /// ```swift
  /// for key in settings.unknownKeys {
  ///   print("unknown setting: \(key)")
  /// }
  /// ```
  ///
  /// For example, a key with a typing error in an edited file is unknown. Former keys of the group,
  /// its copies with `.undecodable` after the key, and keys that begin with `NS`, `Apple` or
  /// `com.apple.` are never in the list.
  ///
  /// > Important: If the group has no prefix, each key in its store that belongs to another group is
  /// unknown.
  public var unknownKeys: [String] {
    Setting.unknownKeys(of: Self.self, settings.members)
  }

  /// Removes the stored value of each setting, so that each returns its default again.
  public func resetAll() {
    let settings = settings
    Setting.transaction(of: settings.members) {
      for setting in settings { setting.reset() }
    }
  }

  /// Waits until every change in the group's stores is saved, as
  /// ``Foundation/UserDefaults/flush()`` does for one store.
  ///
  /// - Throws: The first ``DefaultsIssue`` of a store that could not be saved. The others are saved
  ///   all the same.
  public func flush() throws {
    try Setting.flush(settings.members)
  }

  /// Waits until every change in the group's stores is saved, without blocking a thread of the caller.
  ///
  /// - Parameter isolation: The actor of the caller.
  /// - Throws: As the method that blocks, or a `CancellationError`.
  public func flush(isolation: isolated (any Actor)? = #isolation) async throws {
    let members = settings.members
    try await AwaitedWork.wait(isolation: isolation) { try Setting.flush(members) }
  }

  /// Makes several changes as one, as ``Foundation/UserDefaults/transaction(_:)`` does for one store.
  ///
  /// If the settings are in several stores, each store saves its changes by itself, one after the
  /// other.
  ///
  /// - Parameter body: A function that changes settings of the group.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws.
  public func transaction<R>(_ body: () throws -> R) rethrows -> R {
    try Setting.transaction(of: settings.members, body)
  }

  /// Makes several changes as one, while on Linux no other process comes between, as
  /// ``Foundation/UserDefaults/exclusively(_:)`` does for one store.
  ///
  /// If the settings are in several stores, each store saves its changes by itself, one after the
  /// other.
  ///
  /// - Parameter body: A short function that reads and changes settings of the group.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws, or a ``DefaultsIssue`` if the changes cannot be made
  ///   now.
  public func exclusively<R>(_ body: () throws -> R) throws -> R {
    try Setting.exclusively(of: settings.members, body)
  }

  /// Returns the stored values of the settings as a property list, in the format of the file.
  ///
  /// The property list is a dictionary with the whole keys, prefixes included. It contains what is
  /// stored, even if that cannot be read, and no defaults or overrides. What is stored under a former
  /// key has the present one, and today's form if it is converted; what cannot be converted keeps its key
  /// and form. A date with a fraction of a second is a string that is read as the same
  /// date: in ISO 8601 in the years 1583 to 9999.
  ///
  /// The key `TypedDefaults` has a dictionary with the group's `prefix`, the list `unreadable` of keys
  /// whose values cannot be read, and whether the data `includesSecrets`. A setting of this key is in no export.
  ///
  /// - Parameter includingSecrets: Whether the data has the values of secrets, as plain text.
  /// - Returns: The data of the property list.
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/unencodableValue`` if a property
  ///   list cannot hold a stored value.
  public func exportData(includingSecrets: Bool = false) throws -> Data {
    let settings = settings.members
    var origin: [String: Any] = [
      "prefix": GroupPlace.of(Self.self, settings).prefix
    ]
    if includingSecrets { origin["includesSecrets"] = true }
    var contents = PreferencesContents()
    var unreadable: [String] = []
    for setting in settings where includingSecrets || !setting.isSecret {
      do {
        guard let exported = try setting.exported(as: setting.declaration.type) else { continue }
        try contents.set(exported.object, for: exported.name)
        if !exported.isReadable { unreadable.append(exported.name) }
      } catch {
        throw DefaultsIssue.notExported(
          key: setting.key, setting.isSecret ? Fault.secret : error)
      }
    }
    if !unreadable.isEmpty { origin["unreadable"] = unreadable.sorted() }
    try contents.set(PropertyListObject(origin), for: Setting.reservedKey)
    return try contents.data()
  }

  /// Stores the values in the data, and resets each setting that the data lacks.
  ///
  /// All settings change, or none does: the import checks each value first, and changes the
  /// settings of one store in one ``Foundation/UserDefaults/transaction(_:)``. It ignores keys of
  /// other settings. If the data lacks the key of a setting, it takes the first former key that has a
  /// value, the latest first, and converts that, so data of an older version can be imported. A value that equals the stored one stays as it is, even if it cannot be
  /// read, so an import of the group's own export changes nothing. A value that neither the export nor
  /// the import can read is left out and reported, and what is stored stays. Secrets are left as they
  /// are, unless the data was exported with them.
  ///
  /// - Parameter data: The result of ``exportData(includingSecrets:)``, or another property list of a dictionary.
  /// - Returns: The keys in the data that the import ignored, sorted. They may belong to a setting that
  ///   a later version has renamed.
  /// - Throws: A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/undecodableValue`` if a value
  ///   cannot be read as its setting's type. The same kind if the data is not a property list of a
  ///   dictionary, has no key of the group (unless the group exported it while nothing was stored), or
  ///   was exported with a prefix that the group neither has nor had. A ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/unencodableValue`` if a value cannot
  ///   be stored.
  @discardableResult
  public func importData(_ data: Data) throws -> [String] {
    guard let contents = try? PreferencesContents(parsing: data) else {
      throw DefaultsIssue.notImported("the data is not \(FileFormat.wording)")
    }
    let origin = contents[Setting.reservedKey]?.object as? [String: Any]
    let includesSecrets = origin?["includesSecrets"] as? Bool == true
    let settings = settings.members.filter {
      $0.key != Setting.reservedKey && (includesSecrets || !$0.isSecret)
    }
    let prefixes = GroupPlace.of(Self.self, settings).prefixes
    let prefix = origin?["prefix"] as? String
    if let prefix, !prefixes.contains(prefix) {
      throw DefaultsIssue.notImported(
        "the data has the prefix \"\(prefix)\", and the group has \"\(prefixes[0])\"")
    }
    let unreadable = origin?["unreadable"] as? [String] ?? []
    let imports = try settings.map { setting in
      let type = setting.declaration.type
      return try setting.imported(from: contents, unreadable: unreadable, as: type)
    }
    let taken = imports.compactMap(\.name)
    let issues = imports.compactMap(\.issue)
    let keys = Set(contents.keys).subtracting([Setting.reservedKey])
    guard !taken.isEmpty || !issues.isEmpty || keys.isEmpty && prefix != nil else {
      throw DefaultsIssue.notImported("the data has no key of the group")
    }
    Setting.transaction(of: settings) {
      for (setting, change) in zip(settings, imports) { setting.apply(change) }
    }
    for issue in issues { issue.report() }
    return keys.subtracting(taken).sorted()
  }
}
