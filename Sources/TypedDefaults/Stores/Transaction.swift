internal import Foundation

/// Changes of one store by one thread that are saved and told together, or undone.
final class Transaction: Nesting {
  private var token: StoredValues.Token { StoredValues.Token(self) }

  /// The next outer one of the same store.
  private let enclosing: Transaction?

  private override init(_ function: Function, in store: Store) {
    enclosing = Transaction.innermost(of: store)
    super.init(function, in: store)
  }

  /// Returns the innermost transaction of a store on this thread.
  private static func innermost(of store: Store) -> Transaction? {
    innermost(of: store) { $0 != .withLock } as? Transaction
  }

  /// Returns what holds back the changes that this thread makes in a store.
  static func token(in store: Store) -> StoredValues.Token? { innermost(of: store)?.token }

  /// Returns what holds them back there and in the transactions around that one.
  static func tokens(in store: Store) -> [StoredValues.Token] {
    sequence(first: innermost(of: store), next: { $0?.enclosing }).prefix { $0 != nil }
      .compactMap { $0?.token }
  }

  /// Saves the changes of an outermost transaction.
  typealias Commit = (StoredValues.Token) throws -> Void

  static func run<R>(
    in store: Store, _ userDefaults: UserDefaults, _ body: () throws -> R
  ) rethrows -> R {
    let isOutermost = token(in: store) == nil
    if isOutermost { store.backend.subclass?.beginTransaction() }
    defer { if isOutermost { store.backend.subclass?.endTransaction() } }
    return try run(
      .transaction, in: store, userDefaults, commit: { store.backend.end($0, into: nil) }, body)
  }

  static func run<R>(
    _ function: Function, in store: Store, _ userDefaults: UserDefaults, commit: Commit,
    _ body: () throws -> R
  ) rethrows -> R {
    let transaction = Transaction(function, in: store)
    // Listeners are told after the body.
    return try DeferredCalls.collecting {
      try transaction.run {
        do {
          let result = try body()
          if let enclosing = transaction.enclosing {
            store.backend.end(transaction.token, into: enclosing.token)
          } else {
            try commit(transaction.token)
          }
          return result
        } catch {
          store.drop(transaction.token, in: userDefaults)
          throw error
        }
      }
    }
  }
}
