internal import Foundation

/// Changes of one store by one thread that are saved and told together, or undone.
final class Transaction: Nesting {
  typealias Token = ObjectIdentifier

  private struct Change {
    let state: KeyState
    /// The stored object before the first change, and after the last one.
    let old: PropertyListObject?
    var new: PropertyListObject?
    /// The transaction that had made the change before.
    let former: Token?
  }

  var token: Token { Token(self) }

  /// The next outer one of the same store.
  private let enclosing: Transaction?
  private var changes: [String: Change] = [:]
  /// The stored objects at a moment of the transaction, to find the old ones of many keys.
  private var snapshot: [String: PropertyListObject]?
  /// The number of changes in the store at that moment, and of this transaction's since then.
  private var snapshotCount = 0

  private override init(_ function: Function, in store: Store) {
    enclosing = Transaction.current(of: store)
    super.init(function, in: store)
  }

  /// Returns the innermost transaction of a store on this thread.
  static func current(of store: Store) -> Transaction? {
    innermost(of: store) { $0 != .withLock } as? Transaction
  }

  /// Saves the changes of an outermost transaction.
  typealias Commit = (Token) throws -> Void

  static func run<R>(
    in store: Store, _ userDefaults: UserDefaults, _ body: () throws -> R
  ) rethrows -> R {
    let subclass = current(of: store) == nil ? store.backend.subclass : nil
    subclass?.beginTransaction()
    defer { subclass?.endTransaction() }
    return try run(
      .transaction, in: store, userDefaults,
      commit: { store.backend.saver?.end($0, into: nil) }, body)
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
            store.backend.saver?.end(transaction.token, into: enclosing.token)
          } else {
            try commit(transaction.token)
          }
          transaction.end()
          return result
        } catch {
          transaction.undo(in: userDefaults)
          throw error
        }
      }
    }
  }

  /// Notes a change that is about to be made. The caller holds the key's lock.
  func note(_ state: KeyState, _ new: PropertyListObject?, in userDefaults: UserDefaults) {
    // Another thread may have changed the key since this transaction has.
    if changes[state.key] == nil || state.transaction != token {
      changes[state.key] = Change(
        state: state, old: old(state.key, in: userDefaults), former: state.transaction)
    }
    changes[state.key]?.new = new
  }

  private func old(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
    guard let foreignChanges = store.backend.foreignChanges, !changes.isEmpty else {
      return store.backend.objects(key, at: .stored, in: userDefaults).first
    }
    // The changes of this thread since then are of keys that it has noted before.
    let count = store.changeCount + foreignChanges
    if snapshot == nil || count != snapshotCount {
      snapshot = store.backend.storedObjects(in: userDefaults)
      snapshotCount = count
    }
    return snapshot?[key]
  }

  /// Called after a change of this transaction.
  func noteChanged() { snapshotCount += 1 }

  private func end() {
    for (key, change) in changes {
      change.state.exclusively {
        if change.state.transaction == token { change.state.transaction = enclosing?.token }
      }
      guard let enclosing else { continue }
      // Otherwise it has not changed the key, or another thread has since then.
      if change.former == enclosing.token {
        enclosing.changes[key]?.new = change.new
      } else {
        enclosing.changes[key] = change
      }
    }
  }

  /// Makes no new changes: what was held back is dropped, and memory is as it would be without the
  /// transaction.
  private func undo(in userDefaults: UserDefaults) {
    let present =
      store.backend.foreignChanges == nil ? nil : store.backend.storedObjects(in: userDefaults)
    let others = store.backend.saver?.drop(token) ?? [:]
    for (key, change) in changes {
      change.state.exclusively {
        // Another thread's later change is kept, and one that came by no call of the library.
        guard change.state.transaction == token, present == nil || present?[key] == change.new
        else { return }
        change.state.transaction = change.former
        store.restore(change.state, to: others[key] ?? change.old, in: userDefaults)
      }
    }
  }
}
