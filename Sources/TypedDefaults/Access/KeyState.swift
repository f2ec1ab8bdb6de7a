internal import Foundation
internal import Synchronization

/// What all declarations of one key in one store share.
final class KeyState: @unchecked Sendable {  // `lock` protects `undecodable`.
  // Made when first used, because to make it is a good part of what a declaration would cost.
  private let madeLock = AtomicLazyReference<NSRecursiveLock>()
  private var lock: NSRecursiveLock { madeLock.load() ?? madeLock.storeIfNil(NSRecursiveLock()) }
  private let registration: RegisteredDefaults
  let listeners = Listeners()
  private let declaration = Mutex<Declaration?>(nil)
  private let hasConflict = Atomic(false)
  private var undecodable: [PropertyListObject] = []

  // Asked at every read, hence without the lock.
  private let hasUndecodable = Atomic(false)
  private let wasSeenStored = Atomic(false)

  init(_ registration: RegisteredDefaults) {
    self.registration = registration
  }

  /// Runs the body while no other thread changes the key. The lock is recursive, because the body of
  /// a `withLock` may read and assign its own setting.
  func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    try DeferredCalls.collecting { try lock.withLock(body) }
  }

  /// Tells listeners, once no lock is held, that the value in memory may be another one now, whoever
  /// has changed it.
  func announceChange() {
    wasSeenStored.store(false, ordering: .relaxed)
    listeners.announceChange()
  }

  // MARK: Stored, or only registered

  /// Whether what is read is a stored object for sure: one has been seen to be, and declarations have
  /// registered no default for the name but the caller's own. Else each object must be looked at.
  func isKnownToBeStored(hasOwnDefault: Bool) -> Bool {
    wasSeenStored.load(ordering: .relaxed)
      && registration.numberOfDefaults <= (hasOwnDefault ? 1 : 0)
  }

  func noteStored() {
    wasSeenStored.store(true, ordering: .relaxed)
  }

  func noteWritten(isStored: Bool) {
    wasSeenStored.store(isStored, ordering: .relaxed)
    forgetUndecodable()
  }

  // MARK: Declarations

  func declare(_ new: Declaration, key: String) {
    registration.note(new.default)
    let first = declaration.withLock { first in
      defer { if first?.default == nil { first = new } }
      return first
    }
    // Compared without the lock, because `==` is the program's.
    guard let first, !first.agrees(with: new),
      !hasConflict.exchange(true, ordering: .relaxed)
    else { return }
    DefaultsIssue.conflicting(first, new, key: key).report()
  }

  // MARK: Undecodable values, each reported once

  /// Called at each read with what was found. Once it is another object than those reported, they
  /// would be news again. That it can be read is no reason to forget them: another declaration's type
  /// may not read it.
  func forgetReports(unlessStill object: Any?) {
    guard hasUndecodable.load(ordering: .relaxed) else { return }
    exclusively {
      if let object, undecodable.contains(PropertyListObject(object)) { return }
      forgetUndecodable()
    }
  }

  private func forgetUndecodable() {
    undecodable = []
    hasUndecodable.store(false, ordering: .relaxed)
  }

  func reportUndecodable(_ object: PropertyListObject, _ issue: () -> DefaultsIssue) {
    let isNews = exclusively {
      guard !undecodable.contains(object) else { return false }
      undecodable.append(object)
      hasUndecodable.store(true, ordering: .relaxed)
      return true
    }
    // Made without the lock, because to find the reason runs code of the program's.
    if isNews { issue().report() }
  }
}
