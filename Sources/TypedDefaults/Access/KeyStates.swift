internal import Synchronization

/// The states of a store's keys.
final class KeyStates: Sendable {
  private let states = Mutex<[String: KeyState]>([:])
  private let hearsEveryChange: Bool

  /// - Parameter hearsEveryChange: Whether every change of the store comes by the library, so that what
  ///   was decoded may be kept until the next one.
  init(hearsEveryChange: Bool = false) {
    self.hearsEveryChange = hearsEveryChange
  }

  var all: [KeyState] { states.withLock { Array($0.values) } }

  /// The state of a key, if anybody has ever asked for it.
  subscript(key: String) -> KeyState? { states.withLock { $0[key] } }

  func state(of key: String) -> KeyState {
    states.withLock { states in
      if let state = states[key] { return state }
      let state = KeyState(key, hearsEveryChange: hearsEveryChange)
      states[key] = state
      return state
    }
  }
}
