internal import Synchronization

/// What was seen last.
final class LatestLook<Seen: Equatable & Sendable>: Sendable {
  private let lookCount = Atomic(0)
  private let latest = Mutex<(look: Int, seen: Seen?)>((0, nil))

  /// Looks again, and notes what is seen if it differs from what was seen before.
  ///
  /// Several threads may look at once, without a lock. Of two looks the one that began later
  /// counts, because it saw all changes that led to the other. What is seen is noted one at a time,
  /// in the order of the looks.
  ///
  /// - Returns: Whether it differs. The first one always does.
  @discardableResult
  func changes(_ look: () -> Seen, note: (Seen) -> Void = { _ in }) -> Bool {
    let number = lookCount.add(1, ordering: .acquiringAndReleasing).newValue
    let seen = look()
    // Released outside the lock.
    var old: Seen?
    return latest.withLock { latest in
      guard number > latest.look else { return false }
      old = latest.seen
      latest = (number, seen)
      let isOther = old != seen
      if isOther { note(seen) }
      return isOther
    }
  }
}
