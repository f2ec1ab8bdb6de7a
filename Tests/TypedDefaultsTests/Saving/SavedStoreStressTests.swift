#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Observation
  import Synchronization
  import TypedDefaults
  import XCTest

  @testable import TestSupport

  /// Many threads at one saved store. `STRESS_SECONDS=60` makes it a minute.
  final class SavedStoreStressTests: XCTestCase {
    /// A value of several parts, which belong together.
    private struct Pair: Codable, Equatable, UserDefaultsSerializable {
      var number: Int
      var text: String

      init(_ number: Int) {
        self.number = number
        text = String(repeating: "\(number) ", count: number % 7)
      }

      var isWhole: Bool { self == Self(number) }
    }

    private final class Counter: Sendable { let count = Atomic(0) }

    private final class Failures: Sendable {
      private let texts = TestMutex<[String]>([])
      func note(_ text: String) { texts.withLock { if $0.count < 10 { $0.append(text) } } }
      var all: [String] { texts.withLock { $0 } }
    }

    func test32ThreadsReadWhatWasWritten() throws {
      nonisolated(unsafe) let store = try makeSavedSuite()
      let seconds = Double(ProcessInfo.processInfo.environment["STRESS_SECONDS"] ?? "1") ?? 1
      let end = ContinuousClock.now + .seconds(seconds)
      let failures = Failures()
      let rounds = Counter()
      let heard = Counter()
      let shared = WrappedDefault(wrappedValue: Pair(0), "shared", userDefaults: store)
      let listeners = (0..<4).map { _ in
        let updates = shared.updates
        return Task {
          for await value in updates {
            if !value.isWhole { failures.note("heard \(value)") }
            heard.count.add(1, ordering: .relaxed)
          }
        }
      }
      DispatchQueue.concurrentPerform(iterations: 32) { thread in
        let own = WrappedDefault(wrappedValue: Pair(-7), "own\(thread)", userDefaults: store)
        let list = WrappedDefault(wrappedValue: [Int](), "list\(thread)", userDefaults: store)
        let typed = UserDefaults.Key<Int>(name: "typed\(thread)")
        let neighbour = UserDefaults.Key<Pair>(name: "own\((thread + 1) % 32)")
        var number = 0
        while ContinuousClock.now < end {
          number += 1
          // Written by this thread only: the next read is what it wrote.
          own.wrappedValue = Pair(number)
          if own.wrappedValue.number != number { failures.note("own of \(thread) is stale") }
          store.set([number, number], forKey: list.key)
          if list.wrappedValue != [number, number] { failures.note("list of \(thread) is stale") }
          list.reset()
          if list.wrappedValue != [] { failures.note("reset of \(thread) is not seen") }
          store.set(number, for: typed)
          if store.integer(forKey: typed.name) != number { failures.note("typed is stale") }
          // Written by all of them.
          switch number % 4 {
          case 0: shared.wrappedValue = Pair(number)
          case 1: shared.withLock { $0 = Pair($0.number + 1) }
          case 2: shared.reset()
          default: break
          }
          if !shared.wrappedValue.isWhole { failures.note("shared is torn") }
          if let pair = store.value(for: neighbour), !pair.isWhole { failures.note("torn") }
          withObservationTracking {
            _ = shared.wrappedValue
          } onChange: {
          }
          rounds.count.add(1, ordering: .relaxed)
        }
      }
      for listener in listeners { listener.cancel() }
      XCTAssertEqual(failures.all, [])
      print(
        "32 threads made \(rounds.count.load(ordering: .relaxed)) rounds, and listeners heard",
        "\(heard.count.load(ordering: .relaxed)) values.")
    }
  }
#endif
