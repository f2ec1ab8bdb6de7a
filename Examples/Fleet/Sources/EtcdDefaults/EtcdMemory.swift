internal import Foundation

/// The settings as the program sees them: those of etcd, and over them the program's own changes
/// that etcd has not confirmed yet.
struct EtcdMemory {
  typealias Values = [String: StoredText?]

  /// The last change of a key that etcd has confirmed, which may be a deletion.
  struct Confirmed {
    var value: StoredText?
    /// The revision at which etcd changed it.
    var revision: Int64
  }

  /// Changes that are sent as one step.
  struct Write {
    let id: Int
    let values: Values
    /// The revision at which its one key must still be. Such a write is not visible until it is
    /// confirmed.
    let revision: Int64?
  }

  private(set) var confirmed: [String: Confirmed] = [:]
  private(set) var writes: [Write] = []
  private var unconfirmed: [String: (value: StoredText?, count: Int)] = [:]
  private var lastID = 0

  // MARK: Reading

  subscript(key: String) -> StoredText? {
    if let unconfirmed = unconfirmed[key] { return unconfirmed.value }
    return confirmed[key]?.value
  }

  var all: [String: StoredText] {
    var all = confirmed.compactMapValues(\.value)
    for (key, unconfirmed) in unconfirmed { all[key] = unconfirmed.value }
    return all
  }

  /// Whether a change of a key is still to be sent.
  func isUnsent(_ key: String) -> Bool {
    writes.contains { $0.values[key] != nil }
  }

  /// The revision of a key as etcd compares it, which is 0 for a key without a value.
  func revision(of key: String) -> Int64 {
    confirmed[key].map { $0.value == nil ? 0 : $0.revision } ?? 0
  }

  /// The number of keys in etcd.
  var count: Int { confirmed.values.count { $0.value != nil } }

  // MARK: Changes of this program

  /// Adds a write to send.
  ///
  /// - Returns: The identifier of the write.
  mutating func append(_ values: Values, ifStillAt revision: Int64? = nil) -> Int {
    lastID += 1
    writes.append(Write(id: lastID, values: values, revision: revision))
    if revision == nil {
      for (key, value) in values {
        unconfirmed[key] = (value, (unconfirmed[key]?.count ?? 0) + 1)
      }
    }
    return lastID
  }

  // MARK: Transactions

  /// The changes of a transaction that has not ended: visible in memory, and not sent yet.
  struct Held {
    fileprivate(set) var values: Values = [:]
    fileprivate var before: Values = [:]

    var keys: [String] { Array(values.keys) }
  }

  mutating func hold(_ values: Values, in held: inout Held) {
    for (key, value) in values {
      if held.values[key] == nil {
        held.before[key] = .some(self[key])
        unconfirmed[key] = (value, (unconfirmed[key]?.count ?? 0) + 1)
      } else {
        unconfirmed[key]?.value = value
      }
      held.values[key] = .some(value)
    }
  }

  /// Makes one write of a transaction's changes, without those that have been undone.
  mutating func append(_ held: Held) {
    var values: Values = [:]
    for (key, value) in held.values {
      let isUndone = value?.text == held.before[key].flatMap(\.self)?.text
      release(key)
      if !isUndone { values[key] = .some(value) }
    }
    if !values.isEmpty { _ = append(values) }
  }

  private mutating func release(_ key: String) {
    guard let left = unconfirmed[key].map({ $0.count - 1 }) else { return }
    if left == 0 { unconfirmed[key] = nil } else { unconfirmed[key]?.count = left }
  }

  // MARK: Sending

  /// Returns the first writes, as many as one request can hold.
  func batch() -> [Write] {
    var batch: [Write] = []
    var (keys, size) = (0, 0)
    for write in writes {
      keys += write.values.count
      size += write.values.values.reduce(0) { $0 + ($1?.text.count ?? 0) }
      // By default, a member takes no more than 128 operations and 1.5 MB.
      if !batch.isEmpty, write.revision != nil || keys > 100 || size > 500_000 { break }
      batch.append(write)
      if write.revision != nil { break }
    }
    return batch
  }

  /// Notes that etcd has stored the first writes.
  mutating func confirm(_ batch: [Write], at revision: Int64) {
    for write in batch {
      for (key, value) in write.values { note(value, key, at: revision) }
    }
    remove(batch)
  }

  /// Removes the first writes: etcd has stored them, or refuses them.
  mutating func remove(_ batch: [Write]) {
    let last = batch.last?.id ?? 0
    writes.removeAll { $0.id <= last }
    for write in batch where write.revision == nil {
      for key in write.values.keys { release(key) }
    }
  }

  /// Takes back a write with a revision. An attempt to send it may still be under way.
  mutating func withdraw(_ id: Int) {
    writes.removeAll { $0.id == id }
  }

  // MARK: Changes in etcd

  /// Notes a change in etcd, unless a later one is known. Of changes at one revision, the last one
  /// counts.
  mutating func note(_ value: StoredText?, _ key: String, at revision: Int64) {
    if let known = confirmed[key], known.revision > revision { return }
    confirmed[key] = Confirmed(value: value, revision: revision)
  }

  /// Notes all values in etcd at a revision.
  mutating func load(_ values: [String: Confirmed], at revision: Int64) {
    for (key, item) in values { note(item.value, key, at: item.revision) }
    for (key, item) in confirmed where values[key] == nil && item.revision <= revision {
      confirmed[key] = Confirmed(value: nil, revision: revision)
    }
  }
}
