internal import Foundation
internal import Synchronization

/// The state of one key of one store, which all its declarations share.
final class KeyState: @unchecked Sendable {  // `lock` protects what is `var`.
  let key: String

  // Made by their first use: reads need no lock, and writes need no listeners.
  private let madeLock = LazyReference<NSRecursiveLock>()
  private var lock: NSRecursiveLock { madeLock.load() ?? madeLock.storeIfNil(NSRecursiveLock()) }
  private let madeListeners = LazyReference<Listeners>()
  var listeners: Listeners {
    // Under the lock: a change either finds the listeners, or comes before their first read.
    madeListeners.load() ?? facts.withLock { _ in madeListeners.storeIfNil(Listeners()) }
  }

  private struct Facts {
    /// The undecodable objects that have been reported.
    var reported: [Found] = []
    /// The keys that have this one as a former key.
    var followers: [ObjectIdentifier: Follower] = [:]
    var countToTidy = 64
  }

  private struct Follower {
    weak var state: KeyState?
  }

  private let facts = Mutex(Facts())

  // Atomic, because each read asks for it.
  private let changes = Atomic(0)

  init(_ key: String) {
    self.key = key
  }

  /// Runs the body while no other thread changes the key. The lock is recursive, because the body of
  /// a `withLock` may read and assign its own setting.
  func locked<R>(_ body: () throws -> R) rethrows -> R {
    try DeferredCalls.collecting { try lock.withLock(body) }
  }

  /// Tells listeners of a possible change, once no lock is held.
  func announceChange() {
    forgetDecoded()
    for state in [self] + followers {
      state.facts.withLock { _ in state.madeListeners.load() }?.announceChange()
    }
  }

  // MARK: Settings with this former key

  private var followers: [KeyState] {
    facts.withLock { $0.followers.isEmpty ? [] : $0.followers.values.compactMap(\.state) }
  }

  /// Tells the listeners of another key of the changes of this one.
  func addFollower(_ state: KeyState) {
    facts.withLock { facts in
      // In place of one that is gone, if that had the same address.
      facts.followers[ObjectIdentifier(state)] = Follower(state: state)
      guard facts.followers.count > facts.countToTidy else { return }
      facts.followers = facts.followers.filter { $0.value.state != nil }
      facts.countToTidy = max(64, facts.followers.count * 2)
    }
  }

  // MARK: Versions

  /// A number that each change increases.
  var version: Int { changes.load(ordering: .acquiring) }

  /// Makes the next read decode anew.
  func forgetDecoded() {
    changes.wrappingAdd(1, ordering: .releasing)
    for follower in followers { follower.changes.wrappingAdd(1, ordering: .releasing) }
  }

  // MARK: Undecodable objects, each reported once

  /// Whether an object has been reported.
  var hasReports: Bool { facts.withLock { !$0.reported.isEmpty } }

  /// Notes that an object is going to be reported.
  ///
  /// - Returns: Whether that is news.
  func noteReport(_ found: Found) -> Bool {
    facts.withLock { facts in
      guard !facts.reported.contains(found) else { return false }
      facts.reported.append(found)
      return true
    }
  }

  /// Makes the stored objects news again.
  func forgetStoredReports() {
    facts.withLock { facts in
      if !facts.reported.isEmpty { facts.reported.removeAll { $0.layer == .stored } }
    }
  }

  /// Makes all objects news again, except for some, and for variables: they never change, and other
  /// declarations of the key do not see them.
  func forgetReports(except present: [Found]) {
    facts.withLock {
      $0.reported.removeAll { $0.layer != .environment && !present.contains($0) }
    }
  }
}
