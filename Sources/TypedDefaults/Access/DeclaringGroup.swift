internal import Foundation

/// Tells the declarations of a group where they are kept, while the group is being made on this thread.
final class DeclaringGroup {
  let userDefaults: UserDefaults
  let store: Store
  private let prefix: String
  private var defaults: [(key: String, object: Any)] = []

  private init(_ userDefaults: UserDefaults, _ prefix: String) {
    self.userDefaults = userDefaults
    self.prefix = prefix
    store = .of(userDefaults)
  }

  private static let variable = ThreadVariable<DeclaringGroup>()

  /// The innermost group that is being made.
  static var current: DeclaringGroup? { variable.object }

  /// Makes a group, and then registers the defaults of all its declarations at once: to register them one by
  /// one would be most of what the declarations cost.
  static func make<Group>(
    in userDefaults: UserDefaults, prefix: String, _ make: () -> Group
  ) -> Group {
    let outer = current
    let group = DeclaringGroup(userDefaults, prefix)
    variable.object = group
    let made = make()
    variable.object = outer
    if !group.defaults.isEmpty {
      userDefaults.register(defaults: Dictionary(group.defaults.map { $0 }) { $1 })
    }
    return withExtendedLifetime(group) { made }
  }

  /// Makes a group inside the one that is being made, if there is one.
  static func make<Group>(prefix: String, _ make: () -> Group) -> Group {
    let outer = current
    return self.make(
      in: outer?.userDefaults ?? .standard, prefix: (outer?.prefix ?? "") + prefix, make)
  }

  func key<V>(_ key: UserDefaults.Key<V>) -> UserDefaults.Key<V> {
    if prefix.isEmpty { return key }
    return .init(name: prefix + key.name, formerly: key.formerly.map { prefix + $0 })
  }

  func register(_ object: PropertyListObject, for key: String) {
    defaults.append((key, object.object))
  }
}
