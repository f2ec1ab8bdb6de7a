internal import Foundation
internal import TypedDefaults

extension RemoteConnection {
  /// The time without a sign of life after which another stream begins.
  private static let silence = Duration.seconds(3.5)

  /// Starts the thread and its tasks, which end by `close` or `release`.
  func start() {
    thread.start(named: "RemoteDefaults")
    let hearer = Task(executorPreference: thread) { [self] in await hear() }
    let sender = Task(executorPreference: thread) { [self] in await send() }
    monitor.withLock { self.sender = sender }
    Task(executorPreference: thread) { [self] in
      await sender.value
      monitor.withLock {
        phase = .closed
        stream?.cancel()
        signal()
      }
      hearer.cancel()
      await hearer.value
      await server.close()
      Connections.remove(self)
      thread.stop()
    }
    Connections.add(self)
  }

  // MARK: Sending

  private func send() async {
    var pause = Pause()
    while let commit = await nextCommit() {
      let start = Instant.now
      do {
        let result = try await server.commit(
          id: commit.id, commit.values.mapValues { $0?.text }, expected: commit.expected)
        monitor.withLock { uncertain = nil }
        take(result, of: commit)
        noteAnswer(\.sending)
        pause = Pause()
      } catch let error as ServerError where error.kind == .refused {
        refuse(commit, error)
        noteAnswer(\.sending)
      } catch let error as ServerError where error.kind == .restored {
        lose(commit)
      } catch {
        monitor.withLock { uncertain = commit.id }
        noteFailure(\.sending, error, since: start)
        await thread.sleep(until: pause.next())
      }
    }
  }

  /// Waits for changes to send; nil once there is no more to send.
  private func nextCommit() async -> RemoteMemory.Commit? {
    try? await wait {
      if phase == .closed { return .done(nil) }
      if isLoaded, !isRestored || phase == .draining,
        let commit = memory.nextCommit(old: .now - .seconds(1))
      {
        return .done(commit)
      }
      return phase == .draining && memory.firstUnsent == nil ? .done(nil) : .until(nil)
    }
  }

  private func take(_ result: CommitResult, of commit: RemoteMemory.Commit) {
    switch result {
    case .committed(let version):
      change(commit.values.keys) { memory.confirm(commit, at: version) }
      keepCopy(of: commit.values.keys)
      finish(commit, .stored)
    case .conflict(let now, let version):
      let newer = commit.expected.filter { $1 != now[$0].flatMap(\.self)?.version ?? 0 }
      change(now.keys) {
        if commit.isConditional { memory.remove(commit) }
        memory.rebase(commit, on: now, at: version)
      }
      keepCopy(of: now.keys)
      finish(commit, .conflict)
      if !commit.isConditional, !newer.isEmpty {
        report(.overwritten(newer.keys.sorted(), server.name))
      }
    }
  }

  private func finish(_ commit: RemoteMemory.Commit, _ outcome: Outcome) {
    monitor.withLock {
      if outcomes[commit.group] != nil, commit.isConditional { outcomes[commit.group] = outcome }
      signal()
    }
  }

  private func refuse(_ commit: RemoteMemory.Commit, _ error: ServerError) {
    if monitor.withLock({ memory.split(commit) }) { return }
    let issue = DefaultsIssue.refused(commit.values.keys.sorted(), server.name, error)
    change(commit.values.keys) {
      memory.remove(commit)
      if !commit.isConditional { refusal = issue }
    }
    if commit.isConditional { finish(commit, .refused(issue)) } else { report(issue) }
  }

  /// Has all loaded again: the server's history is another one. Changes without a condition are sent
  /// again after that.
  private func lose(_ commit: RemoteMemory.Commit) {
    monitor.withLock {
      isRestored = true
      if commit.isConditional { memory.remove(commit) }
      stream?.cancel()
    }
    finish(commit, monitor.withLock { uncertain == commit.id } ? .unknown : .conflict)
  }

  // MARK: Hearing

  private func hear() async {
    var pause = Pause()
    while monitor.withLock({ phase == .open }) {
      let start = Instant.now
      do {
        if let position = monitor.withLock({ isRestored ? nil : position }) {
          try await follow(position)
        } else {
          try await load()
        }
        continue
      } catch let error as ServerError where [.compacted, .restored].contains(error.kind) {
        monitor.withLock {
          position = nil
          if error.kind == .restored { isRestored = true }
        }
      } catch {
        noteFailure(\.hearing, error, since: monitor.withLock { heard ?? start })
      }
      if let heard = monitor.withLock({ heard }), heard > start { pause = Pause() }
      await thread.sleep(until: pause.next())
    }
  }

  private func load() async throws {
    let (loaded, version) = try await server.load()
    let entries = loaded.mapValues {
      RemoteMemory.Entry(value: StoredText(text: $0.text), version: $0.version)
    }
    let keys = monitor.withLock { Set(memory.confirmed.keys) }.union(entries.keys)
    var isAnother = false
    change(keys) {
      isAnother = isRestored || version < newest
      memory.load(entries, at: version, isAnother: isAnother || !isLoaded || newest == 0)
      newest = isAnother ? version : max(newest, version)
      position = version
      isRestored = false
      isLoaded = true
      heard = .now
      signal()
    }
    keepCopy(of: keys.union(copiedKeys))
    noteAnswer(\.hearing)
    if isAnother { report(.restored(server.name)) }
  }

  /// Takes in changes until the stream ends, and cuts it if it is silent.
  private func follow(_ position: ServerVersion) async throws {
    let stream = Task(executorPreference: thread) { [self] in
      for try await change in try await server.changes(after: position) { apply(change) }
    }
    let start = Instant.now
    let watchdog = Task(executorPreference: thread) { [self] in
      while !Task.isCancelled {
        let last = max(start, monitor.withLock { heard } ?? start)
        if .now - last >= Self.silence { return stream.cancel() }
        await thread.sleep(until: last + Self.silence)
      }
    }
    monitor.withLock {
      self.stream = stream
      if phase == .closed || isRestored { stream.cancel() }
    }
    defer { watchdog.cancel() }
    try await stream.value
    guard monitor.withLock({ phase == .open && !isRestored }) else { return }
    throw ServerError(.unavailable, "no sign of life", advice: "")
  }

  private func apply(_ heard: ServerChange) {
    let values = heard.values.mapValues { $0.map(StoredText.init(text:)) }
    change(values.keys) {
      memory.hear(values, at: heard.version)
      newest = max(newest, heard.version)
      position = heard.version
      self.heard = .now
      signal()
    }
    if !values.isEmpty { keepCopy(of: values.keys) }
    noteAnswer(\.hearing)
  }

  /// The pause before the next try. It grows each time, and differs between machines.
  private struct Pause {
    private var limit = 0.01

    mutating func next() -> Instant {
      defer { limit = min(limit * 2, 1) }
      return .now + .seconds(.random(in: limit / 2...limit))
    }
  }
}
