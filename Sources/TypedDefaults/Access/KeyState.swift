internal import Foundation
internal import Synchronization

/// What all declarations of one key in one store share.
final class KeyState: @unchecked Sendable {  // `lock` protects what is `var`.
  let key: String

  // Made when first used: a setting that is only read needs no lock, and one that is only written no listeners.
  private let madeLock = LazyReference<NSRecursiveLock>()
  private var lock: NSRecursiveLock { madeLock.load() ?? madeLock.storeIfNil(NSRecursiveLock()) }
  private let madeListeners = LazyReference<Listeners>()
  var listeners: Listeners {
    // Under the lock, so that who changes the key either knows of them, or has done so before they read.
    madeListeners.load() ?? facts.withLock { _ in madeListeners.storeIfNil(Listeners()) }
  }
  #if canImport(Darwin)
    /// Tells of what does not come by this library, once a declaration listens.
    let observer = MadeOnce<KeyObserver>()
  #endif

  private struct Facts {
    var storedObject: PropertyListObject?
    var ofTypedKeys: [(type: ObjectIdentifier, last: LastDecoded)] = []
    /// The keys whose settings were kept under this one before.
    var followers: [KeyState] = []
  }

  private let facts = Mutex(Facts())
  private var undecodable: [PropertyListObject] = []
  private var assignedVersion = 0

  // Asked at every read, hence without the lock.
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

  /// Tells listeners, once no lock is held, that the value in memory may be another one now, whoever
  /// has changed it.
  func announceChange() {
    forgetDecoded()
    let listeners = facts.withLock { facts in
      facts.storedObject = nil
      return madeListeners.load()
    }
    listeners?.announceChange()
    for follower in allFollowers { follower.listeners.announceChange() }
  }

  // MARK: Settings that were kept under this key before

  private let hasFollowers = Atomic(false)

  private var allFollowers: [KeyState] {
    hasFollowers.load(ordering: .acquiring) ? facts.withLock { $0.followers } : []
  }

  /// Has the listeners of another key told of the changes of this one.
  func addFollower(_ state: KeyState) {
    facts.withLock { facts in
      if !facts.followers.contains(where: { $0 === state }) { facts.followers.append(state) }
    }
    hasFollowers.store(true, ordering: .releasing)
  }

  // MARK: What was decoded

  /// A number that is another one after each change.
  var version: Int { changes.load(ordering: .acquiring) }

  /// Makes the next read decode again.
  func forgetDecoded() {
    changes.wrappingAdd(1, ordering: .releasing)
    for follower in allFollowers { follower.changes.wrappingAdd(1, ordering: .releasing) }
  }

  /// Where a declaration, or all typed keys of one type, keep what they decoded last.
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

  /// Whether an object was found to be a stored one, and another than the registered default. Only what is
  /// compared quickly is remembered: to ask for the registered default is quicker than to compare collections.
  func isKnownToBeStored(_ object: PropertyListObject) -> Bool {
    facts.withLock { $0.storedObject?.isEqualScalar(object) ?? false }
  }

  func noteStored(_ object: PropertyListObject) {
    if object.isScalar { facts.withLock { $0.storedObject = object } }
  }

  // MARK: Undecodable values, each reported once

  /// Called at each read with what was found. Once it is another object than those reported, they
  /// would be news again. That it can be read is no reason to forget them: another declaration's type
  /// may not read it.
  @inline(__always) var hasReports: Bool { hasUndecodable.load(ordering: .relaxed) }

  func forgetReports(unlessStill object: Any?) {
    exclusively {
      if let object, undecodable.contains(PropertyListObject(object)) { return }
      forgetReports()
    }
  }

  /// The next that cannot be decoded is news.
  func forgetReports() {
    undecodable = []
    hasUndecodable.store(false, ordering: .relaxed)
  }

  // MARK: Assignments. The caller holds the lock.

  /// Whether a value has been assigned.
  private(set) var isAssigned = false

  /// Whether anybody else has changed the key since the last assignment, or since the start.
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
    // Made without the lock, because to find the reason runs code of the program's.
    if isNews { issue().report() }
  }
}
