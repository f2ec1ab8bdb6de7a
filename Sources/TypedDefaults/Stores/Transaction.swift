internal import Foundation

/// Changes of one store by one thread that are saved and told together, or undone.
final class Transaction {
  private struct Change {
    let state: KeyState
    /// The stored object before the first change, and after the last one.
    let old: PropertyListObject?
    var new: PropertyListObject?
  }

  typealias ID = ObjectIdentifier

  /// The identity of the outermost transaction of the store, which is saved.
  var id: ID { enclosing?.id ?? ID(self) }

  private let store: Store
  /// The next outer transaction of this thread, and the next one of the same store.
  private let outer: Transaction?
  private let enclosing: Transaction?
  private var changes: [String: Change] = [:]

  private init(_ store: Store) {
    self.store = store
    outer = Self.innermost.object
    enclosing = Self.current(of: store)
  }

  private static let innermost = ThreadVariable<Transaction>()

  /// Returns the innermost transaction of a store on this thread.
  static func current(of store: Store) -> Transaction? {
    var transaction = innermost.object
    while let candidate = transaction, candidate.store !== store { transaction = candidate.outer }
    return transaction
  }

  /// - Parameter isSaved: Whether the store is told of the begin and the end of the outermost one.
  static func run<R>(
    in store: Store, _ userDefaults: UserDefaults, isSaved: Bool = true, _ body: () throws -> R
  ) rethrows -> R {
    // Listeners are told after the body.
    try DeferredCalls.collecting {
      let transaction = Transaction(store)
      if isSaved, transaction.enclosing == nil {
        store.kind.begin(transaction.id, in: userDefaults)
      }
      innermost.object = transaction
      defer {
        innermost.object = transaction.outer
        if let enclosing = transaction.enclosing {
          enclosing.take(transaction.changes)
        } else if isSaved {
          store.kind.end(transaction.id, in: userDefaults)
        }
      }
      do {
        return try body()
      } catch {
        transaction.undo(in: userDefaults)
        throw error
      }
    }
  }

  /// Notes a change that is about to be made. The caller holds the key's lock.
  func note(_ state: KeyState, _ new: PropertyListObject?, in userDefaults: UserDefaults) {
    if changes[state.key] == nil {
      let old = store.kind.object(state.key, at: .stored, in: userDefaults)
      changes[state.key] = Change(state: state, old: old)
    }
    changes[state.key]?.new = new
  }

  private func take(_ inner: [String: Change]) {
    for (key, change) in inner {
      let old = changes[key].map(\.old) ?? change.old
      changes[key] = Change(state: change.state, old: old, new: change.new)
    }
  }

  private func undo(in userDefaults: UserDefaults) {
    for (key, change) in changes {
      change.state.exclusively {
        // Another thread's later change is kept.
        guard store.kind.object(key, at: .stored, in: userDefaults) == change.new else { return }
        store.change(change.state, to: change.old.map(Self.settable), in: userDefaults)
      }
    }
  }

  /// Returns the object in a form that Foundation accepts: on Linux, `set` traps for arrays that it
  /// returned.
  private static func settable(_ object: PropertyListObject) -> PropertyListObject {
    (try? PropertyListObject(validating: object.object)) ?? object
  }
}
