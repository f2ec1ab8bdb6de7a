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

/// The value of a key that was decoded last, and the version or text that it was decoded from.
@usableFromInline
final class LastDecoded: Sendable {
  @usableFromInline typealias Value = any AnyObject & Sendable

  private struct Kept {
    /// The version of the key, in a store where the library hears of every change.
    var version = -1
    /// The JSON text, in any other store.
    var text: String?
    var value: Value?
  }

  /// The way to tell whether the value still holds.
  enum Criterion { case version, text }

  /// Nil if nothing tells, so that no value is kept.
  let criterion: Criterion?
  private let kept = Mutex(Kept())

  init(_ criterion: Criterion?) {
    self.criterion = criterion
  }

  @usableFromInline
  func value(ofVersion version: Int) -> Value? {
    kept.withLock { $0.version == version ? $0.value : nil }
  }

  @usableFromInline
  func value(of object: Any) -> Value? {
    guard criterion == .text, let text = object as? String else { return nil }
    return kept.withLock { $0.text == text ? $0.value : nil }
  }

  @usableFromInline
  func keep(_ value: Value, of object: Any?, version: Int) {
    if criterion == .version {
      kept.withLock { $0 = Kept(version: version, value: value) }
    } else if let text = object as? String {
      kept.withLock { $0 = Kept(text: text, value: value) }
    }
  }
}
