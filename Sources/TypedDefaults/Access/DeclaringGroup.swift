internal import Foundation

/// Tells the declarations of a group where they are kept, while the group is being made on this thread.
final class DeclaringGroup {
  let userDefaults: UserDefaults
  let store: Store
  private let prefix: String
  private var declarations: [Declaration] = []

  private init(_ userDefaults: UserDefaults, _ prefix: String) {
    self.userDefaults = userDefaults
    self.prefix = prefix
    store = .of(userDefaults)
  }

  private static let variable = ThreadVariable<DeclaringGroup>()

  /// The innermost group that is being made.
  static var current: DeclaringGroup? { variable.object }

  /// Makes a group, and then declares all its settings at once: to register their defaults one by one would
  /// be most of what they cost.
  static func make<Group>(
    in userDefaults: UserDefaults, prefix: String, _ make: () -> Group
  ) -> Group {
    let outer = current
    let group = DeclaringGroup(userDefaults, prefix)
    variable.object = group
    let made = make()
    variable.object = outer
    group.store.declare(group.declarations, in: userDefaults)
    return made
  }

  /// Makes a group inside the one that is being made, if there is one.
  static func make<Group>(prefix: String, _ make: () -> Group) -> Group {
    let outer = current
    return self.make(
      in: outer?.userDefaults ?? .standard, prefix: (outer?.prefix ?? "") + prefix, make)
  }

  func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + name }

  func add(_ declaration: Declaration) {
    declarations.append(declaration)
  }
}
