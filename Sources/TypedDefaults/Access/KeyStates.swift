internal import Synchronization

/// What is known of a store's keys.
final class KeyStates: Sendable {
  private struct Known {
    var states: [String: KeyState] = [:]
    /// The first declaration of each key, or the first that has a default.
    var declarations: [String: Declaration] = [:]
    var conflicts: Set<String> = []
  }

  private let known = Mutex(Known())
  private let hearsEveryChange: Bool

  /// - Parameter hearsEveryChange: Whether every change of the store comes by the library, so that what
  ///   was decoded may be kept until the next one.
  init(hearsEveryChange: Bool = false) {
    self.hearsEveryChange = hearsEveryChange
  }

  /// The states of all keys that anybody has declared or asked for.
  var all: [KeyState] {
    known.withLock { known in
      for key in known.declarations.keys { _ = state(of: key, in: &known) }
      return Array(known.states.values)
    }
  }

  /// The state of a key, if anybody has ever asked for it.
  subscript(key: String) -> KeyState? { known.withLock { $0.states[key] } }

  func state(of key: String) -> KeyState { known.withLock { state(of: key, in: &$0) } }

  private func state(of key: String, in known: inout Known) -> KeyState {
    if let state = known.states[key] { return state }
    let state = KeyState(key, hearsEveryChange: hearsEveryChange)
    known.states[key] = state
    return state
  }

  /// Reports what differs from another declaration of its key, once for each key.
  func declare(_ new: some Collection<Declaration>) {
    let again = known.withLock { known in
      var again: [(first: Declaration, new: Declaration)] = []
      known.declarations.reserveCapacity(known.declarations.count + new.count)
      for new in new {
        guard let first = known.declarations.updateValue(new, forKey: new.key) else { continue }
        if first.default != nil { known.declarations[new.key] = first }
        again.append((first, new))
      }
      return again
    }
    // Compared without the lock, because `==` is the program's.
    for (first, new) in again where !first.agrees(with: new) {
      let isNews = known.withLock { $0.conflicts.insert(new.key).inserted }
      if isNews { DefaultsIssue.conflicting(first, new, key: new.key).report() }
    }
  }
}
