internal import Synchronization

/// The object that was last seen under a key.
final class LatestObject: Sendable {
  private let lookCount = Atomic(0)
  private let latest = Mutex<(look: Int, object: PropertyListObject?)>((0, nil))

  /// Looks again, and returns whether the object is another one; the first look always says so. Other objects
  /// are noted one at a time, in the order of the looks.
  ///
  /// Several threads may look at once, and no lock is held while one does. Of two looks the one that
  /// began later counts: it saw each change that the other was told of.
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
