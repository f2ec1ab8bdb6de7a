internal import Foundation

/// The group that this thread is making: it gives its declarations their store and prefix.
final class DeclaringGroup {
  let userDefaults: UserDefaults
  let store: Store
  let place: GroupPlace
  var declarations: [Declaration] = []
  /// The stores of the snapshot that the group is part of, if it is.
  private let copies: StoreCopies?

  private init(_ userDefaults: UserDefaults, _ place: GroupPlace, _ copies: StoreCopies?) {
    self.userDefaults = userDefaults
    self.place = place
    self.copies = copies
    store = .of(userDefaults)
  }

  private static let variable = ThreadVariable<DeclaringGroup>()

  /// The innermost group that this thread is making.
  static var current: DeclaringGroup? { variable.object }

  /// Makes a group, and then declares all its settings at once: one call of `register(defaults:)` for each
  /// would take most of the time.
  ///
  /// - Parameter userDefaults: The store; nil for that of the current group, of which this one then
  ///   is part, or the standard one.
  static func make<Group>(
    in userDefaults: UserDefaults?, prefix: String, formerPrefixes: [String] = [],
    _ make: () -> Group
  ) -> Group {
    let outer = userDefaults == nil ? current : nil
    let group = DeclaringGroup(
      userDefaults.map(copyInSnapshot) ?? outer?.userDefaults ?? .standard,
      GroupPlace(Group.self, prefix, formerPrefixes: formerPrefixes, inside: outer?.place),
      current?.copies)
    return group.make(inside: outer, make)
  }

  /// Makes a group in memory whose settings are as other ones are at one moment.
  ///
  /// - Parameters:
  ///   - first: The first of these that is in the group; nil if the group was made by itself.
  ///   - settings: Returns all of them, which are not always needed.
  static func snapshot<Group>(
    _ first: Setting?, all settings: @escaping () -> [Setting], make: () -> Group
  ) -> Group {
    let copies = StoreCopies(of: settings)
    let place =
      first.flatMap { $0.place(of: Group.self) } ?? Setting.place(of: Group.self, settings())
    let member = first ?? Setting.member(at: place, of: settings())
    let group = DeclaringGroup(
      copies.instance(of: member?.userDefaults ?? .standard),
      place ?? GroupPlace(Group.self, "", formerPrefixes: [], inside: nil), copies)
    return group.make(inside: nil, make)
  }

  /// Returns the copy of a store that a declaration or a group names, if a snapshot is being made.
  static func copyInSnapshot(_ userDefaults: UserDefaults) -> UserDefaults {
    current?.copies?.instance(of: userDefaults) ?? userDefaults
  }

  private func make<Group>(inside outer: DeclaringGroup?, _ make: () -> Group) -> Group {
    let current = Self.current
    Self.variable.object = self
    let made = make()
    Self.variable.object = current
    if let outer {
      outer.declarations += liveDeclarations()
    } else {
      Declaration.declare(liveDeclarations(), in: userDefaults, store)
    }
    return made
  }

  /// Returns the declarations without those that the group's initializer has replaced.
  private func liveDeclarations() -> [Declaration] {
    declarations.indices.filter { !isReplaced(at: $0) }.map { declarations[$0] }
  }

  /// Whether no setting has a declaration any more: the list has the only reference to it.
  private func isReplaced(at index: Int) -> Bool {
    isKnownUniquelyReferenced(&declarations[index])
  }
}

/// The prefixes of a group, as its declarations remember them.
final class GroupPlace: Sendable {
  let type: Any.Type
  let prefix: String
  let formerPrefixes: [String]
  /// The group that contains this one.
  let outer: GroupPlace?

  init(
    _ type: Any.Type, _ prefix: String, formerPrefixes: [String], inside outer: GroupPlace?
  ) {
    self.type = type
    let outerPrefixes = outer.map { [$0.prefix] + $0.formerPrefixes } ?? [""]
    let prefixes = outerPrefixes.flatMap { outer in
      ([prefix] + formerPrefixes).map { outer + $0 }
    }
    self.prefix = prefixes[0]
    self.formerPrefixes = Array(prefixes.dropFirst())
    self.outer = outer
  }

  /// Returns the place of a group whose settings have these places. A group that was made without a
  /// prefix is at the place of the one around it, if that is one.
  static func of(_ type: Any.Type, among places: [GroupPlace?]) -> GroupPlace? {
    let path = places.compactMap(\.self).lazy.flatMap(\.path)
    return path.first { $0.type == type }
      ?? path.first { place in
        places.allSatisfy { $0?.path.contains { $0 === place } == true }
      }
  }

  /// The place, and those of the groups around it.
  var path: some Sequence<GroupPlace> { sequence(first: self, next: \.outer) }

  func key(_ name: String) -> String { prefix.isEmpty ? name : prefix + name }

  /// Returns the former keys of a setting: first its former names, then all its names under the
  /// former prefixes.
  func formerKeys(of name: String, _ formerNames: [String]) -> [String] {
    formerNames.map(key)
      + formerPrefixes.flatMap { prefix in ([name] + formerNames).map { prefix + $0 } }
  }
}
