internal import Foundation
internal import TypedDefaults

/// Keeps a memory and a server in step: one task sends changes in their order, and one hears those of
/// others.
final class RemoteConnection: @unchecked Sendable {  // `monitor` protects what can change.
  typealias Values = RemoteMemory.Values
  typealias Tell =
    @Sendable (_ keys: [String], _ perform: (@escaping @Sendable () -> Void) -> Void) -> Void

  enum Phase { case open, draining, closed }

  enum Outcome {
    case pending, stored, conflict, unknown
    case refused(DefaultsIssue)
  }

  /// What is known of one direction of the connection.
  struct Direction {
    var error: ServerError?
    var failing: Instant?
    var lastFailure: Instant?
    var lastAnswer = Instant.now
    var isTold = false
  }

  let server: any SettingsServer
  let patience: Duration
  let thread = StoreThread()
  /// Signalled after each change of the state below.
  let monitor = Monitor()
  var memory: RemoteMemory
  var sending = Direction()
  var hearing = Direction()
  var phase = Phase.open
  var isLoaded = false
  /// Whether the server's history is another one, so that all must be loaded again.
  var isRestored = false
  /// The highest version that the server has told of.
  var newest: ServerVersion = 0
  /// The version of the last commit that has been heard; nil if all must be loaded.
  var position: ServerVersion?
  var heard: Instant?
  /// The results of changes with a condition that somebody waits for.
  var outcomes: [Int: Outcome] = [:]
  /// The last refusal since the last flush.
  var refusal: DefaultsIssue?
  /// The commit that the server may have made.
  var uncertain: UUID?
  var stream: Task<Void, any Error>?
  var sender: Task<Void, Never>?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var signals = 0
  /// The open transactions, and the bodies of `exclusively`, by thread.
  var held: [ObjectIdentifier: RemoteMemory.Held] = [:]
  var attempts: [ObjectIdentifier: Attempt] = [:]
  let copyName: String?
  let copy: UserDefaults?
  private let tell: Tell
  /// The queue that calls listeners, because a listener may wait for the thread of this connection.
  private let telling = DispatchQueue(label: "RemoteDefaults.tell")

  /// - Parameter tell: Called with the keys whose values in memory have changed.
  init(_ server: any SettingsServer, patience: Duration, localCopy: String?, tell: @escaping Tell) {
    self.server = server
    self.patience = patience
    self.tell = tell
    memory = RemoteMemory(limits: server.limits)
    copyName = localCopy
    copy = localCopy.map(UserDefaults.saved)
  }

  // MARK: Reading

  func object(_ key: String) -> Any? {
    monitor.withLock {
      guard !attempts.isEmpty, let attempt = attempts[current] else { return memory[key]?.object }
      return attempt.read(key, memory)?.object
    }
  }

  var objects: [String: Any] {
    monitor.withLock {
      guard !attempts.isEmpty, let attempt = attempts[current] else {
        return memory.all.mapValues(\.object)
      }
      let keys = Set(memory.confirmed.keys).union(attempt.values.keys)
      return keys.reduce(into: [:]) { $0[$1] = attempt.read($1, memory)?.object }
    }
  }

  /// The calling thread.
  var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  // MARK: Changing

  /// Changes memory at once, and the server in the background.
  func set(_ value: StoredText?, _ key: String) {
    if let issue = tooMuch([key: value]) { return refuse(issue) }
    change([key], isOwn: true) {
      if let attempt = attempts[current] {
        attempt.write(value, key, memory)
      } else if held[current] != nil {
        memory.hold([key: value], in: &held[current]!)
      } else {
        memory.append([key: value], at: .now)
        signal()
      }
    }
  }

  func beginTransaction() {
    monitor.withLock { if attempts[current] == nil { held[current] = .init() } }
  }

  /// Sends the changes of this thread's transaction in one step.
  func endTransaction() {
    guard let transaction = monitor.withLock({ held.removeValue(forKey: current) }) else { return }
    var issue: DefaultsIssue?
    change(transaction.values.keys, isOwn: true) {
      let values = memory.release(transaction)
      issue = tooMuch(values)
      if issue == nil, !values.isEmpty { memory.append(values, at: .now) }
      signal()
    }
    if let issue { refuse(issue) }
  }

  /// The issue of changes that no commit can hold.
  func tooMuch(_ values: Values, expected: Int = 0) -> DefaultsIssue? {
    let size = values.reduce(0) { $0 + RemoteMemory.size($1.key, $1.value) }
    let limits = server.limits
    guard max(values.count, expected) > limits.operations || size > limits.bytes else { return nil }
    return .tooMuch(values.keys.sorted(), reads: expected, size, limits, server.name)
  }

  private func refuse(_ issue: DefaultsIssue) {
    monitor.withLock { refusal = issue }
    issue.report()
  }

  /// Changes the state, and announces the keys whose values differ.
  func change(_ keys: some Collection<String>, isOwn: Bool = false, _ body: () -> Void) {
    let changed = monitor.withLock {
      let old = keys.map { memory[$0]?.text }
      body()
      return zip(keys, old).filter { memory[$0]?.text != $1 }.map(\.0)
    }
    guard !changed.isEmpty else { return }
    tell(changed) { if isOwn { $0() } else { telling.async(execute: $0) } }
  }

  func report(_ issue: DefaultsIssue) { telling.async { issue.report() } }

  // MARK: The copy on this machine

  func keepCopy(of keys: some Collection<String>) {
    guard let copy else { return }
    for (key, item) in monitor.withLock({ keys.map { ($0, memory.confirmed[$0]?.value) } }) {
      copy.set(item?.object, forKey: key)
    }
  }

  /// The keys in the copy, which may be more than the server has.
  var copiedKeys: [String] {
    copyName.flatMap { copy?.persistentDomain(forName: $0) }.map { Array($0.keys) } ?? []
  }

  func loadCopy() -> Bool {
    guard let copyName, let objects = copy?.persistentDomain(forName: copyName), !objects.isEmpty
    else { return false }
    let entries = objects.compactMapValues {
      try? RemoteMemory.Entry(value: StoredText($0), version: 0)
    }
    change(entries.keys) {
      if !isLoaded { memory.load(entries, at: 0, isAnother: false) }
      isLoaded = true
    }
    return true
  }

  // MARK: When nobody answers

  func noteAnswer(_ direction: ReferenceWritableKeyPath<RemoteConnection, Direction>) {
    let isOver = monitor.withLock {
      let wasTold = self[keyPath: direction].isTold
      self[keyPath: direction] = Direction()
      signal()
      return wasTold && !sending.isTold && !hearing.isTold && phase == .open
    }
    if isOver { report(.answersAgain(server.name)) }
  }

  /// - Parameter start: The time at which the failed try began, or of the last sign of life.
  func noteFailure(
    _ direction: ReferenceWritableKeyPath<RemoteConnection, Direction>, _ error: any Error,
    since start: Instant
  ) {
    let error = error as? ServerError ?? ServerError(.unavailable, "\(error)", advice: "")
    let issue: DefaultsIssue? = monitor.withLock {
      let other = direction == \.sending ? hearing : sending
      var state = self[keyPath: direction]
      defer {
        self[keyPath: direction] = state
        signal()
      }
      state.error = error
      state.lastFailure = .now
      state.failing = state.failing ?? start
      // Otherwise `open` tells.
      guard !state.isTold, phase == .open, isLoaded,
        error.kind != .unavailable || .now - state.failing! >= patience
      else { return nil }
      state.isTold = true
      // An outage of both directions is one.
      if other.isTold, other.error?.kind == error.kind { return nil }
      return direction == \.sending ? .notSent(server.name, error) : .notHeard(server.name, error)
    }
    if let issue { report(issue) }
  }

  // MARK: Waiting

  enum Waiting<R> {
    case done(R)
    case until(Instant?)
  }

  /// Tells those who wait of a change of the state. The caller holds the lock.
  func signal() {
    signals += 1
    monitor.broadcast()
    guard !waiters.isEmpty else { return }
    let waiters = waiters
    self.waiters = []
    thread.perform { for waiter in waiters { waiter.resume() } }
  }

  /// Blocks the calling thread.
  func wait<R>(_ check: () throws -> Waiting<R>) throws -> R {
    if thread.isCurrent { throw DefaultsIssue.ownThread }
    return try monitor.withLock {
      while true {
        switch try check() {
        case .done(let result): return result
        case .until(let time): monitor.wait(until: time)
        }
      }
    }
  }

  func wait<R>(
    isolation: isolated (any Actor)? = #isolation, _ check: () throws -> Waiting<R>
  ) async throws -> R {
    while true {
      try Task.checkCancellation()
      let (seen, count) = try monitor.withLock { (try check(), signals) }
      if case .done(let result) = seen { return result }
      guard case .until(let time) = seen else { continue }
      let timer = time.map { time in
        Task(executorPreference: thread) { [self] in
          await thread.sleep(until: time)
          monitor.withLock { signal() }
        }
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          monitor.withLock {
            waiters.append(continuation)
            // The state may have changed since the look.
            if signals != count || Task.isCancelled { signal() }
          }
        }
      } onCancel: {
        monitor.withLock { signal() }
      }
      timer?.cancel()
    }
  }
}
