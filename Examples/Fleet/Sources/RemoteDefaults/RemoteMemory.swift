internal import Foundation

/// The settings as the program sees them: those of the server, and over them the program's own
/// changes that the server has not confirmed yet.
struct RemoteMemory {
  typealias Values = [String: StoredText?]

  struct Entry {
    var value: StoredText
    var version: ServerVersion
  }

  /// Changes that are sent in one commit.
  struct Group {
    let number: Int
    let made: Instant
    var values: Values = [:]
    /// The versions that keys must have. Such changes are not visible until they are confirmed.
    var expected: [String: ServerVersion]?
    /// The version of each key when it was changed.
    var bases: [String: ServerVersion] = [:]
    /// Keys with the same number are changed together, even after a refusal.
    var units: [String: Int] = [:]
    var lastUnit = 0
    var size = 0
    var isSplit = false
    /// The commit that is being sent. No change joins the group from then on.
    var commit: Commit?
  }

  struct Commit {
    let id: UUID
    let group: Int
    let values: Values
    var expected: [String: ServerVersion]
    let isConditional: Bool
  }

  private struct Unconfirmed {
    var value: StoredText?
    var count: Int
    /// The version of the program's own last commit of the key.
    var own: ServerVersion?
  }

  let limits: (operations: Int, bytes: Int)
  private(set) var confirmed: [String: Entry] = [:]
  /// The keys whose last commit is the program's own, and has not been heard yet.
  private var ahead: [String: ServerVersion] = [:]
  private var unconfirmed: [String: Unconfirmed] = [:]
  private var groups: [Int: Group] = [:]
  private var first = 1
  private(set) var last = 0

  init(limits: (operations: Int, bytes: Int)) {
    self.limits = limits
  }

  // MARK: Reading

  subscript(key: String) -> StoredText? {
    if let unconfirmed = unconfirmed[key] { return unconfirmed.value }
    return confirmed[key]?.value
  }

  var all: [String: StoredText] {
    var all = confirmed.mapValues(\.value)
    for (key, unconfirmed) in unconfirmed { all[key] = unconfirmed.value }
    return all
  }

  func version(of key: String) -> ServerVersion { confirmed[key]?.version ?? 0 }

  /// Whether a change of a key is still to be sent.
  func isUnsent(_ key: String) -> Bool { unconfirmed[key] != nil }

  /// The keys with changes that are still to be sent.
  var unsent: [String] {
    groups.values.reduce(into: Set()) { $0.formUnion($1.values.keys) }.sorted()
  }

  /// The number of the first group that is still to be sent; nil if there is none.
  var firstUnsent: Int? {
    mutating get {
      while first <= last, groups[first] == nil { first += 1 }
      return first <= last ? first : nil
    }
  }

  // MARK: Changes of this program

  /// Adds changes to send in one step.
  mutating func append(_ values: Values, at time: Instant) {
    let size = values.reduce(0) { $0 + Self.size($1.key, $1.value) }
    if !hasRoom(for: values, size) {
      last += 1
      groups[last] = Group(number: last, made: time)
    }
    join(Array(values.keys))
    for (key, value) in values {
      let old = groups[last]!.values[key]
      groups[last]!.values[key] = .some(value)
      groups[last]!.size += Self.size(key, value) - (old.map { Self.size(key, $0) } ?? 0)
      if old == nil { groups[last]!.bases[key] = version(of: key) }
      cover(key, with: value, isAgain: old != nil)
    }
  }

  /// Makes a unit of keys, and of all that belong to them already.
  private mutating func join(_ keys: [String]) {
    if keys.count == 1, groups[last]!.units[keys[0]] != nil { return }
    groups[last]!.lastUnit += 1
    let joined = Set(keys.compactMap { groups[last]!.units[$0] })
    let others =
      joined.isEmpty
      ? [] : groups[last]!.units.filter { joined.contains($0.value) }.map(\.key)
    for key in keys + others { groups[last]!.units[key] = groups[last]!.lastUnit }
  }

  private func hasRoom(for values: Values, _ size: Int) -> Bool {
    guard let group = groups[last], group.commit == nil, group.expected == nil, !group.isSplit
    else { return false }
    let keys = group.values.count + values.keys.count { group.values[$0] == nil }
    return keys <= limits.operations && group.size + size <= limits.bytes / 4
  }

  static func size(_ key: String, _ value: StoredText?) -> Int {
    key.utf8.count + (value?.text.count ?? 0) + 64
  }

  /// Adds changes to send if keys still have their versions. Nothing joins them.
  mutating func append(
    _ values: Values, expected: [String: ServerVersion], at time: Instant
  ) -> Int {
    last += 1
    groups[last] = Group(number: last, made: time, values: values, expected: expected)
    return last
  }

  /// Takes back changes with a condition.
  ///
  /// - Returns: Whether they may have reached the server. A commit without changes then takes their
  ///   place: once it is made, they are made or never will be.
  mutating func withdraw(_ number: Int) -> Bool {
    let isSent = groups.removeValue(forKey: number)?.commit != nil
    if isSent { groups[number] = Group(number: number, made: .now, expected: [:]) }
    return isSent
  }

  // MARK: Transactions

  /// The changes of a transaction that has not ended: visible in memory, and not sent yet.
  struct Held {
    fileprivate(set) var values: Values = [:]
    fileprivate var before: Values = [:]
  }

  mutating func hold(_ values: Values, in held: inout Held) {
    for (key, value) in values {
      if held.values[key] == nil { held.before[key] = .some(self[key]) }
      cover(key, with: value, isAgain: held.values[key] != nil)
      held.values[key] = .some(value)
    }
  }

  /// Ends a transaction.
  ///
  /// - Returns: Its changes, without those that have been undone.
  mutating func release(_ held: Held) -> Values {
    for key in held.values.keys { release(key) }
    return held.values.filter { $1?.text != held.before[$0].flatMap(\.self)?.text }
  }

  private mutating func cover(_ key: String, with value: StoredText?, isAgain: Bool) {
    var covered = unconfirmed[key] ?? Unconfirmed(count: 0)
    covered.value = value
    if !isAgain { covered.count += 1 }
    if let own = covered.own, version(of: key) > own { covered.own = nil }
    unconfirmed[key] = covered
  }

  private mutating func release(_ key: String) {
    unconfirmed[key]?.count -= 1
    if unconfirmed[key]?.count == 0 { unconfirmed[key] = nil }
  }

  // MARK: Sending

  /// Returns the commit to send first. If it was tried before, it has the same identifier.
  ///
  /// - Parameter old: The time since which changes are made without a look: earlier ones may be older
  ///   than those of others.
  mutating func nextCommit(old: Instant) -> Commit? {
    guard let number = firstUnsent, let group = groups[number] else { return nil }
    let unit = group.isSplit ? group.units.values.min() : nil
    let values = group.values.filter { unit == nil || group.units[$0.key] == unit }
    var expected = group.expected ?? [:]
    if group.expected == nil, group.made < old {
      for key in values.keys { expected[key] = unconfirmed[key]?.own ?? group.bases[key] }
    }
    let commit = Commit(
      id: group.commit?.id ?? UUID(), group: number, values: values, expected: expected,
      isConditional: group.expected != nil)
    groups[number]?.commit = commit
    return commit
  }

  /// Notes that the server has made a commit.
  mutating func confirm(_ commit: Commit, at version: ServerVersion) {
    for (key, value) in commit.values {
      put(value, key, at: version)
      ahead[key] = version
      if !commit.isConditional { unconfirmed[key]?.own = value == nil ? 0 : version }
    }
    remove(commit)
  }

  /// Removes the changes of a commit from those to send.
  mutating func remove(_ commit: Commit) {
    guard groups[commit.group]?.commit?.id == commit.id else { return }
    groups[commit.group]?.commit = nil
    for key in commit.values.keys {
      groups[commit.group]?.values[key] = nil
      groups[commit.group]?.units[key] = nil
      if !commit.isConditional { release(key) }
    }
    if groups[commit.group]?.values.isEmpty ?? false { groups[commit.group] = nil }
  }

  /// Prepares a commit that was refused to be sent in parts; false if it has only one.
  mutating func split(_ commit: Commit) -> Bool {
    guard let group = groups[commit.group],
      Set(commit.values.keys.map { group.units[$0] }).count > 1
    else { return false }
    groups[commit.group]?.isSplit = true
    groups[commit.group]?.commit = nil
    return true
  }

  /// Takes in newer changes of others that a commit has met.
  mutating func rebase(
    _ commit: Commit, on entries: [String: ServerEntry?], at version: ServerVersion
  ) {
    if groups[commit.group]?.commit?.id == commit.id { groups[commit.group]?.commit = nil }
    for (key, entry) in entries {
      note(entry.map { StoredText(text: $0.text) }, key, at: entry?.version ?? version)
      ahead[key] = max(ahead[key] ?? 0, version)
      groups[commit.group]?.bases[key] = entry?.version ?? 0
      unconfirmed[key]?.own = nil
    }
  }

  // MARK: Changes on the server

  private mutating func put(_ value: StoredText?, _ key: String, at version: ServerVersion) {
    if confirmed[key]?.version ?? 0 > version { return }
    confirmed[key] = value.map { Entry(value: $0, version: version) }
  }

  /// Notes the state of a key as of a version, unless a later one is known.
  mutating func note(_ value: StoredText?, _ key: String, at version: ServerVersion) {
    if let own = ahead[key], own > version { return }
    put(value, key, at: version)
  }

  /// Notes a commit that has been heard.
  mutating func hear(_ values: Values, at version: ServerVersion) {
    for (key, value) in values { note(value, key, at: version) }
    ahead = ahead.filter { $0.value > version }
  }

  /// Notes all that the server has.
  ///
  /// - Parameter isAnother: Whether its history is another one than before.
  mutating func load(_ entries: [String: Entry], at version: ServerVersion, isAnother: Bool) {
    if isAnother {
      ahead = [:]
      for key in unconfirmed.keys { unconfirmed[key]?.own = nil }
      for number in groups.keys where groups[number]?.expected == nil {
        for key in groups[number]!.values.keys {
          groups[number]?.bases[key] = entries[key]?.version ?? 0
        }
      }
    }
    ahead = ahead.filter { $0.value > version }
    confirmed = entries.filter { ahead[$0.key] == nil }
      .merging(confirmed.filter { ahead[$0.key] != nil }) { $1 }
  }
}
