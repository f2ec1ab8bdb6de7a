internal import Foundation
internal import TypedDefaults

/// Keeps a memory and etcd in step: one thread sends changes in their order, and one watches.
final class EtcdConnection: @unchecked Sendable {  // `condition` protects what can change.
  typealias Values = EtcdMemory.Values
  typealias Tell =
    @Sendable (
      _ keys: [String], _ perform: (@escaping @Sendable () -> Void) -> Void
    ) -> Void

  private struct Outage {
    let start: Date
    var isReported = false
  }

  private let options: EtcdOptions
  /// The common start of all keys.
  private let prefix: String
  private let client: EtcdClient
  private let copy: UserDefaults?

  /// Signalled after each change of the state below.
  private let condition = NSCondition()
  private var memory = EtcdMemory()
  /// The last revision that the watch has delivered; nil before the first load.
  private var watched: Int64?
  private var watch: EtcdWatch?
  private var outage: Outage?
  /// How often sending has failed or succeeded.
  private var rounds = 0
  private var isSending = false
  /// The last refusal since the last flush.
  private var refusal: DefaultsIssue?
  /// The results of writes with a revision: whether each was stored.
  private var outcomes: [Int: Bool] = [:]
  /// The write with a revision whose answer is lost, and a revision before it.
  private var unsure: (id: Int, before: Int64)?
  /// The open transactions, by thread.
  private var held: [ObjectIdentifier: EtcdMemory.Held] = [:]
  private var isClosed = false
  private var tell: Tell = { _, _ in }
  /// The queue that calls listeners, because a listener may wait for the threads of this connection.
  private let telling = DispatchQueue(label: "Etcd.tell")

  init(_ options: EtcdOptions) {
    self.options = options
    prefix = options.prefix + "/"
    client = EtcdClient(options)
    copy = options.localCopy.map(UserDefaults.saved)
  }

  // MARK: Opening and closing

  /// Loads everything, or throws when the time is over.
  func open(within time: Duration) throws {
    let deadline = Date() + time.seconds
    var known: EtcdError?
    while true {
      do {
        return try load(until: deadline)
      } catch let error as EtcdError {
        guard case .unavailable(let cause) = error else { throw notOpened(error) }
        // The last try may be too short to learn the cause.
        if cause != EtcdClient.silence { known = error }
        guard Date() + 0.1 < deadline else {
          if loadCopy() { return noteFailure(known ?? error, since: .distantPast) }
          throw notOpened(known ?? error)
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  /// - Parameter tell: Called with the keys whose values in memory have changed.
  func start(tell: @escaping Tell) {
    self.tell = tell
    for (name, body) in [("Etcd.watch", runWatch), ("Etcd.send", runSender)] {
      let thread = Thread { body() }
      thread.name = name
      thread.start()
    }
  }

  func close() {
    let watch = condition.withLock {
      isClosed = true
      condition.broadcast()
      return self.watch
    }
    watch?.cancel()
    client.close()
  }

  // MARK: Reading

  func object(_ key: String) -> Any? { condition.withLock { memory[key]?.object } }

  var objects: [String: Any] { condition.withLock { memory.all.mapValues(\.object) } }

  // MARK: Changing

  /// Changes memory at once, and etcd in the background.
  func set(_ values: Values) {
    change(values.keys, isOwn: true) {
      if held[thread] != nil {
        memory.hold(values, in: &held[thread, default: .init()])
      } else {
        _ = memory.append(values)
        condition.broadcast()
      }
    }
  }

  func beginTransaction() {
    condition.withLock { held[thread] = .init() }
  }

  /// Sends the changes of this thread's transaction in one step.
  func endTransaction() {
    guard let transaction = condition.withLock({ held.removeValue(forKey: thread) }) else { return }
    change(transaction.keys, isOwn: true) {
      memory.append(transaction)
      condition.broadcast()
    }
  }

  private var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  /// Returns the revision of a key, after etcd has confirmed this program's changes of it. Nil if etcd does not
  /// answer.
  func revision(of key: String) -> Int64? {
    condition.withLock {
      while memory.isUnsent(key) {
        if isOut { return nil }
        condition.wait()
      }
      return isOut ? nil : memory.revision(of: key)
    }
  }

  /// Changes a key, unless etcd holds a later revision of it.
  ///
  /// - Returns: Whether the key has changed. If not, memory holds the later value.
  func set(_ value: StoredText?, _ key: String, ifStillAt revision: Int64) -> Bool {
    let outcome: Bool? = condition.withLock {
      let id = memory.append([key: value?.marked], ifStillAt: revision)
      condition.broadcast()
      while outcomes[id] == nil, !isOut { condition.wait() }
      if outcomes[id] == nil { memory.withdraw(id) }
      return outcomes.removeValue(forKey: id)
    }
    if outcome == nil { set([key: value]) }
    return outcome ?? true
  }

  /// Waits until etcd has confirmed all changes so far.
  func flush() throws {
    try condition.withLock {
      let last = memory.writes.last?.id ?? 0
      // The request under way may lack the newest changes, or be about to fail.
      let round = rounds + (isSending ? 1 : 0)
      condition.broadcast()
      while let first = memory.writes.first, first.id <= last {
        if isClosed || isOut && rounds > round { throw outageIssue }
        condition.wait()
      }
      if let refusal {
        self.refusal = nil
        throw refusal
      }
    }
  }

  /// Changes the state, and announces the keys whose values differ.
  private func change(
    _ keys: some Collection<String>, isOwn: Bool = false, _ body: () -> Void
  ) {
    let changed = condition.withLock {
      let old = keys.map { memory[$0]?.text }
      body()
      return zip(keys, old).filter { memory[$0]?.text != $1 }.map(\.0)
    }
    guard !changed.isEmpty else { return }
    tell(changed) { if isOwn { $0() } else { telling.async(execute: $0) } }
  }

  // MARK: Sending

  private func runSender() {
    var pause = Pause()
    // The number of writes to send one by one, because etcd refused one of them.
    var alone = 0
    while let batch = nextBatch(alone: alone > 0) {
      let start = Date()
      do {
        if let revision = batch[0].revision {
          try send(batch[0], ifStillAt: revision)
        } else {
          try send(batch)
        }
        noteAnswer()
        alone = max(0, alone - 1)
        pause = Pause()
      } catch EtcdError.refused(let cause) {
        if batch.count == 1 { refuse(batch[0], cause) } else { alone = batch.count + 1 }
        noteAnswer()
        alone = max(0, alone - 1)
      } catch {
        noteFailure(error, since: start)
        wait(for: pause.next())
      }
    }
  }

  /// Waits for changes to send; nil once the connection is closed.
  private func nextBatch(alone: Bool) -> [EtcdMemory.Write]? {
    condition.withLock {
      while memory.writes.isEmpty, !isClosed { condition.wait() }
      if isClosed { return nil }
      isSending = true
      let batch = memory.batch()
      return alone ? Array(batch.prefix(1)) : batch
    }
  }

  private func send(_ batch: [EtcdMemory.Write]) throws {
    var values: Values = [:]
    for write in batch { values.merge(write.values) { $1 } }
    let answer = try client.transaction(texts(of: values))
    change(values.keys) { memory.confirm(batch, at: answer.header.revision) }
    keepCopy(of: values.keys)
  }

  private func send(_ write: EtcdMemory.Write, ifStillAt revision: Int64) throws {
    guard let (key, value) = write.values.first else { return }
    // The last revision at which memory knows the key.
    let (known, before, isLate) = condition.withLock {
      (
        max(watched ?? 0, memory.confirmed[key]?.revision ?? 0),
        unsure?.id == write.id ? unsure?.before : nil,
        memory.revision(of: key) != revision
      )
    }
    if before == nil, isLate {
      return condition.withLock {
        memory.remove([write])
        outcomes[write.id] = false
      }
    }
    let answer: EtcdTransaction
    do {
      answer = try client.transaction(
        texts(of: write.values), condition: (prefix + key, revision))
    } catch EtcdError.unavailable(let cause) {
      // etcd may have stored it, and only the answer is lost.
      condition.withLock { self.unsure = (write.id, before ?? known) }
      throw EtcdError.unavailable(cause)
    }
    if answer.succeeded ?? false {
      change([key]) {
        memory.confirm([write], at: answer.header.revision)
        outcomes[write.id] = true
      }
    } else {
      let now = answer.responses?.first?.responseRange?.kvs?.first
      let isDone = try before.map { try wasStored(value, key, now?.value, after: $0) } ?? false
      change([key]) {
        memory.note(
          now.map { StoredText(text: $0.value) }, key,
          at: now?.revision ?? answer.header.revision)
        memory.remove([write])
        outcomes[write.id] = isDone
      }
    }
    keepCopy(of: [key])
  }

  /// Whether etcd stored a change whose answer is lost, although the key has changed since. If so, the change was
  /// the first after the revision at which its condition held.
  private func wasStored(
    _ value: StoredText?, _ key: String, _ now: Data?, after revision: Int64
  ) throws -> Bool {
    if now == value?.text { return true }
    do {
      let event = try client.firstChange(of: prefix + key, after: revision)
      return event.type == "DELETE" ? value == nil : event.kv.value == value?.text
    } catch EtcdError.compacted {
      return false
    }
  }

  private func refuse(_ write: EtcdMemory.Write, _ cause: String) {
    let keys = write.values.keys.sorted()
    let issue = DefaultsIssue.refused(keys, under: prefix, cause)
    change(keys) {
      memory.remove([write])
      refusal = issue
      // `withLock` must not try again.
      if write.revision != nil { outcomes[write.id] = true }
    }
    telling.async { issue.report() }
  }

  private func texts(of values: Values) -> [String: Data?] {
    Dictionary(uniqueKeysWithValues: values.map { (prefix + $0, $1?.text) })
  }

  // MARK: Watching

  private func runWatch() {
    var pause = Pause()
    while !condition.withLock({ isClosed }) {
      let start = Date()
      do {
        // After a compaction etcd may not tell of a deletion: https://github.com/etcd-io/etcd/issues/18089
        let count = try client.count(prefix: prefix)
        if condition.withLock({ watched == nil || memory.count != count }) { try load() }
        let watch = try client.watch(
          prefix: prefix, from: (condition.withLock { watched } ?? 0) + 1)
        defer { watch.cancel() }
        condition.withLock { self.watch = watch }
        noteAnswer()
        pause = Pause()
        // A connection may be dead, or its member cut off from the others, without any sign.
        let renewal = Date() + 30
        while let result = try watch.next(until: renewal), !condition.withLock({ isClosed }) {
          apply(result)
        }
      } catch EtcdError.compacted {
        condition.withLock { watched = nil }
      } catch {
        noteFailure(error, since: start)
        wait(for: pause.next())
      }
    }
  }

  /// Cuts the connection of the watch, which then resumes.
  func cutWatch() {
    condition.withLock { watch }?.cancel()
  }

  private func load(until deadline: Date? = nil) throws {
    let range = try client.range(prefix: prefix, until: deadline)
    let revision = range.header?.revision ?? 0
    var values: [String: EtcdMemory.Confirmed] = [:]
    for item in range.kvs ?? [] {
      values[key(of: item)] = .init(value: StoredText(text: item.value), revision: item.revision)
    }
    let keys = Set(values.keys).union(condition.withLock { Set(memory.confirmed.keys) })
    change(keys) {
      memory.load(values, at: revision)
      watched = revision
      condition.broadcast()
    }
    keepCopy(of: keys)
  }

  /// Applies all events of a revision in one step.
  private func apply(_ result: EtcdWatchLine.Result) {
    guard let events = result.events, !events.isEmpty else { return }
    let keys = Set(events.map { key(of: $0.kv) })
    change(keys) {
      for event in events {
        let isDeletion = event.type == "DELETE"
        memory.note(
          isDeletion ? nil : StoredText(text: event.kv.value), key(of: event.kv),
          at: event.kv.revision)
        watched = max(watched ?? 0, event.kv.revision)
      }
      condition.broadcast()
    }
    keepCopy(of: keys)
  }

  private func key(of item: EtcdKeyValue) -> String {
    String(decoding: item.key.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  // MARK: The copy on this machine

  private func keepCopy(of keys: some Collection<String>) {
    guard let copy else { return }
    for (key, item) in condition.withLock({ keys.map { ($0, memory.confirmed[$0]?.value) } }) {
      copy.set(item?.object, forKey: key)
    }
  }

  private func loadCopy() -> Bool {
    guard let name = options.localCopy, let objects = copy?.persistentDomain(forName: name),
      !objects.isEmpty
    else { return false }
    let values = objects.compactMapValues {
      try? EtcdMemory.Confirmed(value: StoredText($0), revision: 0)
    }
    condition.withLock { memory.load(values, at: 0) }
    return true
  }

  // MARK: When nobody answers

  /// Whether etcd has been silent for so long that callers no longer wait.
  private var isOut: Bool { isClosed || outage?.isReported ?? false }

  private var cause = ""

  private var addresses: String {
    options.endpoints.map(\.absoluteString).joined(separator: ", ")
  }

  private var outageIssue: DefaultsIssue {
    .unanswered(addresses, cause)
  }

  private func notOpened(_ error: EtcdError) -> DefaultsIssue {
    .notOpened(prefix, at: addresses, "\(error)")
  }

  private func noteAnswer() {
    condition.withLock {
      outage = nil
      noteRound()
    }
  }

  private func noteFailure(_ error: any Error, since start: Date) {
    let issue: DefaultsIssue? = condition.withLock {
      cause = error is EtcdError ? "\(error)" : EtcdClient.describe(error)
      var outage = outage ?? Outage(start: start)
      defer {
        self.outage = outage
        noteRound()
      }
      guard !outage.isReported, !isClosed,
        -outage.start.timeIntervalSinceNow >= options.patience.seconds
      else { return nil }
      outage.isReported = true
      return outageIssue
    }
    if let issue { telling.async { issue.report() } }
  }

  private func noteRound() {
    rounds += 1
    isSending = false
    condition.broadcast()
  }

  private func wait(for pause: TimeInterval) {
    let end = Date() + pause
    condition.withLock {
      while !isClosed, condition.wait(until: end) {}
    }
  }

  /// The pause before the next try. It grows each time, and differs between machines.
  private struct Pause {
    private var limit: TimeInterval = 0.01

    mutating func next() -> TimeInterval {
      defer { limit = min(limit * 2, 1) }
      return .random(in: limit / 2...limit)
    }
  }
}
