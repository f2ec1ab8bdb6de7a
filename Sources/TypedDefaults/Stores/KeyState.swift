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
    var known: Stored?
    /// The undecodable objects that have been reported.
    var reported: [PropertyListObject] = []
    /// The keys that have this one as a former key.
    var followers: [KeyState] = []
  }

  private let facts = Mutex(Facts())

  // Atomic, because each read asks for it.
  private let changes = Atomic(0)

  /// The transaction that has made the last change, until it ends.
  var transaction: Transaction.Token?

  init(_ key: String) {
    self.key = key
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
      facts.known = nil
      return madeListeners.load()
    }
    listeners?.announceChange()
    for follower in followers { follower.listeners.announceChange() }
  }

  // MARK: Settings with this former key

  private var followers: [KeyState] { facts.withLock { $0.followers } }

  /// The first key that has this one as a former key.
  var firstFollower: KeyState? { followers.first }

  /// Makes the listeners of another key hear the changes of this one.
  func addFollower(_ state: KeyState) {
    facts.withLock { facts in
      if !facts.followers.contains(where: { $0 === state }) { facts.followers.append(state) }
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

  // MARK: The stored object

  /// The stored object as the library has set it last; nil if it may have changed since.
  var known: Stored? {
    get { facts.withLock { $0.known } }
    set { facts.withLock { $0.known = newValue } }
  }

  /// Notes what a read has found, with which the next change is compared: a raw change may have come
  /// between.
  ///
  /// - Parameter isDefault: Whether it may be the registered default, where nothing is stored.
  func noteFound(_ object: PropertyListObject?, isDefault: Bool = false) {
    guard let known, !(isDefault && known.object == nil), known.object != object else { return }
    self.known = nil
  }

  // MARK: Undecodable objects, each reported once

  /// Whether an object has been reported.
  var hasReports: Bool { facts.withLock { !$0.reported.isEmpty } }

  /// Notes that an object is going to be reported.
  ///
  /// - Returns: Whether that is news.
  func noteReport(_ object: PropertyListObject) -> Bool {
    facts.withLock { facts in
      guard !facts.reported.contains(object) else { return false }
      facts.reported.append(object)
      return true
    }
  }

  /// Makes all objects news again, except for some.
  func forgetReports(except present: [PropertyListObject] = []) {
    facts.withLock { $0.reported.removeAll { !present.contains($0) } }
  }
}
