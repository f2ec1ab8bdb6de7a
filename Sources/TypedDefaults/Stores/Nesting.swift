/// A body that a thread runs, and whose changes are saved after it.
class Nesting {
  /// The function that runs the body.
  enum Function: String {
    case transaction = "transaction(_:)"
    case exclusively = "exclusively(_:)"
    case withLock = "withLock(_:)"
  }

  let store: Store
  let function: Function
  /// The next outer one of this thread.
  private let outer: Nesting?

  init(_ function: Function, in store: Store) {
    self.store = store
    self.function = function
    outer = Self.innermost.object
  }

  private static let innermost = ThreadVariable<Nesting>()

  /// Returns the innermost one of a store on this thread, of those that count.
  static func innermost(of store: Store, where counts: (Function) -> Bool = { _ in true })
    -> Nesting?
  {
    var nesting = innermost.object
    while let candidate = nesting, candidate.store !== store || !counts(candidate.function) {
      nesting = candidate.outer
    }
    return nesting
  }

  func run<R>(_ body: () throws -> R) rethrows -> R {
    Self.innermost.object = self
    defer { Self.innermost.object = outer }
    return try body()
  }
}
