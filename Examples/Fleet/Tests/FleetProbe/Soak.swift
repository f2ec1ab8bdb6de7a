import Dispatch
import Foundation
import RemoteDefaults
import Synchronization
import TypedDefaults

/// Changes settings without a pause until it is told to stop, and says what the store has confirmed.
final class Soak: @unchecked Sendable {  // `UserDefaults` is thread-safe; `counts` is locked.
  struct Counts: Codable {
    /// How often each kind of change was confirmed, and how often the store said that it was not.
    var confirmed: [String: Int] = [:]
    var failed: [String: Int] = [:]
    var tokens: [String] = []
    var failedTokens: [String] = []
    var lastSet = 0
    var lastConfirmed = 0
    /// What was heard: values that went back, values that came twice, and delays in microseconds.
    var back = 0
    var twice = 0
    var delays: [Int] = []
    var uneven = 0
    var issues: [String: Int] = [:]
  }

  private let store: RemoteDefaults
  private let name: String
  private let counts = Mutex(Counts())
  private let isOver = Atomic(false)
  private let threads = DispatchGroup()

  init(_ store: RemoteDefaults, _ name: String) {
    self.store = store
    self.name = name
  }

  func run(with others: [String]) {
    DefaultsIssue.setHandler { [self] issue in
      // `withLock` reports on its own thread, before it returns.
      let thread = Thread.current.threadDictionary
      thread["issues"] = (thread["issues"] as? Int ?? 0) + 1
      counts.withLock { $0.issues[String("\(issue)".prefix(48)), default: 0] += 1 }
    }
    let observations = others.map(listen)
    for body in [increment, append, assign, exchange] {
      let thread = Thread { [self] in
        while !isOver.load(ordering: .relaxed) {
          body()
          usleep(.random(in: 1000...10_000))
        }
        threads.leave()
      }
      threads.enter()
      thread.start()
    }
    print("ready")
    fflush(nil)
    _ = readLine()
    isOver.store(true, ordering: .relaxed)
    threads.wait()
    let end = ContinuousClock.now + .seconds(60)
    while (try? store.flush()) == nil, .now < end {}
    for observation in observations { observation.cancel() }
    let data = try! JSONEncoder().encode(counts.withLock(\.self))
    print(String(decoding: data, as: UTF8.self))
    fflush(nil)
  }

  private func note(_ kind: String, isConfirmed: Bool) {
    counts.withLock {
      if isConfirmed {
        $0.confirmed[kind, default: 0] += 1
      } else {
        $0.failed[kind, default: 0] += 1
      }
    }
  }

  // MARK: Changes

  private func increment() {
    let thread = Thread.current.threadDictionary
    let before = thread["issues"] as? Int ?? 0
    WrappedDefault(wrappedValue: 0, "count", userDefaults: store).withLock { $0 += 1 }
    note("increment", isConfirmed: before == thread["issues"] as? Int ?? 0)
  }

  private func append() {
    let token = "\(name).\(counts.withLock { $0.tokens.count + $0.failedTokens.count })"
    // Another list every few seconds, so that none grows long.
    let key = "list.\(Int(Date().timeIntervalSince1970) / 5)" as UserDefaults.Key<[String]>
    do {
      try store.exclusively {
        store.set((store.value(for: key) ?? []) + [token], for: key)
        let appended = "appended" as UserDefaults.Key<Int>
        store.set((store.value(for: appended) ?? 0) + 1, for: appended)
      }
      note("append", isConfirmed: true)
      counts.withLock { $0.tokens.append(token) }
    } catch {
      note("append", isConfirmed: false)
      counts.withLock { $0.failedTokens.append(token) }
    }
  }

  /// Sets values that rise, with their times.
  private func assign() {
    let next = counts.withLock { counts in
      counts.lastSet += 1
      return counts.lastSet
    }
    store.set([next, Int(DispatchTime.now().uptimeNanoseconds)], for: "w.\(name)")
    guard next % 5 == 0 else { return }
    let isConfirmed = (try? store.flush()) != nil
    if isConfirmed { counts.withLock { $0.lastConfirmed = next } }
    note("assign", isConfirmed: isConfirmed)
  }

  /// Moves an amount from one setting to another: their sum is always 0.
  private func exchange() {
    let (left, right) = ("left" as UserDefaults.Key<Int>, "right" as UserDefaults.Key<Int>)
    do {
      try store.exclusively {
        let (a, b) = (store.value(for: left) ?? 0, store.value(for: right) ?? 0)
        store.set(a + 1, for: left)
        store.set(b - 1, for: right)
      }
      note("exchange", isConfirmed: true)
    } catch {
      note("exchange", isConfirmed: false)
    }
  }

  // MARK: Hearing

  private func listen(to other: String) -> SettingObservation {
    let last = Mutex(0)
    return WrappedDefault(wrappedValue: [0, 0], "w.\(other)", userDefaults: store).onChange {
      _, new in
      let delay = (Int(DispatchTime.now().uptimeNanoseconds) - new[1]) / 1000
      let old = last.withLock { last in
        defer { last = new[0] }
        return last
      }
      self.counts.withLock { counts in
        if new[0] < old { counts.back += 1 }
        if new[0] == old { counts.twice += 1 }
        if other != self.name { counts.delays.append(delay) }
      }
    }
  }
}
