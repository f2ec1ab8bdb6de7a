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
  #if canImport(Darwin)
    /// Hears changes that bypass this library, once a declaration listens.
    let observer = MadeOnce<KeyObserver>()
  #endif

  private struct Facts {
    var storedObject: PropertyListObject?
    var ofTypedKeys: [(type: ObjectIdentifier, last: LastDecoded)] = []
    /// The keys that have this one as a former key.
    var followers: [KeyState] = []
  }

  private let facts = Mutex(Facts())
  private var undecodable: [PropertyListObject] = []
  private var assignedVersion = 0

  // Atomic, because each read asks them.
  private let hasUndecodable = Atomic(false)
  private let changes = Atomic(0)
  let hearsEveryChange: Bool

  init(_ key: String, hearsEveryChange: Bool) {
    self.key = key
    self.hearsEveryChange = hearsEveryChange
  }

  /// Runs the body while no other thread changes the key. The lock is recursive, because the body of
  /// a `withLock` may read and assign its own setting.
  func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    try DeferredCalls.collecting { try lock.withLock(body) }
  }

  /// Tells listeners of a possible change, once no lock is held.
  func announceChange() {
    forgetDecoded()
    let listeners = facts.withLock { facts in
      facts.storedObject = nil
      return madeListeners.load()
    }
    listeners?.announceChange()
    for follower in allFollowers { follower.listeners.announceChange() }
  }

  // MARK: Settings with this former key

  private let hasFollowers = Atomic(false)

  private var allFollowers: [KeyState] {
    hasFollowers.load(ordering: .acquiring) ? facts.withLock { $0.followers } : []
  }

  /// Makes the listeners of another key hear the changes of this one.
  func addFollower(_ state: KeyState) {
    facts.withLock { facts in
      if !facts.followers.contains(where: { $0 === state }) { facts.followers.append(state) }
    }
    hasFollowers.store(true, ordering: .releasing)
  }

  // MARK: Decoded values

  /// A number that each change increases.
  var version: Int { changes.load(ordering: .acquiring) }

  /// Makes the next read decode anew.
  func forgetDecoded() {
    changes.wrappingAdd(1, ordering: .releasing)
    for follower in allFollowers { follower.changes.wrappingAdd(1, ordering: .releasing) }
  }

  /// The value decoded last, of one declaration or of all typed keys of one type.
  func lastDecoded(
    _ type: any UserDefaultsSerializable.Type, isShared: Bool
  ) -> LastDecoded {
    guard isShared else { return makeLastDecoded(type) }
    return facts.withLock { facts in
      let identifier = ObjectIdentifier(type)
      for kept in facts.ofTypedKeys where kept.type == identifier { return kept.last }
      let last = makeLastDecoded(type)
      facts.ofTypedKeys.append((identifier, last))
      return last
    }
  }

  private func makeLastDecoded<V: UserDefaultsSerializable>(_ type: V.Type) -> LastDecoded {
    LastDecoded(hearsEveryChange ? .version : V.StoredValue.self is any JSONForm.Type ? .text : nil)
  }

  // MARK: Stored, or only registered

  /// Whether an earlier read found the object stored, and different from the registered default. Collections
  /// are not remembered, because their comparison takes longer than a look at the registered default.
  func isKnownToBeStored(_ object: PropertyListObject) -> Bool {
    facts.withLock { $0.storedObject?.isEqualScalar(object) ?? false }
  }

  func noteStored(_ object: PropertyListObject) {
    if object.isScalar { facts.withLock { $0.storedObject = object } }
  }

  // MARK: Undecodable values, each reported once

  /// Whether a value has been reported. Reads forget the reports once they find another object, because the
  /// reported ones would then be news again. A readable value is no reason: another declaration's type may
  /// still not read it.
  @inline(__always) var hasReports: Bool { hasUndecodable.load(ordering: .relaxed) }

  func forgetReports(unlessStill object: Any?) {
    exclusively {
      if let object, undecodable.contains(PropertyListObject(object)) { return }
      forgetReports()
    }
  }

  /// Makes the next undecodable value news.
  func forgetReports() {
    undecodable = []
    hasUndecodable.store(false, ordering: .relaxed)
  }

  // MARK: Assignments. The caller holds the lock.

  /// Whether a value has been assigned.
  private(set) var isAssigned = false

  /// Whether another change has come since the last assignment, or since the start.
  var isChanged: Bool { version != assignedVersion }

  func noteAssigned() {
    isAssigned = true
    assignedVersion = version
  }

  func reportUndecodable(_ object: PropertyListObject, _ issue: () -> DefaultsIssue) {
    let isNews = exclusively {
      guard !undecodable.contains(object) else { return false }
      undecodable.append(object)
      hasUndecodable.store(true, ordering: .relaxed)
      return true
    }
    // Without the lock, because the search for the reason runs code of the program.
    if isNews { issue().report() }
  }
}
