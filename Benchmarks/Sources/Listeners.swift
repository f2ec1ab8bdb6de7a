import Benchmark
import Foundation
import TypedDefaults

/// A change, until every listener has received it. On Linux, Foundation tells nobody of a change, so the
/// rival is the least that listeners cost: a stream for each.
func deliver(listeners: Int) {
  /// Starts the listeners, and returns what waits until each has received one value more.
  func start<S: AsyncSequence & Sendable>(_ sequences: [S]) -> () -> Void {
    let received = DispatchSemaphore(value: 0)
    for sequence in sequences {
      Task {
        for try await _ in sequence { received.signal() }
      }
    }
    return { for _ in sequences { received.wait() } }
  }

  row(
    "deliver to \(listeners) listener\(listeners == 1 ? "" : "s")",
    .init(calls: 100, settle: { try! $0.flush() }),
    [
      Side("ours") { suite in
        let setting = WrappedDefault(keyName: "setting", defaultValue: 0, userDefaults: suite)
        let wait = start((0..<listeners).map { _ in setting.updates })
        wait()  // The first value is the current one.
        return { number in
          setting.wrappedValue = number
          wait()
        }
      },
      Side("set + AsyncStream") { suite in
        let streams = (0..<listeners).map { _ in AsyncStream<Int>.makeStream() }
        let wait = start(streams.map(\.stream))
        return { number in
          suite.set(number, forKey: "rival")
          for stream in streams { stream.continuation.yield(number) }
          wait()
        }
      },
    ])
}
