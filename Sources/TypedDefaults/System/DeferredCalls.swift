/// Calls of the issue handler and of listeners, deferred until the thread holds no lock of a key.
///
/// Calls that arise during a call wait until it has returned. An observer that sets its own setting
/// would otherwise be called again without end, because Observation has not yet taken it off its
/// list.
enum DeferredCalls {
  typealias Call = @Sendable () -> Void

  /// The deferred calls of one thread.
  private final class Waiting {
    private var calls: [(owner: ObjectIdentifier?, call: Call)] = []
    private var owners = Set<ObjectIdentifier>(minimumCapacity: 4)

    // To grow twice would take as long as to store the value.
    init() { calls.reserveCapacity(4) }

    func append(_ owner: ObjectIdentifier?, _ call: @escaping Call) {
      if let owner, !owners.insert(owner).inserted { return }
      calls.append((owner, call))
    }

    func makeAll() {
      while !calls.isEmpty {
        let waiting = calls
        calls = []
        for (owner, call) in waiting {
          if let owner { owners.remove(owner) }
          call()
        }
      }
    }
  }

  // A variable of the thread, because each write of each thread comes by here.
  private static let variable = ThreadVariable<Waiting>()

  private static var waiting: Waiting? { variable.object }

  /// Whether this thread defers calls now.
  static var areCollected: Bool { waiting != nil }

  /// Makes a call now, or when the thread holds no lock.
  ///
  /// - Parameter owner: Of the waiting calls with one owner, only the first is made. The call
  ///   retains its owner.
  static func perform(onceFor owner: AnyObject? = nil, _ call: @escaping Call) {
    guard let waiting else { return collecting { perform(onceFor: owner, call) } }
    waiting.append(owner.map(ObjectIdentifier.init), call)
  }

  /// Runs a body that takes and releases a lock. The outermost such body of a thread then makes the
  /// calls.
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
