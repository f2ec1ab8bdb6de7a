internal import Synchronization

/// A reference that is set once, when it is first needed.
///
/// `AtomicLazyReference` is the same, and looks up its generic types at each access. Unchecked because a pointer
/// is not `Sendable`, though what it points to is.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  private let address = Atomic<UnsafeMutableRawPointer?>(nil)

  deinit {
    if let address = address.load(ordering: .acquiring) {
      Unmanaged<Object>.fromOpaque(address).release()
    }
  }

  func load() -> Object? {
    address.load(ordering: .acquiring).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// The object, which is made if there is none yet. Of two that are made at the same time, one is dropped.
  func load(orMake make: () -> Object) -> Object {
    if let object = load() { return object }
    let new = Unmanaged.passRetained(make())
    let (isStored, other) = address.compareExchange(
      expected: nil, desired: new.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isStored, let other else { return new.takeUnretainedValue() }
    new.release()
    return Unmanaged.fromOpaque(other).takeUnretainedValue()
  }
}
