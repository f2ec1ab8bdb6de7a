internal import Synchronization

/// How an object under a former key becomes a value of today.
final class Conversion: Sendable {
  /// The type as which the object is read first.
  let old: any UserDefaultsSerializable.Type

  private let convert: @Sendable (PropertyListObject) -> (any Sendable)?
  private let last = Mutex<(found: Found, value: (any Sendable)?)?>(nil)

  init<Old: UserDefaultsSerializable>(_ convert: @escaping @Sendable (Old) -> (any Sendable)?) {
    old = Old.self
    self.convert = { Setting.decode($0).flatMap(convert) }
  }

  /// Returns the value of an object; nil if it has none. The program's function runs again only for
  /// another object, and while no lock is held.
  func value(of found: Found) -> (any Sendable)? {
    if let last = last.withLock(\.self), last.found.isTyped == found.isTyped,
      PropertyListObject.areSame(last.found.object, found.object)
    {
      return last.value
    }
    let isMistyped = found.isTyped && old.mayNotBeTyped(found.object.object)
    let value = isMistyped ? nil : convert(found.object)
    // What it was before is released outside the lock.
    var old: (found: Found, value: (any Sendable)?)? = (found, value)
    last.withLock { swap(&$0, &old) }
    return value
  }
}

/// A name that a setting had before.
struct FormerName: Sendable {
  let name: String
  /// Nil if the setting had the same type.
  var conversion: Conversion?
}
