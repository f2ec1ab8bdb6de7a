internal import Foundation
internal import RemoteDefaults
internal import Synchronization

/// The keys `PREFIX/…` of etcd, and the keys `PREFIX.fences/…` by which each commit happens once.
///
/// Each commit compares the fence of its program and puts its own identifier there. So a late copy of
/// it, at another member, finds another fence and does nothing; and the fence tells what became of a
/// commit whose answer is lost.
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
    var cluster: String?
  }

  private let client: EtcdClient
  private let prefix: String
  private let fences: String
  private let fault: ServerError?
  private let state = Mutex(State())
  let name: String
  // One of 128 operations is the fence's.
  let limits = (operations: 127, bytes: 1_500_000)

  init(_ options: EtcdOptions) {
    client = EtcdClient(options)
    prefix = options.prefix + "/"
    fences = options.prefix + ".fences/"
    let addresses = options.endpoints.map(\.plainAddress)
    name = "\(prefix) of etcd at \(addresses.joined(separator: ", "))"
    let isRight = options.endpoints.allSatisfy {
      ["http", "https"].contains($0.scheme) && !($0.host() ?? "").isEmpty
    }
    fault =
      isRight && !addresses.isEmpty
      ? nil
      : ServerError(
        .misconfigured, "this is not an address such as http://10.0.0.1:2379", advice: "Correct it."
      )
  }

  func close() async { await client.close() }

  // MARK: Reading

  func load() async throws -> (entries: [String: ServerEntry], version: ServerVersion) {
    var entries: [String: ServerEntry] = [:]
    var (first, version) = (Data(prefix.utf8), Int64(0))
    while true {
      let page = try await range(from: first, limit: 500, at: version, isLong: true)
      if version == 0 {
        version = page.header.revision
        state.withLock { $0.cluster = page.header.cluster }
      }
      for item in page.kvs ?? [] {
        entries[key(of: item)] = ServerEntry(text: item.value, version: item.revision)
      }
      guard page.more ?? false, let last = page.kvs?.last else { return (entries, version) }
      first = last.key + [0]
    }
  }

  private func range(
    from first: Data, limit: Int, at version: Int64 = 0, isLong: Bool = false
  ) async throws -> EtcdRange {
    if let fault { throw fault }
    do {
      let request: [String: Any] = [
        "key": first.base64EncodedString(), "range_end": prefix.end, "limit": limit,
        "revision": "\(version)",
      ]
      return try await client.call("kv/range", request, isLong: isLong).0
    } catch let error as ServerError where error.kind == .refused {
      throw ServerError(.denied, error.cause, advice: error.advice)
    }
  }

  private func key(of item: EtcdKeyValue) -> String {
    String(decoding: item.key.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  func changes(after version: ServerVersion) -> AsyncThrowingStream<ServerChange, any Error> {
    final class Inner: @unchecked Sendable {  // Only used by who iterates.
      var iterator: AsyncThrowingStream<ServerChange, any Error>.Iterator?
    }
    let inner = Inner()
    return AsyncThrowingStream {
      if inner.iterator == nil {
        // At a member that is in touch with the others, and so knows the last revision.
        let header = try await self.range(from: Data(self.prefix.utf8), limit: 1).header
        let cluster = self.state.withLock { $0.cluster }
        if header.revision < version || cluster.map({ $0 != header.cluster }) ?? false {
          throw ServerError(.restored, "the history is another one", advice: "")
        }
        inner.iterator = self.watch(after: version).makeAsyncIterator()
      }
      return try await inner.iterator?.next()
    }
  }

  private func watch(after version: ServerVersion) -> AsyncThrowingStream<ServerChange, any Error> {
    AsyncThrowingStream { continuation in
      let last = Mutex(version)
      let request: @Sendable () -> Data = {
        // From the last revision on, and not after it: where that is compacted, etcd may have forgotten
        // a deletion (https://github.com/etcd-io/etcd/issues/18089), and says so.
        let range = [
          "key": self.prefix.base64, "range_end": self.prefix.end,
          "start_revision": "\(last.withLock(\.self))",
        ]
        return (try? JSONSerialization.data(withJSONObject: ["create_request": range])) ?? Data()
      }
      let cancel = client.watch(request) { line in
        let result = try EtcdLine.result(of: line)
        var events: [Int64: [String: Data?]] = [:]
        for event in result.events ?? [] {
          events[event.kv.revision, default: [:]][self.key(of: event.kv)] =
            .some(event.type == "DELETE" ? nil : event.kv.value)
        }
        try last.withLock { last in
          if result.created ?? false {
            guard result.header.revision >= last else {
              throw EtcdClient.error(14, "a member is behind the others")
            }
            continuation.yield(ServerChange(version: last))
          }
          // Two watches bring each change. The second one is no news.
          for (revision, values) in events.sorted(by: { $0.key < $1.key }) where revision > last {
            last = revision
            continuation.yield(ServerChange(values, version: revision))
          }
        }
      } end: {
        continuation.finish(throwing: $0)
      }
      continuation.onTermination = { _ in cancel() }
    }
  }

  // MARK: Committing

  func commit(
    id: UUID, _ values: [String: Data?], expected: [String: ServerVersion]
  ) async throws -> CommitResult {
    if let fault { throw fault }
    while true {
      let fence = try await ownFence()
      let (answer, isRepeated): (EtcdTransaction, Bool)
      do {
        (answer, isRepeated) = try await client.call(
          "kv/txn", request(id, values, expected, fence))
      } catch let error as ServerError where error.kind == .unavailable {
        state.withLock { _ = $0.unanswered.insert(id) }
        throw error
      }
      if answer.succeeded ?? false {
        pass(fence, answer.header.revision)
        return .committed(answer.header.revision)
      }
      let items = answer.responses?.flatMap { $0.responseRange?.kvs ?? [] } ?? []
      let now = items.first { $0.key == Data(fence.key.utf8) }
      let holder = now.flatMap { UUID(uuidString: String(decoding: $0.value, as: UTF8.self)) }
      if let now, now.revision == fence.revision {
        // A copy of the commit may still be under way. Another fence makes it void, or finds it made.
        if isRepeated || state.withLock({ $0.unanswered.contains(id) }) {
          state.withLock {
            $0.unanswered.insert(id)
            $0.found = nil
          }
          _ = try await commit(id: UUID(), [:], expected: [:])
          if let found = state.withLock({ $0.found }), found.id == id {
            return .committed(found.version)
          }
        }
        var entries: [String: ServerEntry?] = expected.mapValues { _ in nil }
        for item in items where item.key != now.key {
          entries[key(of: item)] = ServerEntry(text: item.value, version: item.revision)
        }
        return .conflict(now: entries, answer.header.revision)
      }
      guard let now, let holder, holder == id || state.withLock({ $0.unanswered.contains(holder) })
      else {
        state.withLock { $0.fence = nil }
        throw ServerError(.restored, "the fence of this program is gone", advice: "")
      }
      pass(fence, now.revision, by: holder)
      if holder == id { return .committed(now.revision) }
    }
  }

  /// Notes that the fence is at another revision, after which no older commit can be made.
  private func pass(_ fence: Fence, _ revision: Int64, by found: UUID? = nil) {
    state.withLock { state in
      state.fence?.revision = revision
      state.unanswered = []
      if let found { state.found = (found, revision) }
    }
  }

  private func request(
    _ id: UUID, _ values: [String: Data?], _ expected: [String: ServerVersion], _ fence: Fence
  ) -> [String: Any] {
    let own = fence.key.base64
    let puts: [[String: Any]] = values.map { key, value in
      let key = (prefix + key).base64
      return value.map { ["request_put": ["key": key, "value": $0.base64EncodedString()]] }
        ?? ["request_delete_range": ["key": key]]
    }
    let put = ["key": own, "value": id.uuidString.base64, "ignore_lease": true] as [String: Any]
    var keys = [own: fence.revision]
    for (key, version) in expected { keys[(prefix + key).base64] = version }
    return [
      "compare": keys.map {
        ["key": $0, "target": "MOD", "result": "EQUAL", "mod_revision": "\($1)"]
      },
      "success": puts + [["request_put": put]],
      "failure": keys.keys.map { ["request_range": ["key": $0]] },
    ]
  }

  /// Returns the fence, a new one every eight hours. etcd removes it a day after that.
  private func ownFence() async throws -> Fence {
    let (known, isUnsure) = state.withLock { ($0.fence, !$0.unanswered.isEmpty) }
    if let known, isUnsure || known.made.duration(to: .now) < .seconds(8 * 3600) { return known }
    struct Lease: Decodable {
      let id: String
      private enum CodingKeys: String, CodingKey { case id = "ID" }
    }
    let lease: Lease = try await client.call("lease/grant", ["TTL": "86400"]).0
    let key = fences + UUID().uuidString
    let compare = ["key": key.base64, "target": "MOD", "result": "EQUAL", "mod_revision": "0"]
    let answer: EtcdTransaction = try await client.call(
      "kv/txn",
      [
        "compare": [compare],
        "success": [["request_put": ["key": key.base64, "value": "", "lease": lease.id]]],
        "failure": [["request_range": ["key": key.base64]]],
      ]
    ).0
    let found = answer.responses?.first?.responseRange?.kvs?.first
    let fence = Fence(key: key, revision: found?.revision ?? answer.header.revision)
    state.withLock { $0.fence = fence }
    return fence
  }
}

extension String {
  var base64: String { Data(utf8).base64EncodedString() }

  /// The first key that does not begin with this prefix, which ends with a slash.
  fileprivate var end: String { (dropLast() + "0").base64 }
}

extension URL {
  /// The address without a password.
  fileprivate var plainAddress: String {
    "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")"
  }
}
