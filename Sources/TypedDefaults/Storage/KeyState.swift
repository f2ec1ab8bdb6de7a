internal import Foundation
internal import Synchronization

/// What all declarations of one key in one store share.
final class KeyState: @unchecked Sendable {  // `lock` protects every variable.
  private let lock = NSRecursiveLock()
  private let registration: Registration
  private var declared: (type: any Any.Type, default: PropertyListObject?)?
  private var hasConflict = false
  private var undecodable: PropertyListObject?
  private var hasUndecodableArgument = false

  // Asked at every read, hence without the lock.
  private let hasUndecodable = Atomic(false)
  private let wasSeenStored = Atomic(false)

  init(_ registration: Registration) {
    self.registration = registration
  }

  /// Runs the body while no other thread changes the key. The lock is recursive, because the body of
  /// a `withLock` may read and assign its own setting.
  func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    try Unlocked.collecting { try lock.withLock(body) }
  }

  /// Tells listeners, once no lock is held, that the value in memory may be another one now.
  func announceChange() {}

  // MARK: Stored, or only registered

  /// True once an object of this key has been seen to be a stored one, unless other declarations of
  /// the same name registered other defaults: then each object must be looked at.
  var isKnownToBeStored: Bool {
    wasSeenStored.load(ordering: .relaxed) && !registration.isContested
  }

  func noteStored() {
    wasSeenStored.store(true, ordering: .relaxed)
  }

  func noteWritten(isStored: Bool) {
    wasSeenStored.store(isStored, ordering: .relaxed)
    forgetUndecodable()
  }

  /// Notes what another process has written. Takes no lock, see `Saving`.
  func noteWrittenElsewhere(isStored: Bool) {
    wasSeenStored.store(isStored, ordering: .relaxed)
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

  func forgetUndecodable(unlessEqualTo object: PropertyListObject? = nil) {
    guard hasUndecodable.load(ordering: .relaxed) else { return }
    exclusively {
      // One declaration's type may read what another's does not.
      if let object, object == undecodable { return }
      undecodable = nil
      hasUndecodable.store(false, ordering: .relaxed)
    }
  }

  func reportUndecodable(_ object: PropertyListObject, _ issue: () -> DefaultsIssue) {
    exclusively {
      guard object != undecodable else { return }
      undecodable = object
      hasUndecodable.store(true, ordering: .relaxed)
      issue().report()
    }
  }

  func reportUndecodableArgument(_ issue: () -> DefaultsIssue) {
    exclusively {
      guard !hasUndecodableArgument else { return }
      hasUndecodableArgument = true
      issue().report()
    }
  }
}
