/// Calls that leave the library, to the issue handler and to listeners, made while no lock is held: at
/// once, or as soon as the thread has released the last lock of a key.
///
/// What a call leads to waits until it has returned: an observer that sets its own setting would else
/// be called again before Observation has taken it off its list, and so without end.
enum DeferredCalls {
  typealias Call = @Sendable () -> Void

  /// The calls that wait on a thread which holds a lock, or makes such a call.
  private final class Waiting {
    private var calls: [(owner: ObjectIdentifier?, call: Call)] = []
    private var made = 0
    private var owners: Set<ObjectIdentifier> = []

    func append(_ owner: ObjectIdentifier?, _ call: @escaping Call) {
      if let owner, !owners.insert(owner).inserted { return }
      calls.append((owner, call))
    }

    func makeAll() {
      while made < calls.count {
        let (owner, call) = calls[made]
        made += 1
        if made == calls.count { (calls, made) = ([], 0) }
        if let owner { owners.remove(owner) }
        call()
      }
    }
  }

  /// A thread's own variable holds them, because all writes of all threads come by here.
  private static let variable = ThreadVariable<Waiting>()

  private static var waiting: Waiting? { variable.object }

  /// Whether the thread holds a lock, or makes such a call.
  static var areCollected: Bool { waiting != nil }

  /// - Parameter owner: Of several calls with one owner that wait on one thread, one is made. The call
  ///   holds on to its owner.
  static func perform(onceFor owner: AnyObject? = nil, _ call: @escaping Call) {
    guard let waiting else { return collecting { perform(onceFor: owner, call) } }
    waiting.append(owner.map(ObjectIdentifier.init), call)
  }

  /// Runs a body that takes and releases a lock, and then, if it is the thread's outermost such
  /// body, what it has collected.
  static func collecting<R>(_ body: () throws -> R) rethrows -> R {
    guard waiting == nil else { return try body() }
    let waiting = Waiting()
    return try withExtendedLifetime(waiting) {
      variable.object = waiting
      defer {
        waiting.makeAll()
        variable.object = nil
      }
      return try body()
    }
  }
}
