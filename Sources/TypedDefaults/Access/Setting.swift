public import Foundation

/// One key of one store, as one declaration or typed key sees it. Each read and write of the
/// library comes by here.
///
/// Unchecked, because `UserDefaults` is documented to be thread-safe, but not declared `Sendable`.
@usableFromInline
struct Setting: @unchecked Sendable {
  let userDefaults: UserDefaults
  let store: Store
  let declaration: Declaration

  var key: String { declaration.key }
  var environmentVariable: String? { declaration.origins?.variable }
  var formerKeys: [KeyState] { declaration.origins?.formerKeys ?? [] }
  /// Whether no report may contain the value, of a typed key for such a setting either.
  var isSecret: Bool { declaration.isSecret || store.keys.isSecret(key) }
  var last: LastDecoded { declaration.last(in: store) }
  var state: KeyState { last.state }
  /// Equal for all declarations of one key in one store.
  var identity: ObjectIdentifier { ObjectIdentifier(state) }

  init(_ declaration: Declaration, in userDefaults: UserDefaults, _ store: Store) {
    self.userDefaults = userDefaults
    self.store = store
    self.declaration = declaration
  }

  /// Creates the setting of a typed key.
  ///
  /// Inlinable, so that a read looks up no generic type.
  @inlinable
  init<V: UserDefaultsSerializable>(_ key: UserDefaults.Key<V>, in userDefaults: UserDefaults) {
    self.init(typedKey: key.name, formerly: key.formerly, V.self, in: userDefaults)
  }

  @usableFromInline
  init(
    typedKey name: String, formerly: [String], _ type: any UserDefaultsSerializable.Type,
    in userDefaults: UserDefaults
  ) {
    let store = Store.of(userDefaults)
    let key = KeyTable.TypedKey(name: name, type: ObjectIdentifier(type))
    if formerly.isEmpty, let known = store.keys.declaration(of: key) as? Declaration {
      self.init(known, in: userDefaults, store)
      return
    }
    let origins = Origins(
      formerly.map { FormerName(name: $0) }, of: name, environment: nil, in: store)
    let declaration = Declaration(name, type, isTypedKey: true, origins: origins)
    self.init(declaration, in: userDefaults, store)
    follow()
    if formerly.isEmpty { store.keys.keep(declaration, for: key) }
  }

  /// Creates the setting of a declaration.
  ///
  /// - Parameters:
  ///   - range: The values that the setting accepts; nil for all of the type.
  ///   - userDefaults: The store; nil for that of the group that is being made, or the standard one.
  ///   - defaultValue: The default; nil for an optional setting.
  @usableFromInline
  init<V: UserDefaultsSerializable>(
    declaring key: UserDefaults.Key<V>, range: DeclaredRange? = nil,
    formerly: [UserDefaults.FormerKey<V>],
    environment: String?, help: String?, isSecret: Bool, in userDefaults: UserDefaults?,
    default defaultValue: V?
  ) {
    let group = userDefaults == nil ? DeclaringGroup.current : nil
    let userDefaults =
      userDefaults.map(DeclaringGroup.copyInSnapshot) ?? group?.place.userDefaults ?? .standard
    let store = group?.store ?? Store.of(userDefaults)
    let prefixes = group?.place.prefixes ?? [""]
    let name = prefixes[0] + key.name
    let names = [FormerName(name: key.name)] + key.formerly.map { FormerName(name: $0) }
    let former = prefixes.flatMap { prefix in
      (names + formerly.map(\.former)).map {
        FormerName(name: prefix + $0.name, conversion: $0.conversion)
      }
    }
    let origins = Origins(former, of: name, environment: environment, in: store)
    var object: PropertyListObject?
    do {
      object = try defaultValue.map(Self.encode)
    } catch {
      DefaultsIssue.unencodable(
        V.self, key: name, isSecret ? Fault.secret : error,
        "Only this declaration returns the default. Declare one that can be stored."
      ).reportLater()
    }
    let declaration = Declaration(
      name, V.self, default: object, origins: origins, range: range,
      help: help, isSecret: isSecret, group: group?.place)
    self.init(declaration, in: userDefaults, store)
    follow()
    if let object, let defaultValue,
      !accepts(defaultValue) || !Self.readsBack(object, as: V.self),
      store.keys.noteConflict(.key(name))
    {
      DefaultsIssue.refused(fault(in: object, as: V.self), key: name).reportLater()
    }
    if let group {
      group.declarations.append(declaration)
    } else {
      Declaration.declare([declaration], in: userDefaults, store)
    }
  }

  /// Makes the setting observe its former keys.
  private func follow() {
    for former in formerKeys { former.addFollower(state) }
  }
}
