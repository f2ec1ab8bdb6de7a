import Foundation
import RemoteDefaults

/// A server in memory, with faults on demand.
final class MemoryServer: SettingsServer, @unchecked Sendable {  // `change` locks what is `var`.
  typealias Stream = AsyncThrowingStream<ServerChange, any Error>
  private let lock = NSRecursiveLock()
  private let timer = DispatchSource.makeTimerSource()
  private var (streams, made): ([Stream.Continuation], [UUID: ServerVersion]) = ([], [:])
  var (entries, version, history): ([String: ServerEntry], Int64, [ServerChange]) = ([:], 1, [])
  /// Thrown in place of answers: before a commit is made, after it is made, and to who listens.
  var (before, after, deaf): (ServerError?, ServerError?, ServerError?)
  var isSilent = false
  let (name, limits) = ("the memory", (operations: 5, bytes: 4000))

  init() {
    timer.setEventHandler { [weak self] in self?.change { $0.tell(.init(version: $0.version)) } }
    timer.schedule(deadline: .now(), repeating: 0.5)
    timer.activate()
  }

  func change<R>(_ body: (MemoryServer) throws -> R) rethrows -> R {
    try lock.withLock { try body(self) }
  }

  private func tell(_ change: ServerChange) {
    if let deaf { for stream in streams { stream.finish(throwing: deaf) } }
    for stream in streams where !isSilent { stream.yield(change) }
  }

  func put(_ values: [String: Data?]) {
    version += 1
    for (key, text) in values { entries[key] = text.map { .init(text: $0, version: version) } }
    history.append(ServerChange(values, version: version))
    tell(history.last!)
  }

  func load() async throws -> (entries: [String: ServerEntry], version: ServerVersion) {
    try change { if let error = $0.deaf { throw error } else { ($0.entries, $0.version) } }
  }

  func changes(after start: ServerVersion) async throws -> Stream {
    if change({ start > $0.version }) { throw ServerError(.restored, "", advice: "") }
    return change { server in
      Stream { stream in
        server.streams.append(stream)
        for change in server.history where change.version > start { stream.yield(change) }
      }
    }
  }

  func commit(id: UUID, _ values: [String: Data?], expected: [String: ServerVersion]) async throws
    -> CommitResult
  {
    try change { server in
      if let error = server.before { throw error }
      if values["refused"] != nil {
        throw ServerError(.refused, "it is not allowed", advice: "Ask.")
      }
      let now = Dictionary(uniqueKeysWithValues: expected.map { ($0.key, server.entries[$0.key]) })
      let isOld = expected.contains { $1 != now[$0]??.version ?? 0 }
      if made[id] == nil, isOld { return .conflict(now: now, server.version) }
      if made[id] == nil { server.put(values) }
      server.made[id] = server.made[id] ?? server.version
      if let error = server.after { throw error }
      return .committed(server.made[id]!)
    }
  }

  func close() async {}
}
