internal import Foundation
internal import Observation
internal import Synchronization

/// The listeners of one key: iterators of ``DefaultUpdates``, observers of Observation, and
/// functions given to ``DeclaredSetting/onChange(_:)``.
///
/// A listener is told that the key has changed, and then reads it. So a listener that is told late,
/// or in another order, still ends with the value in memory. Only the functions, which receive each
/// value, note it at once.
final class Listeners: Observable, Sendable {
  private struct WakeUps {
    var continuations: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var observers: [any ChangeObserver] = []
    var lastID: UInt64 = 0
  }

  private let wakeUps = Mutex(WakeUps())
  private let registrar = ObservationRegistrar()
  /// The number of changes that Observation has yet to be told of, the present one included.
  private let untoldChanges = Atomic(0)

  /// The key path by which Observation knows the value.
  typealias Path = any KeyPath<Listeners, Void> & Sendable
  private subscript(kept: Kept) -> Void { () }
  private static let path: Path = path(keeping: nil)

  /// An object that is to live while somebody observes, such as a key of which no declaration is left.
  /// Observation keeps nothing but the key path meanwhile, so the object is an argument of the path. All are
  /// equal, and so are the paths: the listeners are those of one key.
  private struct Kept: Hashable, Sendable {
    let object: (any AnyObject & Sendable)?
    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  static func path(keeping object: (any AnyObject & Sendable)?) -> Path {
    \Listeners[Kept(object: object)]
  }

  /// The number of iterators and functions.
  var count: Int { wakeUps.withLock { $0.continuations.count + $0.observers.count } }

  /// Called at each read.
  func noteAccess(by path: Path) {
    registrar.access(self, keyPath: path)
  }

  /// Tells all listeners, once no lock is held.
  func announceChange() {
    for observer in observers { observer.note() }
    DeferredCalls.perform(onceFor: self) { [self] in
      for continuation in wakeUps.withLock({ Array($0.continuations.values) }) {
        continuation.yield()
      }
      callObservers()
      for observer in observers { observer.call() }
    }
  }

  private var observers: [any ChangeObserver] { wakeUps.withLock { $0.observers } }

  func add(_ observer: any ChangeObserver) {
    wakeUps.withLock { $0.observers.append(observer) }
  }

  func remove(_ observer: any ChangeObserver) {
    wakeUps.withLock { $0.observers.removeAll { $0 === observer } }
  }

  /// Tells Observation, on one thread at a time, which also does so for threads that come
  /// meanwhile. Observation takes an observer off its list only after the call, and could call it
  /// twice.
  private func callObservers() {
    var changes = untoldChanges.add(1, ordering: .acquiringAndReleasing).newValue
    guard changes == 1 else { return }
    repeat {
      registrar.withMutation(of: self, keyPath: Self.path) {}
      changes = untoldChanges.subtract(changes, ordering: .acquiringAndReleasing).newValue
    } while changes > 0
  }

  /// Returns a stream of one wake-up now, and another after one or more changes. It is a listener
  /// until its task is canceled or its iterator is released.
  func listen() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = wakeUps.withLock {
      $0.lastID += 1
      $0.continuations[$0.lastID] = continuation
      return $0.lastID
    }
    continuation.onTermination = { [self] _ in
      // Released outside the lock, because it may be the last reference.
      _ = wakeUps.withLock { $0.continuations.removeValue(forKey: id) }
    }
    continuation.yield()
    return stream
  }
}
