internal import Foundation

/// The origins of a setting's value besides its own key.
final class Origins: Sendable {
  /// The keys under which the setting was kept before, the latest first.
  let formerKeys: [KeyState]
  /// The conversions of those that have one, by their names.
  let conversions: [String: Conversion]
  /// The name of the environment variable.
  let variable: String?
  /// Its text; nil if it is not set, or the store sees no variables.
  let text: Found?

  /// Nil if there are none, as for most settings. The present key is no former one.
  init?(_ former: [FormerName], of key: String, environment: String?, in store: Store) {
    let former = former.filter { $0.name != key }
    if former.isEmpty, environment == nil { return nil }
    formerKeys = former.map { store.state(of: $0.name) }
    conversions = Dictionary(
      former.map { ($0.name, $0.conversion) }, uniquingKeysWith: { first, _ in first }
    ).compactMapValues(\.self)
    variable = environment
    text = environment.flatMap { name in
      guard store.seesProcess, let text = getenv(name) else { return nil }
      return Found(
        layer: .environment, name: name, object: PropertyListObject(String(cString: text)))
    }
  }
}
