internal import Foundation
internal import Synchronization

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

/// Launch arguments that look like keys and have no value, so that Foundation ignores them.
enum ValuelessArguments {
  /// The argument after each; nil after the last one. None counts after "--".
  private static let next: [String: String?] = {
    let arguments = Array(ProcessInfo.processInfo.arguments.dropFirst().prefix { $0 != "--" })
    let pairs = zip(arguments, arguments.dropFirst().map(Optional.some) + [nil])
    return Dictionary(
      pairs.filter { $0.hasPrefix("-") && $1?.hasPrefix("-") != false }
        .map { (String($0.dropFirst()), $1) }, uniquingKeysWith: { $1 })
  }()

  private static let reported = Mutex<Set<String>>([])

  /// Reports those that name a setting, each once.
  static func report(_ names: @autoclosure () -> [String], of setting: Setting) {
    if next.isEmpty { return }
    for name in names() {
      guard let next = next[name], reported.withLock({ $0.insert(name).inserted }) else { continue }
      DefaultsIssue.valueless(
        name, before: next, key: setting.key, isSecret: setting.isSecret
      ).reportLater()
    }
  }
}
