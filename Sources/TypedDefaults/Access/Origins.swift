internal import Foundation

/// The origins of a setting's value besides its own key.
final class Origins: Sendable {
  /// An environment variable that is set.
  struct Variable: Sendable {
    let name: String
    let object: PropertyListObject

    init?(_ name: String?) {
      guard let name, let text = getenv(name) else { return nil }
      self.name = name
      object = PropertyListObject(String(cString: text))
    }
  }

  /// The keys under which the setting was kept before, the latest first.
  let formerKeys: [KeyState]
  let variable: Variable?

  /// Nil if there are none, as for most settings.
  init?(_ formerKeys: [String], environment: String?, in store: Store) {
    variable = store.kind.seesOverrides ? Variable(environment) : nil
    if formerKeys.isEmpty, variable == nil { return nil }
    self.formerKeys = formerKeys.map { store.state(of: $0) }
  }
}
