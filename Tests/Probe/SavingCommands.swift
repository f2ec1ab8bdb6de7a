import Dispatch
import Foundation
import Observation
import TypedDefaults

/// `Probe saving`, followed by what to do, step by step, in the form `name` or `name:argument`.
enum SavingCommands {
  static func run(_ steps: ArraySlice<String>) {
    // Loaded by the first step that uses it.
    var userDefaults: () -> UserDefaults = { ProbeStore.standard }
    for step in steps {
      let parts = step.split(separator: ":", maxSplits: 1).map(String.init)
      let argument = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "suite":
        userDefaults = {
          argument.isEmpty ? ProbeStore.otherStandard : ProbeStore.suite(argument)
        }
      case "foundation": userDefaults = { .standard }
      case "saved": userDefaults = { .saved }
      case "subclass": userDefaults = { PlainSubclass() }
      default: take(parts[0], argument, userDefaults)
      }
    }
  }

  static func take(
    _ step: String, _ argument: String, _ chosen: () -> UserDefaults
  ) {
    var userDefaults: UserDefaults { chosen() }
    func assignment() -> (key: UserDefaults.Key<String>, value: String) {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      return (.init(name: parts[0]), parts[1])
    }
    switch step {
    // What programs do with settings.
    case "set": userDefaults.set(assignment().value, for: assignment().key)
    case "get": say(userDefaults.value(for: UserDefaults.Key<String>(name: argument)) ?? "nil")
    case "remove": userDefaults.removeValue(for: UserDefaults.Key<String>(name: argument))
    case "fill": for i in 0..<Int(argument)! { userDefaults.set(i, for: .init(name: "key\(i)")) }
    case "flush": flush(userDefaults)
    // On a busy machine it may wait in vain for other processes.
    case "flush-until-saved": while (try? userDefaults.flush()) == nil {}
    case "flush-in-lock": flushInLock(userDefaults)
    case "flush-forever": flushForever(userDefaults)
    case "synchronize-forever": synchronizeForever(userDefaults)
    case "move-forever": moveForever(userDefaults)
    case "write": write(prefix: argument, userDefaults)
    case "read-at-once": readAtOnce(expecting: argument)
    case "write-while-saving": writeWhileSaving(userDefaults)
    case "write-from-threads": writeFromThreads(userDefaults)
    case "count-from-threads": countFromThreads(userDefaults)
    case "poison": userDefaults.set(Poison(), for: .init(name: argument))
    case "set-large":
      userDefaults.set(String(repeating: "x", count: Int(argument)!), for: "large")

    // What plain Foundation programs do with them.
    case "raw-set": userDefaults.set(assignment().value, forKey: assignment().key.name)
    case "raw-remove": userDefaults.removeObject(forKey: argument)
    case "raw-write": for i in 0..<200 { userDefaults.set(i, forKey: "\(argument)\(i)") }
    case "raw-get": say(userDefaults.string(forKey: argument) ?? "nil")
    case "raw-poison": userDefaults.set(["CF$UID": 1], forKey: argument)
    case "raw-remove-all":
      userDefaults.removePersistentDomain(forName: ProcessInfo.processInfo.processName)
    case "synchronize": _ = userDefaults.synchronize()
    case "print-synchronize": say(userDefaults.synchronize())

    // What happens to them.
    case "print": say(argument)
    case "wait":
      // Not by `readLine()`, for whose lock `exit` waits in newer C libraries.
      _ = try? FileHandle.standardInput.read(upToCount: 1)
    case "sleep-milliseconds": usleep(UInt32(argument)! * 1000)
    case "sleep": while true { sleep(1) }
    case "set-home": setenv("XDG_CONFIG_HOME", argument, 1)
    case "set-at-exit": setAtExit()
    case "print-issues": DefaultsIssue.setHandler { say($0) }
    case "exit-at-issue": DefaultsIssue.setHandler { _ in exit(7) }
    case "set-at-exit-many": setAtExitManyTimes()
    case "set-at-issue":
      DefaultsIssue.setHandler {
        say($0)
        ProbeStore.standard.set("set", for: "at issue")
      }
    case "wait-for": waitFor(assignment().key, assignment().value, userDefaults)

    // How they end.
    case "exit": exit(0)
    case "exit-in-thread":
      Thread { exit(0) }.start()
      while true { sleep(1) }
    case "exit-on-queue":
      DispatchQueue(label: "exit").async { exit(0) }
      dispatchMain()
    case "exit-while-starved": exitWhileStarved()
    case "exit-in-lock": exitInLock(userDefaults)
    case "exit-in-task":
      Task { exit(0) }
      dispatchMain()
    case "exit-in-observer": exitInObserver(userDefaults)
    case "exit-at-undecodable":
      DefaultsIssue.setHandler { _ in exit(7) }
      userDefaults.set(Data(), forKey: "bytes")
      _ = userDefaults.value(for: UserDefaults.Key<Int>("bytes"))
    case "fatal-error": fatalError("as the test asked for")
    case "stop": kill(getpid(), SIGKILL)
    default:
      #if os(Linux)
        if SystemCommands.take(step, argument, userDefaults) { return }
      #endif
      guard ExclusiveCommands.take(step, argument, userDefaults) else {
        fatalError("no such step: \(step)")
      }
    }
  }

  private static func flush(_ userDefaults: UserDefaults) {
    do {
      try userDefaults.flush()
      say("flushed")
    } catch {
      say(error)
    }
  }

  private static func flushInLock(_ userDefaults: UserDefaults) {
    @WrappedDefault("count", userDefaults: userDefaults) var count = 0
    $count.withLock {
      $0 += 1
      flush(userDefaults)
    }
    flush(userDefaults)
  }

  /// Each number is printed once it is saved. The last twenty are in the file.
  private static func flushForever(_ userDefaults: UserDefaults) {
    for i in 0... {
      userDefaults.set(i, for: .init(name: "number\(i % 20)"))
      try! userDefaults.flush()
      say(i)
    }
  }

  /// The same by raw calls.
  private static func synchronizeForever(_ userDefaults: UserDefaults) {
    for i in 0... {
      userDefaults.set(i, forKey: "number\(i % 20)")
      guard userDefaults.synchronize() else { fatalError("not saved") }
      say(i)
    }
  }

  /// Moves one setting up and another down by the same, in transactions.
  private static func moveForever(_ userDefaults: UserDefaults) {
    let (left, right) = ("left" as UserDefaults.Key<Int>, "right" as UserDefaults.Key<Int>)
    let first = userDefaults.value(for: left) ?? 0
    for i in (first + 1)... {
      userDefaults.transaction {
        userDefaults.set(i, for: left)
        userDefaults.set(-i, for: right)
      }
      if i == first + 1 { flush(userDefaults) }
    }
  }

  private static func write(prefix: String, _ userDefaults: UserDefaults) {
    for i in 0..<50 {
      userDefaults.set(i, for: .init(name: "\(prefix)\(i)"))
      // On a busy machine it may wait in vain for other processes.
      if prefix.hasPrefix("flushed") { while (try? userDefaults.flush()) == nil {} }
    }
  }

  private static func readAtOnce(expecting value: String) {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let read = ProbeStore.standard.value(for: UserDefaults.Key<String>("first"))
      if read != value { say("read \(read ?? "nil")") }
    }
  }

  /// A thread that writes in a tight loop; meanwhile the file must change, again and again.
  private static func writeWhileSaving(_ userDefaults: UserDefaults) {
    let path = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]! + "/Probe.plist"
    var seen: Set<Data> = []
    var number = 0
    while seen.count < 10 {
      for _ in 0..<100 {
        number += 1
        userDefaults.set(number, for: "number")
      }
      if let data = FileManager.default.contents(atPath: path) { seen.insert(data) }
    }
    say(number)
  }

  private static func writeFromThreads(_ userDefaults: UserDefaults) {
    nonisolated(unsafe) let userDefaults = userDefaults
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      @WrappedDefault("count", userDefaults: userDefaults) var count = 0
      @WrappedDefault("last", userDefaults: userDefaults) var last = 0
      for i in 0..<100 {
        $count.withLock { $0 += 1 }
        userDefaults.set(i, for: .init(name: "thread\(thread)"))
        last = i
        if i % 10 == thread { while (try? userDefaults.flush()) == nil {} }
      }
    }
    say(userDefaults.integer(forKey: "last"))
  }

  private static func countFromThreads(_ userDefaults: UserDefaults) {
    nonisolated(unsafe) let userDefaults = userDefaults
    let count: @Sendable () -> Void = {
      @WrappedDefault("count", userDefaults: userDefaults) var count = 0
      for _ in 0..<200 { $count.withLock { $0 += 1 } }
    }
    // First by a thread that is younger than the daemon: for what another thread is about to initialize, the
    // runtime makes the older one wait forever.
    let isInitialized = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      count()
      try? userDefaults.flush()
      isInitialized.signal()
    }
    isInitialized.wait()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in count() }
    say(userDefaults.integer(forKey: "count"))
  }

  private static func setAtExit() {
    atexit {
      ProbeStore.standard.set("set", for: "at exit")
    }
  }

  private static func exitWhileStarved() {
    for _ in 0..<1000 { DispatchQueue.global().async { while true { sleep(1) } } }
    DispatchQueue.main.async { exit(0) }
    dispatchMain()
  }

  private static func exitInLock(_ userDefaults: UserDefaults) {
    @WrappedDefault("count", userDefaults: userDefaults) var count = 0
    $count.withLock { _ in exit(0) }
  }

  private static func exitInObserver(_ userDefaults: UserDefaults) {
    @WrappedDefault("count", userDefaults: userDefaults) var count = 0
    withObservationTracking {
      _ = count
    } onChange: {
      exit(0)
    }
    count = 1
  }

  private static func setAtExitManyTimes() {
    for _ in 0..<5 {
      atexit {
        ProbeStore.standard.set("first", for: "at exit")
        ProbeStore.standard.set("set", for: "at exit")
      }
    }
  }

  /// Reads until there is a value, or ten seconds have passed, and prints it.
  private static func waitFor(
    _ key: UserDefaults.Key<String>, _ value: String, _ userDefaults: UserDefaults
  ) {
    let end = ContinuousClock.now + .seconds(10)
    while userDefaults.value(for: key) != value, ContinuousClock.now < end { usleep(200) }
    say(userDefaults.value(for: key) ?? "nil")
  }

  /// Prints a line, which is read at once.
  static func say(_ line: Any) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// A store that saves in a way of its own.
private final class PlainSubclass: UserDefaults {
  init() { super.init(suiteName: "subclass")! }
  override func synchronize() -> Bool { true }
}

/// A value with a form that makes a property list unreadable.
private struct Poison: UserDefaultsSerializable {
  struct Reference: PropertyListValue {
    func propertyListObject() -> Any { ["CF$UID": 1] }
    init() {}
    init?(propertyListObject object: Any) {}
  }

  init() {}
  var storedValue: Reference { Reference() }
  init?(storedValue: Reference) {}
}
