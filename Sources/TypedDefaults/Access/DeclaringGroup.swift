internal import Foundation

/// The group that this thread is making: it gives its declarations their store and prefix.
final class DeclaringGroup {
  let place: GroupPlace
  let store: Store
  var declarations: [Declaration] = []
  /// The stores of the snapshot that the group is part of, if it is.
  private let copies: StoreCopies?

  private init(_ place: GroupPlace, _ copies: StoreCopies?) {
    self.place = place
    self.copies = copies
    store = .of(place.userDefaults)
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
    in userDefaults: UserDefaults?, prefix: String, formerPrefixes: [String],
    _ make: () -> Group
  ) -> Group {
    let outer = userDefaults == nil ? current : nil
    let prefixes = (outer?.place.prefixes ?? [""]).flatMap { outer in
      ([prefix] + formerPrefixes).map { outer + $0 }
    }
    let place = GroupPlace(
      of: Group.self,
      in: userDefaults.map(copyInSnapshot) ?? outer?.place.userDefaults ?? .standard,
      inside: outer?.place, prefixes: prefixes)
    return DeclaringGroup(place, current?.copies).make(inside: outer, make)
  }

  /// Makes the group of settings anew, in memory, where all is as it is now.
  static func snapshot<Group>(of settings: [Setting], _ make: () -> Group) -> Group {
    let copies = StoreCopies(of: settings)
    let place = GroupPlace.of(Group.self, settings)
    let moved = GroupPlace(
      of: place.type, in: copies.copy(of: place.userDefaults), inside: place.outer,
      prefixes: place.prefixes)
    return DeclaringGroup(moved, copies).make(inside: nil, make)
  }

  /// Returns the copy of a store that a declaration or a group names, if a snapshot is being made.
  static func copyInSnapshot(_ userDefaults: UserDefaults) -> UserDefaults {
    current?.copies?.copy(of: userDefaults) ?? userDefaults
  }

  private func make<Group>(inside outer: DeclaringGroup?, _ make: () -> Group) -> Group {
    let current = Self.current
    Self.variable.object = self
    let made = make()
    Self.variable.object = current
    if let outer {
      outer.declarations += liveDeclarations()
    } else {
      Declaration.declare(liveDeclarations(), in: place.userDefaults, store)
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

/// Where a group is, as its declarations remember it.
final class GroupPlace: Sendable {
  let type: Any.Type
  /// The place of the group that contains this one.
  let outer: GroupPlace?
  /// The present prefix, then the former ones.
  let prefixes: [String]
  private let shared: SendableDefaults

  init(
    of type: Any.Type, in userDefaults: UserDefaults, inside outer: GroupPlace? = nil,
    prefixes: [String] = [""]
  ) {
    self.type = type
    self.outer = outer
    self.prefixes = prefixes
    shared = SendableDefaults(userDefaults)
  }

  var prefix: String { prefixes[0] }
  var userDefaults: UserDefaults { shared.instance }

  /// Returns the place of a group with these settings. A group that was made without a prefix is at the
  /// place of the one around it, or by itself in the standard store.
  static func of(_ type: Any.Type, _ settings: [Setting]) -> GroupPlace {
    // A declaration that names its store belongs to no group.
    let places = settings.filter {
      $0.declaration.group != nil || $0.store === Store.of(.standard)
    }.map(\.declaration.group)
    let path = places.compactMap(\.self).lazy.flatMap(\.path)
    return path.first { $0.type == type }
      ?? path.first { place in
        places.allSatisfy { $0?.path.contains { $0 === place } == true }
      }
      ?? GroupPlace(of: type, in: .standard)
  }

  /// The place, and those of the groups around it.
  var path: some Sequence<GroupPlace> { sequence(first: self, next: \.outer) }
}
