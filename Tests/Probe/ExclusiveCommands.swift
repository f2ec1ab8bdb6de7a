import Dispatch
import Foundation
import TypedDefaults

/// Steps of `Probe saving` that no other process comes between.
enum ExclusiveCommands {
  /// - Returns: Whether there is such a step.
  static func take(_ step: String, _ argument: String, _ userDefaults: UserDefaults) -> Bool {
    switch step {
    case "count": count(Int(argument)!, userDefaults)
    case "count-in-threads":
      nonisolated(unsafe) let userDefaults = userDefaults
      DispatchQueue.concurrentPerform(iterations: 4) { _ in count(Int(argument)!, userDefaults) }
    case "move-exclusively": moveForever(userDefaults)
    case "exclusively": exclusively(argument, userDefaults)
    case "exclusively-nothing": attempt { try userDefaults.exclusively {} }
    case "exclusively-other": inside(ProbeStore.suite(argument), userDefaults)
    case "exclusively-wait":
      attempt {
        try userDefaults.exclusively {
          say("inside")
          _ = readLine()
          userDefaults.set(argument, for: "waited")
        }
      }
    case "exclusively-exit": exitInside(settingBeside: argument, userDefaults)
    case "exclusively-each":
      setEach(Int(argument)!, userDefaults) { set in try userDefaults.exclusively { set() } }
    case "flush-each":
      setEach(Int(argument)!, userDefaults) { set in
        set()
        try userDefaults.flush()
      }
    default: return false
    }
    return true
  }

  private static func count(_ number: Int, _ userDefaults: UserDefaults) {
    @WrappedDefault("count", userDefaults: userDefaults) var count = 0
    @WrappedDefault("list", userDefaults: userDefaults) var list: [Int] = []
    for i in 0..<number {
      attempt {
        try userDefaults.exclusively {
          count += 1
          list.append(i)
        }
      }
    }
  }

  /// Prints each number that is saved.
  private static func moveForever(_ userDefaults: UserDefaults) {
    let (left, right) = ("left" as UserDefaults.Key<Int>, "right" as UserDefaults.Key<Int>)
    for i in 1... {
      let move = {
        userDefaults.set((userDefaults.value(for: left) ?? 0) + 1, for: left)
        userDefaults.set((userDefaults.value(for: right) ?? 0) - 1, for: right)
      }
      // On a busy machine it may wait in vain for the others.
      while (try? userDefaults.exclusively(move)) == nil {}
      say(i)
    }
  }

  /// Changes settings before, inside and in a transaction inside.
  private static func exclusively(_ value: String, _ userDefaults: UserDefaults) {
    let (before, inside) = (
      "before" as UserDefaults.Key<String>, "inside" as UserDefaults.Key<String>
    )
    userDefaults.set(value, for: before)
    attempt {
      try userDefaults.exclusively {
        userDefaults.set(value, for: inside)
        if value == "throw" { throw CancellationError() }
        userDefaults.transaction { userDefaults.set(value, for: "nested") }
      }
    }
    say(userDefaults.value(for: inside) ?? "nil")
  }

  /// - Parameter key: A setting that another thread changes meanwhile; empty if none does.
  private static func exitInside(settingBeside key: String, _ userDefaults: UserDefaults) {
    nonisolated(unsafe) let userDefaults = userDefaults
    try? userDefaults.exclusively {
      userDefaults.set("lost", for: "inside")
      if !key.isEmpty {
        let isSet = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          userDefaults.set("1", for: .init(name: key))
          isSet.signal()
        }
        isSet.wait()
      }
      exit(0)
    }
  }

  private static func inside(_ other: UserDefaults, _ userDefaults: UserDefaults) {
    attempt {
      try userDefaults.exclusively {
        userDefaults.set("1", for: "outer")
        say("inside")
        _ = readLine()
        try other.exclusively { other.set("1", for: "inner") }
      }
    }
  }

  /// Changes a setting several times, each time to be saved.
  private static func setEach(
    _ number: Int, _ userDefaults: UserDefaults, _ save: (() -> Void) throws -> Void
  ) {
    for i in 0..<number {
      attempt { try save { userDefaults.set(i, for: "measured" as UserDefaults.Key<Int>) } }
    }
  }

  private static func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      say(error)
    }
  }

  /// Prints a line, which is read at once.
  private static func say(_ line: Any) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
