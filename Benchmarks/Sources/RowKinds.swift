import Benchmark
import Foundation
import TypedDefaults

// The kinds of rows.

/// A read of what is stored, or of the default.
func read<T>(
  _ name: String, _ defaultValue: T, stored: T?, calls: Int = 1000,
  ours: Accessor<T> = .ours, _ rivals: Accessor<T>...
) {
  let sides = ([ours] + rivals).map { accessor in
    Side(accessor.name) { suite in
      let setting = accessor.open(suite, defaultValue)
      if let stored { setting.write(stored) }
      return { _ in setting.read() }
    }
  }
  row("read \(name)", .init(calls: calls), sides)
}

/// A read of the saved store, against what the least costs in Foundation's class.
func readSaved<T>(
  _ name: String, _ defaultValue: T, stored: T, ours: Accessor<T> = .ours
) {
  rowOfSaved("read \(name)") { store in
    let setting = ours.open(store, defaultValue)
    setting.write(stored)
    return { _ in setting.read() }
  }
}

func rowOfSaved(_ name: String, prepare: @escaping (UserDefaults) -> (Int) -> Void) {
  row(
    "saved store: \(name)", .init(calls: 1000, keys: 1000),
    [
      Side("ours", isSaved: true, prepare: prepare),
      Side("bool(forKey:)") { suite in
        suite.set(true, forKey: "flag")
        return { _ in blackHole(suite.bool(forKey: "flag")) }
      },
    ])
}

/// A write of the saved store, and what follows it, against Foundation's own.
func writeSaved(
  _ name: String, calls: Int, _ rival: String, then read: @escaping (UserDefaults) -> Void
) {
  row(
    "saved store: \(name)", .init(calls: calls, keys: 1000),
    [
      Side("ours", isSaved: true) { store in
        let setting = WrappedDefault(keyName: "number", defaultValue: -1, userDefaults: store)
        return { number in
          setting.wrappedValue = number
          read(store)
        }
      },
      Side(rival) { suite in
        { number in
          suite.set(number, forKey: "number")
          read(suite)
        }
      },
    ])
}

/// Two threads that read a setting each, against one thread that reads one.
func readSavedInTwoThreads() {
  /// The time of a thousand calls is what one call is told to be.
  func side(_ name: String, threads: Int) -> Side {
    Side(name, isSaved: true) { store in
      let settings = (0..<threads).map {
        WrappedDefault(keyName: "thread\($0)", defaultValue: $0, userDefaults: store)
      }
      return { _ in
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          let setting = settings[thread]
          for _ in 0..<100_000 { blackHole(setting.wrappedValue) }
        }
      }
    }
  }
  row(
    "saved store: 100,000 reads in each of two threads", .init(keys: 1000),
    [side("ours", threads: 2), side("one thread", threads: 1)])
}

/// A write, as long as it keeps the writing thread. Each changes the value: to write what is there
/// already costs Foundation nothing.
func write<T>(_ name: String, _ value: T, _ other: T, _ rivals: Accessor<T>...) {
  let sides = ([.ours] + rivals).map { accessor in
    Side(accessor.name) { suite in
      let setting = accessor.open(suite, value)
      return { number in setting.write(number.isMultiple(of: 2) ? value : other) }
    }
  }
  // What ours is still saving must not slow its rivals.
  row("write \(name)", .init(calls: 1000, settle: { try! $0.flush() }), sides)
}

/// Changes, until they are on disk.
func save(_ name: String, changes: Int, keys: Int) {
  var sides = [
    saving("ours", .ours, changes, afterAll: { try! $0.flush() }),
    saving("set + synchronize()", .rawSet, changes, afterAll: { $0.synchronize() }),
  ]
  if changes > 1 {
    sides.append(
      saving("synchronize() after each", .rawSet, changes, afterEach: { $0.synchronize() }))
  }
  // What one side has changed the other's `synchronize()` would save once more.
  rowOfRounds(name, .init(keys: keys), sides)
}

private func saving(
  _ name: String, _ accessor: Accessor<Int>, _ changes: Int,
  afterEach: @escaping (UserDefaults) -> Void = { _ in },
  afterAll: @escaping (UserDefaults) -> Void = { _ in }
) -> Side {
  Side(name) { suite in
    let setting = accessor.open(suite, 0)
    var value = 0
    return { _ in
      for _ in 0..<changes {
        value += 1
        setting.write(value)
        afterEach(suite)
      }
      afterAll(suite)
    }
  }
}
