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
    let group = DeclaringGroup(userDefaults, prefix)
    let made = group.fill(make)
    Declaration.declare(group.liveDeclarations(), in: userDefaults, group.store)
    return made
  }

  /// Makes a group inside the current one, if there is one.
  static func make<Group>(prefix: String, _ make: () -> Group) -> Group {
    guard let outer = current else { return self.make(in: .standard, prefix: prefix, make) }
    let group = DeclaringGroup(outer.userDefaults, outer.prefix + prefix)
    let made = group.fill(make)
    outer.declarations += group.liveDeclarations()
    return made
  }

  private func fill<Group>(_ make: () -> Group) -> Group {
    let outer = Self.current
    Self.variable.object = self
    defer { Self.variable.object = outer }
    return make()
  }

  /// Returns the declarations without those that the group's initializer has replaced.
  private func liveDeclarations() -> [Declaration] {
    declarations.indices.filter { !isKnownUniquelyReferenced(&declarations[$0]) }
      .map { declarations[$0] }
  }

  func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + name }

  func add(_ declaration: Declaration) {
    declarations.append(declaration)
  }
}
