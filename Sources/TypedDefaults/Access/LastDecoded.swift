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

  private struct Kept {
    /// The version of the key.
    var version = -1
    /// The object that raw accessors returned, in a store where not every change has a version.
    var visible: PropertyListObject?
    var value: Value?
  }

  let state: KeyState
  private let kept = Mutex(Kept())
  /// The version at which the stored object was last known to be a value of the type.
  private let readable = Atomic(-1)

  init(_ state: KeyState) {
    self.state = state
  }

  /// Whether the visible object must be compared, too.
  @usableFromInline var comparesObjects: Bool { !state.hearsEveryChange }

  @usableFromInline
  func value(ofVersion version: Int) -> Value? {
    kept.withLock { $0.version == version ? $0.value : nil }
  }

  @usableFromInline
  func value(ofVersion version: Int, visible object: Any?) -> Value? {
    kept.withLock { kept in
      guard kept.version == version else { return nil }
      if let object {
        guard kept.visible?.isEqualScalar(PropertyListObject(object)) == true else { return nil }
      } else if kept.visible != nil {
        return nil
      }
      return kept.value
    }
  }

  @usableFromInline
  func keep(_ value: Value, ofVersion version: Int) {
    keep(value, ofVersion: version, visible: nil)
  }

  /// Keeps a value, unless the visible object takes long to compare.
  func keep(_ value: Value, ofVersion version: Int, visible: PropertyListObject?) {
    guard version >= 0, visible?.isScalar != false else { return }
    var old = Kept(version: version, visible: visible, value: value)
    // The old value is released outside the lock, because its `deinit` may be the program's.
    kept.withLock { swap(&$0, &old) }
  }

  /// Whether the stored object is known to be a value of the type, or absent.
  var isReadable: Bool { readable.load(ordering: .relaxed) == state.version }

  func noteReadable(atVersion version: Int) {
    readable.store(version, ordering: .relaxed)
  }

  private let refusal = Atomic(0)  // 0 before it is known, 1 for never

  /// Whether the type may refuse to read back one of its values. Primitives, enums and `Codable`
  /// types do not, and checking them would take time.
  func mayRefuse<V: UserDefaultsSerializable>(_ value: V) -> Bool {
    let known = refusal.load(ordering: .relaxed)
    if known > 0 { return known > 1 }
    let neverRefuses =
      V.StoredValue.self == V.self || V.StoredValue.self is any JSONForm.Type
      || Mirror(reflecting: value).displayStyle == .enum
    refusal.store(neverRefuses ? 1 : 2, ordering: .relaxed)
    return !neverRefuses
  }
}
