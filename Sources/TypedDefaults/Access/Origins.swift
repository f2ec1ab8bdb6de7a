internal import Foundation

/// The origins of a setting's value besides its own key.
final class Origins: Sendable {
  /// An environment variable.
  struct Variable: Sendable {
    let name: String
    /// Its text; nil if it is not set, or the store sees no variables.
    let text: PropertyListObject?
  }

  /// The keys under which the setting was kept before, the latest first.
  let formerKeys: [KeyState]
  let variable: Variable?

  /// Nil if there are none, as for most settings.
  init?(_ formerKeys: [String], of key: String, environment: String?, in store: Store) {
    let formerKeys = formerKeys.filter { $0 != key }
    if formerKeys.isEmpty, environment == nil { return nil }
    self.formerKeys = formerKeys.map { store.state(of: $0) }
    variable = environment.map { name in
      let text = store.seesProcess ? getenv(name) : nil
      return Variable(name: name, text: text.map { PropertyListObject(String(cString: $0)) })
    }
  }
}
