internal import Synchronization

/// What a store remembers of a declaration.
struct DeclaredKey: Sendable {
  let key: String
  let type: any UserDefaultsSerializable.Type

  /// The registered form of the default; nil if there is no default.
  let `default`: PropertyListObject?

  /// Whether no report may contain the value.
  let isSecret: Bool
}

/// The states and declarations of a store's keys.
///
/// A declaration that is gone is remembered while the keys are few: a later one is compared with it, and
/// its default is not registered again.
final class KeyTable: Sendable {
  typealias Owner = any AnyObject & Sendable

  private struct Entry {
    weak var state: KeyState?
    var first: DeclaredKey?
    /// The owner of a declaration that is in use.
    weak var owner: Owner?
    /// The state, once an object of the key is reported, which is done once.
    var reported: KeyState?

    var isGone: Bool { state == nil && owner == nil }
  }

  /// What is reported once.
  enum Conflict: Hashable {
    case key(String)
    case variable(String)
  }

  private struct Table {
    var entries: [String: Entry] = [:]
    var countToTidy = KeyTable.few
    var secrets: Set<String> = []
    /// The first key that declares each environment variable.
    var variables: [String: String] = [:]
    var conflicts: Set<Conflict> = []
    /// The table of the store that this one is a copy of.
    var original: KeyTable?

    /// Makes room for more entries, first that of those that are gone.
    mutating func reserve(_ count: Int) {
      guard entries.count + count > countToTidy else { return }
      entries = entries.filter { !$0.value.isGone }
      countToTidy = max(KeyTable.few, (entries.count + count) * 2)
      entries.reserveCapacity(entries.count + count)
    }
  }

  /// The number of keys that are all kept.
  private static let few = 1000

  private let table = Mutex(Table())
  private let typedKeys = Mutex<[TypedKey: Owner]>([:])

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
      let state = KeyState(key)
      table.entries[key, default: Entry()].state = state
      return state
    }
  }

  /// Notes that an object of a key is going to be reported.
  ///
  /// - Returns: Whether that is news.
  func noteReport(_ found: Found, of state: KeyState) -> Bool {
    table.withLock { $0.entries[state.key]?.reported = state }
    return state.noteReport(found)
  }

  // MARK: Declarations

  /// Makes the table that of a copy, which knows the declarations of the original too.
  func follow(_ original: KeyTable) { table.withLock { $0.original = original } }

  /// Whether something is true of this table or of the original.
  private func holds(_ isTrue: @Sendable (Table) -> Bool) -> Bool {
    let (holds, original) = table.withLock { (isTrue($0), $0.original) }
    return holds || original?.holds(isTrue) == true
  }

  /// Whether a declaration in use has a key for its own.
  func isDeclared(_ key: String) -> Bool { holds { $0.entries[key]?.owner != nil } }

  /// Whether any declaration of a key is that of a secret.
  func isSecret(_ key: String) -> Bool { holds { $0.secrets.contains(key) } }

  /// Returns the first declaration of a key, or the first that has a default.
  func first(of key: String) -> DeclaredKey? { table.withLock { $0.entries[key]?.first } }

  /// Notes a declaration.
  ///
  /// - Returns: The first one before it.
  func declare(_ new: DeclaredKey, by owner: Owner) -> DeclaredKey? {
    table.withLock { table in
      table.reserve(1)
      var entry = table.entries[new.key] ?? Entry()
      let first = entry.first
      if first?.default == nil { entry.first = new }
      if entry.owner == nil { entry.owner = owner }
      table.entries[new.key] = entry
      if new.isSecret { table.secrets.insert(new.key) }
      return first
    }
  }

  /// Notes that a conflict is going to be reported.
  ///
  /// - Returns: Whether that is news.
  func noteConflict(_ conflict: Conflict) -> Bool {
    !holds { $0.conflicts.contains(conflict) }
      && table.withLock { $0.conflicts.insert(conflict).inserted }
  }

  /// Returns the first key that declares an environment variable, which may be this one.
  func firstKey(of variable: String, declaredBy key: String) -> String {
    table.withLock { table in
      let first = table.variables[variable, default: key]
      table.variables[variable] = first
      return first
    }
  }

  // MARK: Typed keys

  /// The name of a typed key, and the type of its values.
  struct TypedKey: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  /// Returns what an earlier use of a typed key has kept.
  func declaration(of key: TypedKey) -> Owner? { typedKeys.withLock { $0[key] } }

  /// Keeps a declaration for later uses of its typed key. If there are many, all others are released:
  /// listeners keep their keys themselves.
  func keep(_ declaration: Owner, for key: TypedKey) {
    // Released outside the lock, because a value's `deinit` may be the program's.
    var old: [TypedKey: Owner] = [:]
    typedKeys.withLock { kept in
      if kept.count == Self.few { swap(&old, &kept) }
      kept[key] = declaration
    }
  }
}
