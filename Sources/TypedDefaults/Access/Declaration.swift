internal import Foundation

/// A setting as its declaration or a typed key describes it.
///
/// A program uses few of its settings in one run, so the parts that only a use needs are made by the
/// first use.
final class Declaration: DeclaredKey, @unchecked Sendable {  // What changes is atomic.
  let type: any UserDefaultsSerializable.Type

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
    self.type = type
    self.help = help?.isEmpty == true ? nil : help
    self.isTypedKey = isTypedKey
    self.origins = origins
    self.range = range
    self.group = group
    super.init(key, default: `default`, isSecret: isSecret)
  }

  /// The value decoded last, with the state that all declarations of the key share.
  @inline(__always) func last(in store: Store) -> LastDecoded {
    madeLast.load() ?? madeLast.storeIfNil(LastDecoded(store.state(of: key)))
  }

  /// Declares settings: registers their defaults, and reports those that conflict with others.
  static func declare(
    _ declarations: some Collection<Declaration>, in userDefaults: UserDefaults, _ store: Store
  ) {
    let again = store.declare(declarations, in: userDefaults)
    func report(_ key: String, _ issue: @autoclosure () -> DefaultsIssue) {
      if store.keys.noteConflict(key) { store.reportLater(issue()) }
    }
    for (first, new) in again {
      guard let first = first as? Declaration, !first.agrees(with: new) else { continue }
      report(new.key, .conflicting(first, new, key: new.key))
    }
    var keys: Set<String> = []
    for declaration in declarations where !keys.insert(declaration.key).inserted {
      report(declaration.key, .declaredTwice(declaration.key))
    }
    for declaration in declarations {
      if let variable = declaration.origins?.variable?.name, store.seesProcess,
        let first = store.keys.noteVariable(
          variable, of: declaration.key, under: declaration.group?.prefix ?? "")
      {
        store.reportLater(.variable(variable, of: first, and: declaration.key))
      }
      // A former key that is the own key of another declaration.
      for former in declaration.origins?.formerKeys ?? [] where store.isDeclared(former.key) {
        report(former.key, .clashing(former.key, with: declaration.key))
      }
      let state = store.keys.states(of: CollectionOfOne(declaration.key)).first
      if let follower = state?.firstFollower {
        report(declaration.key, .clashing(declaration.key, with: follower.key))
      }
    }
  }

  func hasSameRange(as other: Declaration) -> Bool {
    guard let range else { return other.range == nil }
    return other.range.map(range.isSame) ?? false
  }

  /// Whether two declarations of one key may stand side by side.
  private func agrees(with other: Declaration) -> Bool {
    let type = type  // The compiler opens a local existential below, but not a property.
    guard type == other.type, hasSameRange(as: other) else { return false }
    guard let mine = `default`, let others = other.default else { return true }
    func areEqual<V: UserDefaultsSerializable>(as _: V.Type) -> Bool {
      guard let mine: V = Setting.decode(mine), let others: V = Setting.decode(others) else {
        return false
      }
      return TypedDefaults.areEqual(mine, others, as: V.self)
    }
    return mine == others || areEqual(as: type)
  }
}
