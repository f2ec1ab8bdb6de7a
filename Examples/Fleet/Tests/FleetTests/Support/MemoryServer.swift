import Foundation
import RemoteDefaults
import Synchronization

/// A server in memory, with faults on demand.
final class MemoryServer: SettingsServer, @unchecked Sendable {  // `lock` protects what is `var`.
  private let lock = NSRecursiveLock()
  private var timer: DispatchSourceTimer?
  private var history: [ServerChange] = []
  private var made: [UUID: ServerVersion] = [:]
  private var streams: [AsyncThrowingStream<ServerChange, any Error>.Continuation] = []
  var (entries, version): ([String: ServerEntry], ServerVersion) = ([:], 1)
  var commits: [[String: Data?]] = []
  /// Thrown in place of answers: before a commit is made, after it is made, and to who listens.
  var (before, after, deaf): (ServerError?, ServerError?, ServerError?)
  var isSilent = false
  var beforeCommit: (MemoryServer) -> Void = { _ in }
  static let outage = ServerError(.unavailable, "the line is dead", advice: "Mend it.")
  let (name, limits) = ("the memory", (operations: 5, bytes: 4000))

  init() {
    timer = DispatchSource.makeTimerSource()
    timer?.setEventHandler { [weak self] in self?.change { $0.tell(.init(version: $0.version)) } }
    timer?.schedule(deadline: .now(), repeating: 1)
    timer?.activate()
  }

  @discardableResult
  func change<R>(_ body: (MemoryServer) throws -> R) rethrows -> R {
    try lock.withLock { try body(self) }
  }

  private func tell(_ change: ServerChange) {
    if let deaf { for stream in streams { stream.finish(throwing: deaf) } }
    if !isSilent { for stream in streams { stream.yield(change) } }
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

  func changes(after start: ServerVersion) -> AsyncThrowingStream<ServerChange, any Error> {
    AsyncThrowingStream { stream in
      change { server in
        if start > server.version { server.deaf = ServerError(.restored, "", advice: "") }
        server.streams.append(stream)
        for change in server.history where change.version > start { stream.yield(change) }
        server.tell(ServerChange(version: server.version))
        if start > server.version { server.deaf = nil }
      }
    }
  }

  func commit(
    id: UUID, _ values: [String: Data?], expected: [String: ServerVersion]
  ) async throws -> CommitResult {
    try change { server in
      if let error = server.before { throw error }
      server.beforeCommit(server)
      if let made = server.made[id] { return .committed(made) }
      server.commits.append(values)
      if values["refused"] != nil {
        throw ServerError(.refused, "it is not allowed", advice: "Ask.")
      }
      let now = Dictionary(uniqueKeysWithValues: expected.map { ($0.key, server.entries[$0.key]) })
      if expected.contains(where: { $1 != now[$0]??.version ?? 0 }) {
        return .conflict(now: now, server.version)
      }
      server.put(values)
      server.made[id] = server.version
      if let error = server.after { throw error }
      return .committed(server.version)
    }
  }

  func close() async {}
}
