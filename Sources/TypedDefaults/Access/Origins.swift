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
  /// The conversions of those that have one, by their names.
  let conversions: [String: Conversion]
  let variable: Variable?

  /// Nil if there are none, as for most settings.
  init?(_ former: [FormerName], of key: String, environment: String?, in store: Store) {
    let former = former.filter { $0.name != key }
    if former.isEmpty, environment == nil { return nil }
    formerKeys = former.map { store.state(of: $0.name) }
    conversions = Dictionary(
      former.map { ($0.name, $0.conversion) }, uniquingKeysWith: { first, _ in first }
    ).compactMapValues(\.self)
    variable = environment.map { name in
      let text = store.seesProcess ? getenv(name) : nil
      return Variable(name: name, text: text.map { PropertyListObject(String(cString: $0)) })
    }
  }
}
