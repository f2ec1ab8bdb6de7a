internal import Foundation
internal import Synchronization

/// What all declarations of one key in one store share.
final class KeyState: @unchecked Sendable {  // `lock` protects every variable.
  private let lock = NSRecursiveLock()
  private let registration: Registration
  let listeners = Listeners()
  private var declared: (type: any Any.Type, default: PropertyListObject?)?
  private var hasConflict = false
  private var undecodable: [PropertyListObject] = []

  // Asked at every read, hence without the lock.
  private let hasUndecodable = Atomic(false)
  private let knowledge = Atomic(Knowledge())

  init(_ registration: Registration) {
    self.registration = registration
  }

  /// Runs the body while no other thread changes the key. The lock is recursive, because the body of
  /// a `withLock` may read and assign its own setting.
  func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    try Unlocked.collecting { try lock.withLock(body) }
  }

  /// Tells listeners, once no lock is held, that the value in memory may be another one now, whoever
  /// has changed it.
  func announceChange() {
    noteChange { $0.isStored = false }
    listeners.announceChange()
  }

  // MARK: Stored, or only registered

  /// What is known of the object in memory.
  struct Knowledge: RawRepresentable, AtomicRepresentable, Equatable {
    /// Two bits, and above them the number of changes.
    var rawValue: UInt64 = 0

    /// An object has been seen to be a stored one since the last change.
    fileprivate var isStored: Bool {
      get { rawValue & 1 != 0 }
      set { rawValue = newValue ? rawValue | 1 : rawValue & ~1 }
    }

    /// A change is being made, before or after which an object may have been read.
    fileprivate var isChanging: Bool {
      get { rawValue & 2 != 0 }
      set { rawValue = newValue ? rawValue | 2 : rawValue & ~2 }
    }

    fileprivate mutating func countChange() { rawValue &+= 4 }
  }

  /// What is known before an object is read. It counts for that object if it still is after.
  var known: Knowledge { knowledge.load(ordering: .acquiring) }

  /// Whether the object that has been read since is a stored one for sure. If other declarations of
  /// the same name registered other defaults, each object must be looked at.
  func isKnownToBeStored(since before: Knowledge) -> Bool {
    before.isStored && known == before && !registration.isContested
  }

  func noteStored(since before: Knowledge) {
    guard !before.isChanging else { return }
    var stored = before
    stored.isStored = true
    _ = knowledge.compareExchange(
      expected: before, desired: stored, ordering: .acquiringAndReleasing)
  }

  /// Makes a change in memory. No two are made at once.
  func change(isStored: Bool, inMemory change: () -> Void) {
    noteChange {
      $0.isStored = false
      $0.isChanging = true
    }
    change()
    noteChange {
      $0.isStored = isStored
      $0.isChanging = false
    }
  }

  private func noteChange(_ change: (inout Knowledge) -> Void) {
    var before = known
    while true {
      var after = before
      after.countChange()
      change(&after)
      let (isExchanged, original) = knowledge.compareExchange(
        expected: before, desired: after, ordering: .acquiringAndReleasing)
      if isExchanged { return }
      before = original
    }
  }

  // MARK: Declarations

  func declare(type: any Any.Type, default: PropertyListObject?, key: String) {
    exclusively {
      registration.note(`default`)
      guard let declared else {
        self.declared = (type, `default`)
        return
      }
      let isSameDefault =
        declared.default == nil || `default` == nil || declared.default == `default`
      guard !hasConflict, declared.type != type || !isSameDefault else {
        self.declared?.default = declared.default ?? `default`
        return
      }
      hasConflict = true
      DefaultsIssue.conflicting(declared, (type, `default`), key: key).report()
    }
  }

  // MARK: Undecodable values, each reported once

  /// Called at each read with what was found. Once it is another object than those reported, they
  /// would be news again. That it can be read is no reason to forget them: another declaration's type
  /// may not read it.
  func noteRead(_ object: Any?) {
    guard hasUndecodable.load(ordering: .relaxed) else { return }
    exclusively {
      if let object, undecodable.contains(PropertyListObject(object)) { return }
      forgetUndecodable()
    }
  }

  func forgetUndecodable() {
    undecodable = []
    hasUndecodable.store(false, ordering: .relaxed)
  }

  func reportUndecodable(_ object: PropertyListObject, _ issue: () -> DefaultsIssue) {
    exclusively {
      guard !undecodable.contains(object) else { return }
      undecodable.append(object)
      hasUndecodable.store(true, ordering: .relaxed)
      issue().report()
    }
  }
}
