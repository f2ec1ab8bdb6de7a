import Configuration
import ConfigurationDefaults
import TypedDefaults
import XCTest

final class WatchTests: XCTestCase {
  func testEachDifferentValueIsHeard() async throws {
    let store = Store(.inMemory())
    let config = ConfigReader(provider: DefaultsProvider(store.userDefaults))
    try await config.watchInt(forKey: "http.timeout", default: 0) { updates in
      var values = updates.makeAsyncIterator()
      let first = try await values.next()
      XCTAssertEqual(first, 0)
      for number in 1...3 {
        store.userDefaults.set(number, forKey: "http.timeout")
        let next = try await values.next()
        XCTAssertEqual(next, number)
      }
      store.userDefaults.removeObject(forKey: "http.timeout")
      let removed = try await values.next()
      XCTAssertEqual(removed, 0)
      store.userDefaults.set(["timeout": 4], forKey: "http")
      let nested = try await values.next()
      XCTAssertEqual(nested, 4)
    }
  }

  func testEqualValuesAndErrorsAreLeftOut() async throws {
    let store = Store(.inMemory(["eu/timeout": 1]))
    let provider = DefaultsProvider(store.userDefaults, prefix: "eu/")
    let (texts, heard) = AsyncStream.makeStream(of: String.self)
    let watch = Task {
      try await provider.watchValue(forKey: "timeout", type: .int) { updates in
        for await value in updates {
          heard.yield((try? value.get().value?.content).map { "\($0)" } ?? "an error")
        }
      }
    }
    var text = texts.makeAsyncIterator()
    let first = await text.next()
    XCTAssertEqual(first, "int(1)")
    await repeatedly { number in
      store.userDefaults.set(number, forKey: "other")
      store.userDefaults.set(1, forKey: "eu/timeout")
    }
    store.userDefaults.set("loud", forKey: "eu/timeout")
    let second = await text.next()
    XCTAssertEqual(second, "an error")
    await repeatedly { store.userDefaults.set("loud \($0)", forKey: "eu/timeout") }
    store.userDefaults.set(2, forKey: "eu/timeout")
    let third = await text.next()
    XCTAssertEqual(third, "int(2)")
    watch.cancel()
    try await watch.value
  }

  func testASnapshotComesWithEachChangeOfTheProvider() async throws {
    let store = Store(.inMemory(["eu/timeout": 1, "eu/ports": [1, 2]]))
    let provider = DefaultsProvider(store.userDefaults, prefix: "eu/")
    let kept = provider.snapshot()
    let (texts, heard) = AsyncStream.makeStream(of: String.self)
    let watch = Task {
      try await provider.watchSnapshot { updates in
        for await snapshot in updates {
          let timeout = try snapshot.value(forKey: "timeout", type: .int).value
          let ports = try snapshot.value(forKey: "ports", type: .intArray).value
          heard.yield("\(timeout!) \(ports!)")
        }
      }
    }
    var text = texts.makeAsyncIterator()
    let first = await text.next()
    XCTAssertEqual(first, "[int: 1] [intArray: 1, 2]")
    await repeatedly { number in
      store.userDefaults.set(number, forKey: "us/timeout")
      store.userDefaults.set([1, 2], forKey: "eu/ports")
    }
    store.userDefaults.transaction {
      store.userDefaults.set(2, forKey: "eu/timeout")
      store.userDefaults.set([1, 3], forKey: "eu/ports")
    }
    let second = await text.next()
    XCTAssertEqual(second, "[int: 2] [intArray: 1, 3]")
    store.userDefaults.set([1, 4], forKey: "eu/ports")
    let third = await text.next()
    XCTAssertEqual(third, "[int: 2] [intArray: 1, 4]")
    XCTAssertEqual(
      try kept.value(forKey: "timeout", type: .int).value?.content, .int(1), "it stays as it is")
    watch.cancel()
    try await watch.value
  }

  /// Makes changes of which a watcher is to hear nothing. Often, so that it is woken by some of them.
  private func repeatedly(_ change: (Int) -> Void) async {
    for number in 0..<500 {
      change(number)
      await Task.yield()
    }
  }

  func testACanceledWatchEnds() async throws {
    let provider = DefaultsProvider(.inMemory(["a": 1]))
    let (watching, began) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      try await provider.watchValue(forKey: "a", type: .int) { updates in
        var count = 0
        for await _ in updates {
          count += 1
          began.finish()
        }
        return count
      }
    }
    for await _ in watching {}
    watch.cancel()
    let count = try await watch.value
    XCTAssertEqual(count, 1)
  }
}

/// A store to use on several threads.
struct Store: @unchecked Sendable {  // `UserDefaults` is documented to be thread-safe.
  let userDefaults: UserDefaults
  init(_ userDefaults: UserDefaults) { self.userDefaults = userDefaults }
}
