internal import Foundation

/// The group that this thread is making: it gives its declarations their store and prefix.
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

  /// The innermost group that this thread is making.
  static var current: DeclaringGroup? { variable.object }

  /// Makes a group, and then declares all its settings at once: one call of `register(defaults:)` for each
  /// would take most of the time.
  static func make<Group>(
    in userDefaults: UserDefaults, prefix: String, _ make: () -> Group
  ) -> Group {
    let outer = current
    let group = DeclaringGroup(userDefaults, prefix)
    variable.object = group
    let made = make()
    variable.object = outer
    Declaration.declare(group.declarations, in: userDefaults, group.store)
    return made
  }

  /// Makes a group inside the current one, if there is one.
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
