import Foundation
import Synchronization
import TypedDefaults

/// `Probe former threads|cycle|reader memory|suite|saved SECONDS`, and `Probe former mover suite|saved`: a
/// setting is read while its value moves between its key and its former key.
enum MovingKeyCommands {
  static func run(_ arguments: [String]) {
    let store = store(arguments[1])
    let seconds = arguments.count > 2 ? Double(arguments[2])! : .infinity
    let end = seconds.isFinite ? ContinuousClock.now + .seconds(seconds) : nil
    let isGoingOn: @Sendable () -> Bool = { end.map { ContinuousClock.now < $0 } ?? true }
    switch arguments[0] {
    case "threads": readWhileAnotherThreadMoves(store, isGoingOn)
    case "reader": read(store, isGoingOn)
    case "mover": move(store, isGoingOn)
    case "cycle": assignBoth(store, isGoingOn)
    case let unknown: fatalError("no such command: \(unknown)")
    }
  }

  private static func store(_ kind: String) -> UserDefaults {
    switch kind {
    case "memory": .inMemory()
    case "suite": UserDefaults(suiteName: "suite")!
    case "saved": .saved(suiteName: "suite")
    default: fatalError("no such store: \(kind)")
    }
  }

  private static func makeSetting(_ store: UserDefaults) -> WrappedDefault<Int> {
    WrappedDefault(wrappedValue: -1, "volume", formerly: "level", userDefaults: store)
  }

  /// Moves a growing value there and back. One of the two keys always has it.
  private static func move(_ shared: UserDefaults, _ isGoingOn: () -> Bool) {
    move(shared, from: 1, isGoingOn: isGoingOn, willBe: { _ in }, didBecome: { _ in })
  }

  private static func move(
    _ store: UserDefaults, from first: Int, isGoingOn: () -> Bool,
    willBe: (Int) -> Void, didBecome: (Int) -> Void
  ) {
    let setting = makeSetting(store)
    let (own, former) = (UserDefaults.Key<Int>("volume"), UserDefaults.Key<Int>("level"))
    var value = first
    store.set(value, for: former)
    try! store.flush()
    say("moving")
    while isGoingOn() {
      willBe(value + 1)
      value += 1
      setting.wrappedValue = value
      didBecome(value)
      // As an older version of the program does.
      store.transaction {
        store.set(value, for: former)
        store.removeValue(for: own)
      }
    }
  }

  private static func readWhileAnotherThreadMoves(
    _ store: UserDefaults, _ isGoingOn: @escaping @Sendable () -> Bool
  ) {
    nonisolated(unsafe) let store = store
    let atLeast = Atomic(1)
    let atMost = Atomic(1)
    store.set(1, for: UserDefaults.Key<Int>("level"))
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        move(
          store, from: 1, isGoingOn: isGoingOn,
          willBe: { atMost.store($0, ordering: .sequentiallyConsistent) },
          didBecome: { atLeast.store($0, ordering: .sequentiallyConsistent) })
        return
      }
      let setting = makeSetting(store)
      let key = UserDefaults.Key<Int>(name: "volume", formerly: "level")
      var number = 0
      while isGoingOn() {
        number += 1
        let least = atLeast.load(ordering: .sequentiallyConsistent)
        switch number % 8 {
        case 0: check(setting.isStored, "not stored")
        case 1: check(setting.source == .stored, "not from the store")
        default:
          let value = number.isMultiple(of: 2) ? setting.wrappedValue : store.value(for: key)
          let most = atMost.load(ordering: .sequentiallyConsistent)
          check((least...most).contains(value ?? -1), "\(value ?? -1) of \(least) to \(most)")
        }
      }
    }
    finish()
  }

  /// What other processes store is at least never nothing, and never older than it was.
  private static func read(_ store: UserDefaults, _ isGoingOn: () -> Bool) {
    let setting = makeSetting(store)
    var last = 1
    while isGoingOn() {
      let value = setting.wrappedValue
      check(value >= last, "\(value) after \(last)")
      last = value
      check(setting.isStored, "not stored")
    }
    check(last > 1, "nothing has been heard")
    finish()
  }

  /// Two settings that name each other as their former keys.
  private static func assignBoth(
    _ store: UserDefaults, _ isGoingOn: @escaping @Sendable () -> Bool
  ) {
    DefaultsIssue.setHandler { _ in }
    let settings = [
      WrappedDefault(wrappedValue: 0, "first", formerly: "second", userDefaults: store),
      WrappedDefault(wrappedValue: 0, "second", formerly: "first", userDefaults: store),
    ]
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      var value = 0
      while isGoingOn() {
        value += 1
        settings[thread].wrappedValue = value
      }
    }
  }

  private static func check(_ isRight: Bool, _ message: @autoclosure () -> String) {
    if isRight { return }
    print("wrong:", message())
    exit(1)
  }

  private static func finish() { print("no wrong value") }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
