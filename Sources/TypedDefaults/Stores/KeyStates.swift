internal import Synchronization

/// The states and declarations of a store's keys.
final class KeyStates: Sendable {
  private struct Known {
    var states: [String: KeyState] = [:]
    /// The first declaration of each key, or the first that has a default.
    var declarations: [String: Declaration] = [:]
    var conflicts: Set<String> = []
  }

  private let known = Mutex(Known())
  private let hearsEveryChange: Bool

  /// - Parameter hearsEveryChange: Whether each change of the store comes through the library, so that a decoded
  ///   value holds until the next change.
  init(hearsEveryChange: Bool = false) {
    self.hearsEveryChange = hearsEveryChange
  }

  /// The states of all declared or used keys.
  var all: [KeyState] {
    known.withLock { known in
      for key in known.declarations.keys { _ = state(of: key, in: &known) }
      return Array(known.states.values)
    }
  }

  /// The state of a key that has been used; nil for any other key.
  subscript(key: String) -> KeyState? { known.withLock { $0.states[key] } }

  func state(of key: String) -> KeyState { known.withLock { state(of: key, in: &$0) } }

  private func state(of key: String, in known: inout Known) -> KeyState {
    if let state = known.states[key] { return state }
    let state = KeyState(key, hearsEveryChange: hearsEveryChange)
    known.states[key] = state
    return state
  }

  /// Reports each declaration that conflicts with an earlier one of its key, once for each key.
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
    // Without the lock, because the comparison runs code of the program.
    for (first, new) in again where !first.agrees(with: new) {
      let isNews = known.withLock { $0.conflicts.insert(new.key).inserted }
      if isNews { DefaultsIssue.conflicting(first, new, key: new.key).report() }
    }
  }
}
