internal import Foundation

/// A setting as its declaration or a typed key describes it.
///
/// A program uses few of its settings in one run, so the parts that only a use needs are made by the
/// first use.
final class Declaration: Sendable {
  /// What others of the key are compared with.
  let declared: DeclaredKey
  var key: String { declared.key }
  var type: any UserDefaultsSerializable.Type { declared.type }
  var `default`: PropertyListObject? { declared.default }
  var isSecret: Bool { declared.isSecret }

  /// Whether it comes from a typed key, which also reads registered defaults, as the accessors of
  /// `UserDefaults` do.
  let isTypedKey: Bool

  /// Nil for most settings, which have only their key.
  let origins: Origins?

  /// Nil if every value of the type is accepted.
  let range: DeclaredRange?

  /// A sentence for people; nil if there is none.
  let help: String?

  /// The group that the declaration is part of; nil if there is none, or it names its own store.
  let group: GroupPlace?

  private let madeLast = LazyReference<LastDecoded>()

  init(
    _ key: String, _ type: any UserDefaultsSerializable.Type, isTypedKey: Bool = false,
    default: PropertyListObject? = nil, origins: Origins?, range: DeclaredRange? = nil,
    help: String? = nil, isSecret: Bool = false, group: GroupPlace? = nil
  ) {
    declared = DeclaredKey(key: key, type: type, default: `default`, isSecret: isSecret)
    self.help = help?.isEmpty == true ? nil : help
    self.isTypedKey = isTypedKey
    self.origins = origins
    self.range = range
    self.group = group
  }

  /// The value decoded last, with the state that all declarations of the key share.
  @inline(__always) func last(in store: Store) -> LastDecoded {
    madeLast.load() ?? madeLast.storeIfNil(LastDecoded(store.state(of: key)))
  }

  /// Declares settings: registers their defaults, and reports those that conflict with others.
  static func declare(
    _ declarations: [Declaration], in userDefaults: UserDefaults, _ store: Store
  ) {
    let conflicts = store.declare(declarations.map { ($0.declared, $0) }, in: userDefaults)
      .filter { !$0.first.agrees(with: $0.new) }
    for (first, new) in conflicts where store.keys.noteConflict(.key(new.key)) {
      DefaultsIssue.conflicting(first, new).reportLater()
    }
    for declaration in declarations where store.seesProcess {
      guard let variable = declaration.origins?.variable else { continue }
      let first = store.keys.firstKey(of: variable, declaredBy: declaration.key)
      if first != declaration.key, store.keys.noteConflict(.variable(variable)) {
        DefaultsIssue.variable(variable, of: first, and: declaration.key).reportLater()
      }
    }
  }
}

extension DeclaredKey {
  /// Whether two declarations of one key may stand side by side.
  fileprivate func agrees(with other: Self) -> Bool {
    func areEqual<V: UserDefaultsSerializable>(as _: V.Type) -> Bool {
      guard let mine: V = `default`.flatMap(Setting.decode),
        let others: V = other.default.flatMap(Setting.decode)
      else { return false }
      return TypedDefaults.areEqual(mine, others, as: V.self)
    }
    let type = type  // The compiler opens a local existential, but not a property.
    guard type == other.type else { return false }
    return `default` == nil || other.default == nil || `default` == other.default
      || areEqual(as: type)
  }
}
