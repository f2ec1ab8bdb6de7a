import Foundation
import Synchronization

/// Renders what has changed once, and passes it to all streams.
final class EventHub: Sendable {
  /// A part of the page. Its event is made only if its tag has changed.
  struct Part {
    let id, tag: String
    let event: () -> String
  }

  private struct State {
    var version = 0
    var parts: [String: (version: Int, tag: String, event: String)] = [:]
    var order: [String] = []
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var last = 0
    var isRendering = false
    var isStale = false
  }

  static let maximumCount = 100
  private static let interval = Duration.milliseconds(50)
  private static let secondsOfSilence = 15

  private let state = Mutex(State())
  private let parts: @Sendable () -> [Part]

  init(_ parts: @escaping @Sendable () -> [Part]) { self.parts = parts }

  /// Something may have changed. Many calls become one event.
  func changed() {
    let starts = state.withLock { state in
      guard !state.listeners.isEmpty else { return false }
      state.isStale = true
      defer { state.isRendering = true }
      return !state.isRendering
    }
    guard starts else { return }
    Task.detached { [self] in
      while state.withLock({ state in
        defer { state.isStale = false }
        state.isRendering = state.isStale
        return state.isRendering
      }) {
        render()
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  private func render() {
    let parts = parts()
    let known = state.withLock { $0.parts.mapValues(\.tag) }
    let news = parts.filter { known[$0.id] != $0.tag }.map { ($0.id, $0.tag, $0.event()) }
    let listeners = state.withLock { state in
      state.order = parts.map(\.id)
      guard !news.isEmpty else { return [AsyncStream<Void>.Continuation]() }
      state.version += 1
      for (id, tag, event) in news { state.parts[id] = (state.version, tag, event) }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  /// Returns the events since a version, in the order of the page.
  fileprivate func news(since version: inout Int) -> String? {
    state.withLock { state in
      defer { version = state.version }
      let news = state.order.compactMap { state.parts[$0] }.filter { $0.version > version }
      return news.isEmpty ? nil : news.map(\.event).joined()
    }
  }

  /// Returns a stream. Returns `nil` if too many are open.
  ///
  /// - Parameter isWelcome: Whether the stream may go on, which is asked now and then.
  func listen(isWelcome: @escaping @Sendable () async -> Bool) -> EventStream? {
    let (wakeUps, listener) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      guard state.listeners.count < Self.maximumCount else { return nil }
      state.last += 1
      state.listeners[state.last] = listener
      return state.last
    }
    guard let number else { return nil }
    let ticks = Task {
      while (try? await Task.sleep(for: .seconds(Self.secondsOfSilence))) != nil {
        listener.yield()
      }
    }
    listener.onTermination = { [weak self] _ in
      ticks.cancel()
      self?.state.withLock { state in
        state.listeners[number] = nil
        // They would be old when somebody listens again.
        if state.listeners.isEmpty { state.parts = [:] }
      }
    }
    listener.yield()
    changed()
    return EventStream(hub: self, wakeUps: wakeUps, listener: listener, isWelcome: isWelcome)
  }

  var count: Int { state.withLock { $0.listeners.count } }
}

/// What an open page is sent. The stream ends when its page may not go on, or by ``finish()``.
public struct EventStream: AsyncSequence, Sendable {
  fileprivate let hub: EventHub
  fileprivate let wakeUps: AsyncStream<Void>
  fileprivate let listener: AsyncStream<Void>.Continuation
  fileprivate let isWelcome: @Sendable () async -> Bool

  /// Ends the stream, as a server that stops must, else it would wait for each open page.
  public func finish() { listener.finish() }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let stream: EventStream
    fileprivate var wakeUps: AsyncStream<Void>.Iterator
    private var version = 0

    fileprivate init(_ stream: EventStream) {
      (self.stream, wakeUps) = (stream, stream.wakeUps.makeAsyncIterator())
    }

    public mutating func next() async -> Data? {
      guard await wakeUps.next() != nil else { return nil }
      if let news = stream.hub.news(since: &version) { return Data(news.utf8) }
      guard await stream.isWelcome() else {
        stream.finish()
        return nil
      }
      return Data(": still here\n\n".utf8)
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
