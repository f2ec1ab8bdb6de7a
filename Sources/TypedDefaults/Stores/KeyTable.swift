internal import Synchronization

/// A declaration of a key, as its store sees it.
class DeclaredKey: @unchecked Sendable {  // Its subclass is `Sendable`.
  final let key: String

  /// The registered form of the default; nil if there is no default.
  final let `default`: PropertyListObject?

  /// Whether no report may contain the value.
  final let isSecret: Bool

  init(_ key: String, default: PropertyListObject?, isSecret: Bool) {
    self.key = key
    self.isSecret = isSecret
    self.default = `default`
  }
}

/// The states and declarations of a store's keys. Of a group that is gone nothing is left, except for
/// the first thousand keys: a later declaration is compared with an earlier one that is gone.
final class KeyTable: Sendable {
  private struct Entry {
    weak var state: KeyState?
    /// The first declaration of the key, or the first that has a default.
    weak var declaration: DeclaredKey?
    /// The same, where it is remembered after its end.
    var remembered: DeclaredKey?

    var first: DeclaredKey? { remembered ?? declaration }

    /// The state, once it knows a report of which no declaration knows.
    var reported: KeyState?

    var isGone: Bool { state == nil && declaration == nil && remembered == nil }

    /// Whether anybody but the table has the declaration.
    var isDeclared: Bool {
      mutating get {
        remembered != nil ? !isKnownUniquelyReferenced(&remembered) : declaration != nil
      }
    }
  }

  private struct Table {
    var entries: [String: Entry] = [:]
    var countToTidy = 64
    var remembered = 0
    /// The keys of which a conflict has been reported.
    var conflicts: Set<String> = []
    var secrets: Set<String> = []
    /// The first prefix and key that declare each environment variable; nil once another prefix does.
    var variables: [String: (prefix: String, key: String)?] = [:]

    /// Makes room for more entries, first that of those that are gone.
    mutating func reserve(_ count: Int) {
      guard entries.count + count > countToTidy else { return }
      entries = entries.filter { !$0.value.isGone }
      countToTidy = max(64, (entries.count + count) * 2)
      entries.reserveCapacity(entries.count + count)
    }
  }

  /// The number of declarations that are remembered after their end, and of typed keys that are kept.
  private static let mostRemembered = 1000

  private let table = Mutex(Table())
  private let typedKeys = Mutex<[TypedKey: DeclaredKey]>([:])

  /// The states of all keys in use.
  var all: [KeyState] { table.withLock { $0.entries.values.compactMap(\.state) } }

  /// The first name of a key, in the order of their names.
  var firstKey: String? { table.withLock { $0.entries.keys.min() } }

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

  /// Notes that an object of a key is going to be reported, for a declaration of another table.
  ///
  /// - Returns: Whether that is news.
  func noteReport(_ report: KeyState.Report, of key: String) -> Bool {
    let state = state(of: key)
    table.withLock { $0.entries[key]?.reported = state }
    return state.noteReport(report)
  }

  func isDeclared(_ key: String) -> Bool {
    table.withLock { $0.entries[key]?.isDeclared ?? false }
  }

  /// Whether any declaration of a key is that of a secret.
  func isSecret(_ key: String) -> Bool { table.withLock { $0.secrets.contains(key) } }

  /// Returns the declarations whose default is not that of the key's first declaration.
  func withNewDefault<D: DeclaredKey>(among declarations: some Collection<D>) -> [D] {
    table.withLock { table in
      declarations.filter { $0.default != table.entries[$0.key]?.first?.default }
    }
  }

  /// Notes declarations.
  ///
  /// - Returns: Each with the earlier declaration of its key, if there is one.
  func declare<D: DeclaredKey>(_ new: some Collection<D>) -> [(first: DeclaredKey, new: D)] {
    table.withLock { table in
      table.reserve(new.count)
      var again: [(DeclaredKey, D)] = []
      for new in new {
        var entry = table.entries[new.key] ?? Entry()
        let first = entry.first
        if new.isSecret { table.secrets.insert(new.key) }
        if let first { again.append((first, new)) }
        guard first?.default == nil else { continue }
        if entry.remembered != nil || table.remembered < Self.mostRemembered {
          table.remembered += entry.remembered == nil ? 1 : 0
          entry.remembered = new
        } else {
          entry.declaration = new
        }
        table.entries[new.key] = entry
      }
      return again
    }
  }

  /// Notes that a conflict of declarations is going to be reported.
  ///
  /// - Returns: Whether it is the first one of the key.
  func noteConflict(_ key: String) -> Bool {
    table.withLock { $0.conflicts.insert(key).inserted }
  }

  /// Notes that an environment variable is declared under a prefix.
  ///
  /// - Returns: The first key that declares it, if that has another prefix; nil the next time.
  func noteVariable(_ name: String, of key: String, under prefix: String) -> String? {
    table.withLock { table in
      guard let first = table.variables[name, default: (prefix, key)] else { return nil }
      let isOther = first.prefix != prefix
      table.variables[name] = .some(isOther ? nil : first)
      return isOther ? first.key : nil
    }
  }

  // MARK: Typed keys

  /// The name of a typed key, and the type of its values.
  struct TypedKey: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  /// Returns what an earlier use of a typed key has kept.
  func declaration(of key: TypedKey) -> DeclaredKey? { typedKeys.withLock { $0[key] } }

  /// Keeps a declaration for later uses of its typed key. If there are many, all others are released,
  /// except for those of keys with a report, which would be told again. Listeners keep their keys
  /// themselves.
  func keep(_ declaration: DeclaredKey, for key: TypedKey) {
    let areMany = typedKeys.withLock { kept in
      kept[key] = declaration
      return kept.count > Self.mostRemembered
    }
    guard areMany else { return }
    let reported = Set(all.filter(\.hasReports).map(\.key))
    // Released outside the lock, because a value's `deinit` may be the program's.
    _ = typedKeys.withLock { kept in
      let old = kept
      kept = kept.filter { reported.contains($0.key.name) }
      return old
    }
  }
}
