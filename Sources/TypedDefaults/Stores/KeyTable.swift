internal import Synchronization

/// A declaration of a key, as its store sees it.
protocol DeclaredKey: AnyObject, Sendable {
  var key: String { get }
  /// The registered form of the default; nil if there is no default.
  var `default`: PropertyListObject? { get }
}

/// The states and declarations of a store's keys. It retains neither, so that nothing is left of a
/// group that is gone.
final class KeyTable: Sendable {
  private struct Entry {
    weak var state: KeyState?
    /// The first declaration of the key, or the first that has a default.
    weak var declaration: (any DeclaredKey)?

    var isGone: Bool { state == nil && declaration == nil }
  }

  private struct Table {
    var entries: [String: Entry] = [:]
    var countToTidy = 64

    /// Makes room for more entries, first that of those that are gone.
    mutating func reserve(_ count: Int) {
      guard entries.count + count > countToTidy else { return }
      entries = entries.filter { !$0.value.isGone }
      countToTidy = max(64, (entries.count + count) * 2)
      entries.reserveCapacity(entries.count + count)
    }
  }

  private let table = Mutex(Table())
  private let hearsEveryChange: Bool
  /// What typed keys keep for their later uses.
  private let typedKeys = Mutex<[TypedKey: any AnyObject & Sendable]>([:])

  /// - Parameter hearsEveryChange: Whether each change of the store comes through the library, so
  ///   that a decoded value holds until the next change.
  init(hearsEveryChange: Bool = false) {
    self.hearsEveryChange = hearsEveryChange
  }

  /// The states of all keys in use.
  var all: [KeyState] { table.withLock { $0.entries.values.compactMap(\.state) } }

  /// The states of those keys that are in use.
  func states(of keys: some Sequence<String>) -> [KeyState] {
    table.withLock { table in keys.compactMap { table.entries[$0]?.state } }
  }

  func state(of key: String) -> KeyState {
    table.withLock { table in
      if let state = table.entries[key]?.state { return state }
      table.reserve(1)
      let state = KeyState(key, hearsEveryChange: hearsEveryChange)
      table.entries[key, default: Entry()].state = state
      return state
    }
  }

  func isDeclared(_ key: String) -> Bool {
    table.withLock { $0.entries[key]?.declaration != nil }
  }

  /// Notes declarations.
  ///
  /// - Returns: Each with the earlier declaration of its key, if there is one.
  func declare<D: DeclaredKey>(_ new: some Collection<D>) -> [(first: any DeclaredKey, new: D)] {
    table.withLock { table in
      table.reserve(new.count)
      var again: [(any DeclaredKey, D)] = []
      for new in new {
        let first = table.entries[new.key]?.declaration
        if let first { again.append((first, new)) }
        if first?.default == nil { table.entries[new.key, default: Entry()].declaration = new }
      }
      return again
    }
  }

  // MARK: Typed keys

  struct TypedKey: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  /// Returns what the first use of a typed key has made.
  func object<Object: AnyObject & Sendable>(_ key: TypedKey, make: () -> Object) -> Object {
    let known = typedKeys.withLock { $0[key] }
    if let known { return unsafeDowncast(known, to: Object.self) }
    let made = make()
    return typedKeys.withLock {
      if let known = $0[key] { return unsafeDowncast(known, to: Object.self) }
      $0[key] = made
      return made
    }
  }
}
