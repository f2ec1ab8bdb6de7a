internal import Synchronization

/// A reference that the first use sets. Of two objects made at once, the first is kept.
///
/// `AtomicLazyReference` looks up types at each access. In a read of a saved store, this took longer than all
/// other steps together.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let object = Atomic<Unmanaged<Object>?>(nil)

  deinit { object.load(ordering: .acquiring)?.release() }

  func load() -> Object? { object.load(ordering: .acquiring)?.takeUnretainedValue() }

  func storeIfNil(_ made: Object) -> Object {
    let new = Unmanaged.passRetained(made)
    let old = object.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing
    ).original
    guard let old else { return made }
    new.release()
    return old.takeUnretainedValue()
  }
}
