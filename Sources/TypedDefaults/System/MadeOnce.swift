internal import Synchronization

/// An object that is made on first use. Other threads wait until it is made.
final class MadeOnce<Object: AnyObject & Sendable>: Sendable {
  private let isMade = Atomic(false)
  private let object = Mutex<Object?>(nil)

  func make(_ make: () -> Object) {
    guard !isMade.load(ordering: .acquiring) else { return }
    object.withLock { object in
      guard object == nil else { return }
      object = make()
      isMade.store(true, ordering: .releasing)
    }
  }
}
