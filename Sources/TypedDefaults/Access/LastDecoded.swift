internal import Synchronization

/// The result of decoding; nil if there is no value.
@usableFromInline
final class DecodedValue<V: Sendable>: Sendable {
  @usableFromInline let value: V?

  @usableFromInline
  init(_ value: V?) {
    self.value = value
  }
}

/// The value that one declaration has decoded last, and what it was decoded from.
@usableFromInline
final class LastDecoded: Sendable {
  @usableFromInline typealias Value = any AnyObject & Sendable

  /// In place of a version of the key, that of no value.
  static let noVersion = -1

  private struct Kept {
    /// The version of the key.
    var version = LastDecoded.noVersion
    /// The object that raw accessors returned, in a store where not every change has a version.
    var visible: PropertyListObject?
    var value: Value?
  }

  let state: KeyState
  /// Keeps the key while somebody observes it, even if no declaration does.
  private let path: Listeners.Path
  /// Those of the state, which each read tells.
  private let listeners: Listeners
  private let kept = Mutex(Kept())
  /// The version at which the stored object was last known to be a value of the type.
  private let readable = Atomic(LastDecoded.noVersion)

  init(_ state: KeyState) {
    self.state = state
    listeners = state.listeners
    path = Listeners.path(keeping: state)
  }

  func noteAccess() { listeners.noteAccess(by: path) }

  @usableFromInline
  func value(ofVersion version: Int) -> Value? {
    kept.withLock { $0.version == version ? $0.value : nil }
  }

  @usableFromInline
  func value(ofVersion version: Int, visible object: Any?) -> Value? {
    kept.withLock { kept in
      guard kept.version == version else { return nil }
      guard let object else { return kept.visible == nil ? kept.value : nil }
      return kept.visible?.isEqualScalar(PropertyListObject(object)) == true ? kept.value : nil
    }
  }

  /// Keeps a value, unless the visible object takes long to compare.
  func keep(_ value: Value, ofVersion version: Int, visible: PropertyListObject? = nil) {
    guard version != Self.noVersion, visible?.isScalar != false else { return }
    var old = Kept(version: version, visible: visible, value: value)
    // The old value is released outside the lock, because its `deinit` may be the program's.
    kept.withLock { swap(&$0, &old) }
  }

  /// Whether the stored object is known to be a value of the type, or absent.
  var isReadable: Bool { readable.load(ordering: .relaxed) == state.version }

  func noteReadable(atVersion version: Int) {
    readable.store(version, ordering: .relaxed)
  }
}
