internal import Foundation

/// A setting as its declaration or a typed key describes it.
///
/// A program uses few of its settings in one run, so the parts that only a use needs are made by the first use.
final class Declaration: Sendable {
  let key: String
  let type: any UserDefaultsSerializable.Type

  /// Whether it comes from a typed key, which also reads registered defaults, as the accessors of
  /// `UserDefaults` do.
  let isTypedKey: Bool

  /// The registered form of the default; nil if there is no default.
  let `default`: PropertyListObject?

  /// Nil for most settings, which have only their key.
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

  /// The state that all declarations of the key share.
  @inline(__always) func state(in store: Store) -> KeyState {
    madeState.load() ?? makeState(in: store)
  }

  private func makeState(in store: Store) -> KeyState {
    madeState.storeIfNil(store.state(of: key))
  }

  /// The value decoded last. Typed keys of one name and type share it, unless they have former names.
  @inline(__always) func last(of state: KeyState) -> LastDecoded {
    madeLast.load() ?? makeLast(of: state)
  }

  private func makeLast(of state: KeyState) -> LastDecoded {
    madeLast.storeIfNil(state.lastDecoded(type, isShared: isTypedKey && origins == nil))
  }

  /// Whether two declarations of one key may stand side by side.
  func agrees(with other: Declaration) -> Bool {
    let type = type  // The compiler opens a local existential below, but not a property.
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
