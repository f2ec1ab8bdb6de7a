internal import Synchronization

/// The object of a key that was seen last.
final class LatestObject: Sendable {
  private let lookCount = Atomic(0)
  private let latest = Mutex<(look: Int, object: PropertyListObject?)>((0, nil))

  /// Looks at the object again, and notes it if it differs from the one before.
  ///
  /// Several threads may look at once, without a lock. Of two looks the one that began later
  /// counts, because it saw all changes that led to the other. Objects are noted one at a time, in
  /// the order of the looks.
  ///
  /// - Returns: Whether the object differs. The first one always does.
  @discardableResult
  func changes(
    _ look: () -> PropertyListObject?, note: (PropertyListObject?) -> Void = { _ in }
  ) -> Bool {
    let number = lookCount.add(1, ordering: .acquiringAndReleasing).newValue
    let object = look()
    return latest.withLock { latest in
      guard number > latest.look else { return false }
      defer { latest = (number, object) }
      let isOther = latest.look == 0 || latest.object != object
      if isOther { note(object) }
      return isOther
    }
  }
}
