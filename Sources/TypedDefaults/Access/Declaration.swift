internal import Foundation

/// What a declaration, or a typed key, says of its setting.
///
/// What only a use of the setting needs is made when it is first used: most settings of a program are not, in
/// most of its runs.
final class Declaration: Sendable {
  let key: String
  let type: any UserDefaultsSerializable.Type

  /// Whether it is but a typed key, which reads whatever the accessors of `UserDefaults` read, registered
  /// defaults too.
  let isTypedKey: Bool

  /// The default in the form in which it is registered; nil if there is none.
  let `default`: PropertyListObject?

  /// Nil for most settings, which come from nowhere else than under their key.
  let origins: Origins?

  private let madeState = LazyReference<KeyState>()
  private let madeLast = LazyReference<LastDecoded>()

  init(
    _ key: String, _ type: any UserDefaultsSerializable.Type, isTypedKey: Bool = false,
    default: PropertyListObject? = nil, origins: Origins?
  ) {
    self.key = key
    self.type = type
    self.isTypedKey = isTypedKey
    self.default = `default`
    self.origins = origins
  }

  /// What all declarations of the key share.
  @inline(__always) func state(in store: Store) -> KeyState {
    madeState.load() ?? makeState(in: store)
  }

  private func makeState(in store: Store) -> KeyState {
    madeState.storeIfNil(store.state(of: key))
  }

  /// What was decoded last. What is kept of a typed key is kept for all of its name, wherever else they may
  /// come from.
  @inline(__always) func last(of state: KeyState) -> LastDecoded {
    madeLast.load() ?? makeLast(of: state)
  }

  private func makeLast(of state: KeyState) -> LastDecoded {
    madeLast.storeIfNil(state.lastDecoded(type, isShared: isTypedKey && origins == nil))
  }

  /// Whether two declarations of one key may stand side by side.
  func agrees(with other: Declaration) -> Bool {
    let type = type  // Opened below, which the compiler does to no property.
    guard type == other.type else { return false }
    guard let mine = `default`, let others = other.default else { return true }
    func areEqual<V: UserDefaultsSerializable>(as _: V.Type) -> Bool {
      guard let mine: V = Setting.decode(mine), let others: V = Setting.decode(others) else {
        return false
      }
      return TypedDefaults.areEqual(mine, others, as: V.self)
    }
    return mine == others || areEqual(as: type)
  }
}
