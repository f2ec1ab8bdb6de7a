internal import Foundation
internal import RemoteDefaults
internal import Synchronization

/// The keys `PREFIX/…` of etcd, and the keys `PREFIX.fences/…` by which each commit happens once.
///
/// Each commit compares the fence of its program, and puts its own identifier there. A late copy of it
/// at another member finds another fence, and does nothing. Where the answer to a commit is lost, the
/// fence tells what became of it.
final class EtcdServer: SettingsServer {
  private struct Fence {
    let key: String
    var revision: Int64
    let made = ContinuousClock.now
  }

  private struct State {
    var fence: Fence?
    /// The commits without an answer, and the one of them that has been found made.
    var unanswered: Set<UUID> = []
    var found: (id: UUID, version: Int64)?
    var cluster = ""
  }

  private let client: EtcdClient
  private let prefix: String
  private let state = Mutex(State())
  let name: String
  // One of 128 operations is the fence's.
  let limits = (operations: 127, bytes: 1_500_000)

  init(_ options: EtcdOptions) {
    client = EtcdClient(options)
    prefix = options.prefix + "/"
    name = "\(prefix) of etcd at \(client.members.names)"
  }

  func close() async { await client.members.close() }

  // MARK: Reading

  func load() async throws -> (entries: [String: ServerEntry], version: ServerVersion) {
    var entries: [String: ServerEntry] = [:]
    var (first, version) = (Data(prefix.utf8), Int64(0))
    while true {
      let page = try await range(from: first, limit: 500, at: version, isLong: true)
      if version == 0 {
        version = page.revision
        state.withLock { state in
          let isGone = version < state.fence?.revision ?? 0 || page.cluster != state.cluster
          if isGone, state.unanswered.isEmpty { state.fence = nil }
          state.cluster = page.cluster
        }
      }
      for item in page["kvs"].list { entries[key(of: item)] = item.entry }
      guard page["more"].flag, let last = page["kvs"].list.last else { return (entries, version) }
      first = last["key"].data + [0]
    }
  }

  private func range(
    from first: Data, limit: Int, at version: Int64 = 0, isLong: Bool = false
  ) async throws -> EtcdJSON {
    let request: [String: Any] = [
      "key": first.base64EncodedString(), "range_end": end, "limit": limit,
      "revision": "\(version)",
    ]
    do {
      return try await client.call("kv/range", request, isLong: isLong).0
    } catch let error as ServerError where error.kind == .refused {
      throw ServerError(.denied, error.cause, advice: error.advice)
    }
  }

  /// The first key that does not begin with the prefix, which ends with a slash.
  private var end: String { (prefix.dropLast() + "0").base64 }

  private func key(of item: EtcdJSON) -> String {
    String(decoding: item["key"].data.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  func changes(
    after version: ServerVersion
  ) async throws -> AsyncThrowingStream<ServerChange, any Error> {
    // At a member that is in touch with the others, and so knows the last revision.
    let now = try await range(from: Data(prefix.utf8), limit: 1)
    if now.revision < version || now.cluster != state.withLock({ $0.cluster }) {
      throw ServerError(.restored, "the history is another one", advice: EtcdClient.advice)
    }
    return AsyncThrowingStream { continuation in
      let last = Mutex(version)
      let request: @Sendable () -> Data = {
        // From the last revision on, and not after it: where that is compacted, etcd may have forgotten
        // a deletion (https://github.com/etcd-io/etcd/issues/18089), and says so.
        let start = "\(last.withLock(\.self))"
        let range = ["key": self.prefix.base64, "range_end": self.end, "start_revision": start]
        return (try? JSONSerialization.data(withJSONObject: ["create_request": range])) ?? Data()
      }
      let cancel = client.members.lines("v3/watch", headers: client.headers, body: request) {
        line in
        let result = try EtcdJSON(line)["result"]
        try self.check(result)
        try last.withLock { last in
          if result["created"].flag {
            guard result.revision >= last else {
              throw EtcdJSON.error(14, "a member is behind the others")
            }
            continuation.yield(ServerChange(version: last))
          }
          // Two watches bring each change. The second one is no news.
          let events = result["events"].list.filter { $0["kv"].entry.version > last }
          let commits = Dictionary(grouping: events) { $0["kv"].entry.version }
          for (version, events) in commits.sorted(by: { $0.key < $1.key }) {
            last = version
            let values = events.map { event in
              let item = event["kv"]
              return (self.key(of: item), event["type"].text == "DELETE" ? nil : item.entry.text)
            }
            let changes = Dictionary(values) { $1 }
            continuation.yield(ServerChange(changes, version: version))
          }
        }
      } end: {
        continuation.finish(throwing: $0)
      }
      continuation.onTermination = { _ in cancel() }
    }
  }

  private func check(_ result: EtcdJSON) throws {
    guard result["canceled"].flag else { return }
    let reason = result["cancel_reason"].text
    let isCompacted = result["compact_revision"].number > 0
    throw EtcdJSON.error(isCompacted ? 11 : reason.contains("permission denied") ? 16 : 14, reason)
  }

  // MARK: Committing

  func commit(
    id: UUID, _ values: [String: Data?], expected: [String: ServerVersion]
  ) async throws -> CommitResult {
    while true {
      let fence = try await ownFence()
      let (answer, isRepeated): (EtcdJSON, Bool)
      do {
        (answer, isRepeated) = try await client.call(
          "kv/txn", request(id, values, expected, fence))
      } catch let error as ServerError where error.kind == .unavailable {
        state.withLock { _ = $0.unanswered.insert(id) }
        throw error
      }
      if answer["succeeded"].flag {
        pass(answer.revision)
        return .committed(answer.revision)
      }
      let items = answer["responses"].list.flatMap { $0["response_range"]["kvs"].list }
      let now = items.first { $0["key"].text == fence.key.base64 }
      if let now, now.entry.version == fence.revision {
        if isRepeated || state.withLock({ $0.unanswered.contains(id) }),
          let version = try await findOut(id)
        {
          return .committed(version)
        }
        var entries: [String: ServerEntry?] = expected.mapValues { _ in nil }
        for item in items where item["key"].text != fence.key.base64 {
          entries[key(of: item)] = item.entry
        }
        return .conflict(now: entries, answer.revision)
      }
      let holder = UUID(uuidString: String(decoding: now?.entry.text ?? Data(), as: UTF8.self))
      guard let now, let holder, holder == id || state.withLock({ $0.unanswered.contains(holder) })
      else {
        state.withLock { $0.fence = nil }
        throw ServerError(.restored, "the fence of this program is gone", advice: EtcdClient.advice)
      }
      pass(now.entry.version, by: holder)
      if holder == id { return .committed(now.entry.version) }
    }
  }

  /// Puts another fence: a copy of a commit that is still under way is void then, or is found made.
  ///
  /// - Returns: The version if it is made.
  private func findOut(_ id: UUID) async throws -> Int64? {
    state.withLock { state in
      state.unanswered.insert(id)
      state.found = nil
    }
    _ = try await commit(id: UUID(), [:], expected: [:])
    return state.withLock { $0.found?.id == id ? $0.found?.version : nil }
  }

  /// Notes that the fence is at another revision, after which no older commit can be made.
  private func pass(_ revision: Int64, by found: UUID? = nil) {
    state.withLock { state in
      state.fence?.revision = revision
      state.unanswered = []
      if let found { state.found = (found, revision) }
    }
  }

  private func request(
    _ id: UUID, _ values: [String: Data?], _ expected: [String: ServerVersion], _ fence: Fence
  ) -> [String: Any] {
    var keys = [fence.key.base64: fence.revision]
    for (key, version) in expected { keys[(prefix + key).base64] = version }
    let puts: [[String: Any]] = values.map { key, value in
      let key = (prefix + key).base64
      return value.map { ["request_put": ["key": key, "value": $0.base64EncodedString()]] }
        ?? ["request_delete_range": ["key": key]]
    }
    let put =
      ["key": fence.key.base64, "value": id.uuidString.base64, "ignore_lease": true]
      as [String: Any]
    return [
      "compare": keys.map(Self.compare), "success": puts + [["request_put": put]],
      "failure": keys.keys.map { ["request_range": ["key": $0]] },
    ]
  }

  private static func compare(_ key: String, _ revision: Int64) -> [String: String] {
    ["key": key, "target": "MOD", "result": "EQUAL", "mod_revision": "\(revision)"]
  }

  /// Returns the fence, a new one every eight hours. etcd removes it a day after that.
  private func ownFence() async throws -> Fence {
    let (known, isUnsure) = state.withLock { ($0.fence, !$0.unanswered.isEmpty) }
    if let known, isUnsure || known.made.duration(to: .now) < .seconds(8 * 3600) { return known }
    let lease = try await client.call("lease/grant", ["TTL": "86400"]).0["ID"].text
    let name = "\(prefix.dropLast()).fences/\(UUID())"
    let put = ["key": name.base64, "value": "", "lease": lease]
    let request: [String: Any] = [
      "compare": [Self.compare(name.base64, 0)], "success": [["request_put": put]],
      "failure": [["request_range": ["key": name.base64]]],
    ]
    let answer = try await client.call("kv/txn", request).0
    let found = answer["responses"].list.first?["response_range"]["kvs"].list.first
    let fence = Fence(key: name, revision: found?.entry.version ?? answer.revision)
    state.withLock { $0.fence = fence }
    return fence
  }
}

extension StringProtocol {
  fileprivate var base64: String { Data(utf8).base64EncodedString() }
}
