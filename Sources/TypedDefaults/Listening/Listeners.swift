internal import Foundation
internal import Observation
internal import Synchronization

/// Who hears of the changes of one key: the iterators of ``DefaultUpdates``, whoever has read it inside
/// `withObservationTracking`, and the functions given to ``DeclaredSetting/onChange(_:)``.
///
/// They are told that something changed, not what: each then reads. So one that is told late, or of
/// the later of two changes first, still ends with the value in memory. Only the functions, which are to be
/// called with each value, have it noted at once.
final class Listeners: Observable, Sendable {
  private struct WakeUps {
    var continuations: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var observers: [ChangeObserver] = []
    var lastID: UInt64 = 0
  }

  private let wakeUps = Mutex(WakeUps())
  private let registrar = ObservationRegistrar()
  /// The number of changes that observers have still to be called for, the present one included.
  private let untoldChanges = Atomic(0)

  /// What Observation knows the key's value by.
  private var value: Void { () }

  /// The number of iterators and functions.
  var count: Int { wakeUps.withLock { $0.continuations.count + $0.observers.count } }

  /// Called at each read.
  func noteAccess() {
    registrar.access(self, keyPath: \.value)
  }

  /// Tells everybody, once no lock is held.
  func announceChange() {
    for observer in observers { observer.note() }
    DeferredCalls.perform(onceFor: self) { [self] in
      for continuation in wakeUps.withLock({ Array($0.continuations.values) }) {
        continuation.yield()
      }
      callObservers()
      for observer in observers { observer.callForAll() }
    }
  }

  private var observers: [ChangeObserver] { wakeUps.withLock { $0.observers } }

  func add(_ observer: ChangeObserver) {
    wakeUps.withLock { $0.observers.append(observer) }
  }

  func remove(_ observer: ChangeObserver) {
    // Given up outside the lock, because it may be the last reference.
    _ = wakeUps.withLock { wakeUps in
      wakeUps.observers.firstIndex { $0 === observer }.map { wakeUps.observers.remove(at: $0) }
    }
  }

  /// One thread at a time does so, and also for those that come meanwhile: Observation takes an
  /// observer off its list only when it has been called, and until then would call it once more.
  private func callObservers() {
    var changes = untoldChanges.add(1, ordering: .acquiringAndReleasing).newValue
    guard changes == 1 else { return }
    repeat {
      registrar.withMutation(of: self, keyPath: \.value) {}
      changes = untoldChanges.subtract(changes, ordering: .acquiringAndReleasing).newValue
    } while changes > 0
  }

  /// A stream of one wake-up now, and one after each change or several. It counts as a listener until
  /// its task is cancelled or its iterator goes away.
  func listen() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = wakeUps.withLock {
      $0.lastID += 1
      $0.continuations[$0.lastID] = continuation
      return $0.lastID
    }
    continuation.onTermination = { [self] _ in
      // Given up outside the lock, because it may be the last reference.
      _ = wakeUps.withLock { $0.continuations.removeValue(forKey: id) }
    }
    continuation.yield()
    return stream
  }
}
