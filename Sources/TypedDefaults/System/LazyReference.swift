internal import Synchronization

/// An object that is made when it is first needed, of two that are made at once the first.
///
/// `AtomicLazyReference` looks up types at each access, which took longer than all else that a read of a
/// saved store does.
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
