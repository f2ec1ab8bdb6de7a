internal import Foundation
internal import TypedDefaults

/// The keys that a body of `exclusively` has used, by the versions it has seen, and its changes.
final class Attempt {
  private(set) var seen: [String: ServerVersion] = [:]
  private(set) var values: RemoteMemory.Values = [:]

  func read(_ key: String, _ memory: RemoteMemory) -> StoredText? {
    if let value = values[key] { return value }
    note(key, memory)
    return memory.confirmed[key]?.value
  }

  func write(_ value: StoredText?, _ key: String, _ memory: RemoteMemory) {
    note(key, memory)
    values[key] = .some(value)
  }

  private func note(_ key: String, _ memory: RemoteMemory) {
    // The first one: if the key has changed since, the attempt must fail.
    if seen[key] == nil { seen[key] = memory.version(of: key) }
  }
}

extension RemoteConnection {
  /// Each function here gives the check of a wait, which blocks or suspends. It ends after `patience`
  /// without an answer from the server.
  typealias Check<R> = () throws -> Waiting<R>

  /// The time until which to wait for an answer. Throws if it is over.
  private func end(of start: Instant) throws -> Instant {
    let end = max(start, sending.lastAnswer) + patience
    let isOut = sending.isTold && sending.lastFailure.map { $0 > start } ?? false
    if phase == .closed { throw DefaultsIssue.closed }
    if .now >= end || isOut { throw outage }
    return end
  }

  private var outage: DefaultsIssue {
    .notSent(
      server.name,
      sending.error ?? hearing.error
        ?? ServerError(.unavailable, "no answer within \(patience)", advice: ""))
  }

  // MARK: Opening

  func opening(within time: Duration) -> Check<Void> {
    let end = Instant.now + time
    return { [self] in
      if isLoaded { return .done(()) }
      if let error = hearing.error, error.kind != .unavailable {
        throw DefaultsIssue.notOpened(server.name, error)
      }
      if .now < end { return .until(end) }
      let error = hearing.error ?? ServerError(.unavailable, "no answer within \(time)", advice: "")
      throw DefaultsIssue.notOpened(server.name, error)
    }
  }

  // MARK: Flushing

  func flushing() -> Check<Void> {
    let start = Instant.now
    let last = monitor.withLock { memory.last }
    return { [self] in
      if let first = memory.firstUnsent, first <= last { return .until(try end(of: start)) }
      if let refusal {
        self.refusal = nil
        throw refusal
      }
      return .done(())
    }
  }

  // MARK: Changes with a condition

  /// Waits until the server has confirmed this program's changes of a key.
  func revision(of key: String) -> Check<ServerVersion> {
    let start = Instant.now
    return { [self] in
      guard memory.isUnsent(key) || isRestored else { return .done(memory.version(of: key)) }
      do {
        return .until(try end(of: start))
      } catch let issue as DefaultsIssue {
        throw DefaultsIssue.notConfirmed([key], isSent: false, issue)
      }
    }
  }

  /// Sends changes if keys still have their versions, and waits for the result.
  func commit(_ values: Values, expected: [String: ServerVersion]) -> Check<Bool> {
    let start = Instant.now
    let number = monitor.withLock {
      let number = memory.append(values, expected: expected, at: start)
      outcomes[number] = .pending
      signal()
      return number
    }
    let keys = values.keys.sorted()
    return { [self] in
      switch outcomes[number] {
      case .stored?: break
      case .conflict?:
        outcomes[number] = nil
        return .done(false)
      case .refused(let issue)?:
        outcomes[number] = nil
        throw issue
      case .unknown?:
        outcomes[number] = nil
        throw DefaultsIssue.notConfirmed(keys, isSent: true, outage)
      case .pending?, nil:
        do {
          return .until(try end(of: start))
        } catch let issue as DefaultsIssue {
          outcomes[number] = nil
          let isSent = memory.withdraw(number)
          signal()
          throw DefaultsIssue.notConfirmed(keys, isSent: isSent, issue)
        }
      }
      outcomes[number] = nil
      return .done(true)
    }
  }

  // MARK: Bodies that run again

  /// Runs a body that no other program comes between.
  func exclusively(_ body: () throws -> Void) throws {
    if monitor.withLock({ attempts[current] != nil }) { return try body() }
    if monitor.withLock({ held[current] != nil }) { throw DefaultsIssue.insideTransaction }
    while true {
      try wait(sent())
      let attempt = try attempt(body)
      if attempt.seen.isEmpty { return }
      if try wait(commit(attempt.values, expected: attempt.seen)) { return }
    }
  }

  /// Waits until the server has confirmed all changes of this program.
  func sent() -> Check<Void> {
    let start = Instant.now
    let last = monitor.withLock { memory.last }
    return { [self] in
      let isSent = memory.firstUnsent.map { $0 > last } ?? true
      return isSent && !isRestored ? .done(()) : .until(try end(of: start))
    }
  }

  /// Runs a body once, and notes what it reads and changes.
  private func attempt(_ body: () throws -> Void) throws -> Attempt {
    let attempt = Attempt()
    monitor.withLock { attempts[current] = attempt }
    defer { _ = monitor.withLock { attempts.removeValue(forKey: current) } }
    try body()
    if let issue = tooMuch(attempt.values, expected: attempt.seen.count) { throw issue }
    return attempt
  }

  // MARK: Closing

  /// Sends what is left, and then ends the tasks.
  func release() {
    monitor.withLock {
      if phase == .open { phase = .draining }
      stream?.cancel()
      signal()
    }
  }

  /// Waits until everything is sent, and reports what is not.
  ///
  /// - Returns: Whether everything is sent.
  func drain(until end: Instant) -> Bool {
    release()
    let unsent: [String] = monitor.withLock {
      while memory.firstUnsent != nil, .now < end { monitor.wait(until: end) }
      return memory.unsent
    }
    if !unsent.isEmpty {
      let error = monitor.withLock { sending.error }
      DefaultsIssue.lost(unsent, server.name, error).report()
    }
    return unsent.isEmpty
  }

  /// As above, and then gives up what is left.
  func close(within time: Duration) {
    let isSent = drain(until: .now + time)
    monitor.withLock {
      phase = .closed
      signal()
      return isSent ? nil : sender
    }?.cancel()
  }
}

/// The connections that may have something to send.
enum Connections {
  private static let all = Registry()

  private final class Registry: @unchecked Sendable {  // `monitor` protects it.
    let monitor = Monitor()
    var connections: [ObjectIdentifier: RemoteConnection] = [:]
    var isAtExit = false
  }

  static func add(_ connection: RemoteConnection) {
    all.monitor.withLock {
      all.connections[ObjectIdentifier(connection)] = connection
      if !all.isAtExit { atexit { Connections.finish() } }
      all.isAtExit = true
    }
  }

  static func remove(_ connection: RemoteConnection) {
    _ = all.monitor.withLock { all.connections.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Waits at the end of the program, as the library does for files.
  private static func finish() {
    let end = Instant.now + .seconds(3)
    let connections = all.monitor.withLock { Array(all.connections.values) }
    for connection in connections { connection.release() }
    for connection in connections { _ = connection.drain(until: end) }
  }
}
