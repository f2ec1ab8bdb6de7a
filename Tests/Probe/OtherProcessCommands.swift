import Foundation
import Observation
import Synchronization
import TypedDefaults

/// `Probe listening [SUITE]`: does what each line of its input says, until there is none, and prints
/// what it hears.
///
/// Times are those of a clock that is the same in all processes, in microseconds, and come last.
enum OtherProcessCommands {
  static func run(_ arguments: ArraySlice<String>) {
    // Not to standard error, which is a file, and files are what some tests make fail.
    DefaultsIssue.setHandler { issue in
      switch issue.kind {
      case .saveFailed: say("not saved")
      case .savedAgain: say("saved again")
      case .damagedFile: say("damaged", now())
      default: say(issue)
      }
    }
    let program = Program(suite: arguments.first)
    while let line = readLine() {
      program.obey(line.split(separator: " ").map(String.init))
    }
  }

  /// Prints a line, which is read at once.
  static func say(_ words: Any...) {
    let line = words.map { "\($0)" }.joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }

  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }
}

/// A setting of each kind.
///
/// Unchecked because `UserDefaults`, though its documentation calls it thread-safe, is not declared so.
private struct Settings: @unchecked Sendable {
  let userDefaults: UserDefaults
  @WrappedDefault<Int> var withDefault: Int
  @WrappedDefaultOptional<Int> var optional: Int?

  init(_ userDefaults: UserDefaults) {
    self.userDefaults = userDefaults
    _withDefault = WrappedDefault(
      keyName: "withDefault", defaultValue: -1, userDefaults: userDefaults)
    _optional = WrappedDefaultOptional(keyName: "optional", userDefaults: userDefaults)
  }

  func read(_ key: String) -> Int? {
    switch key {
    case "withDefault": withDefault
    case "optional": optional
    default: userDefaults.value(for: UserDefaults.Key<Int>(name: key))
    }
  }

  func write(_ value: Int?, to key: String) {
    switch (key, value) {
    case ("withDefault", let value?): withDefault = value
    case ("withDefault", nil): $withDefault.reset()
    case ("optional", let value): optional = value
    case (_, let value): userDefaults.set(value, for: UserDefaults.Key<Int>(name: key))
    }
  }

  /// Calls the body with each value that a listener hears.
  func listen(to key: String, _ body: @escaping @Sendable (Int?) -> Void) {
    switch key {
    case "withDefault":
      let updates = $withDefault.updates
      Task { for await value in updates { body(value) } }
    case "optional":
      let updates = $optional.updates
      Task { for await value in updates { body(value) } }
    default:
      let updates = userDefaults.updates(for: UserDefaults.Key<Int>(name: key))
      Task { for await value in updates { body(value) } }
    }
  }
}

private final class Program: Sendable {
  private let settings: Settings
  private let heard = Mutex<[String: Int?]>([:])

  init(suite: String?) {
    settings = Settings(suite.map(ProbeStore.suite) ?? ProbeStore.standard)
  }

  func obey(_ words: [String]) {
    let (command, arguments) = (words[0], Array(words.dropFirst()))
    switch command {
    case "listen": listen(to: arguments[0])
    case "observe": observe(arguments[0], "observing")
    case "observe-samples": observeSamples()
    case "set": settings.write(Int(arguments[1])!, to: arguments[0])
    case "raw-set": settings.userDefaults.set(Int(arguments[1])!, forKey: arguments[0])
    case "raw-remove": settings.userDefaults.removeObject(forKey: arguments[0])
    case "remove": settings.write(nil, to: arguments[0])
    case "flush": flush()
    case "save": save(Int(arguments[1]), to: arguments[0])
    case "declare": declare(arguments[0], withDefault: Int(arguments[1])!)
    case "poll": poll(arguments[0], until: Int(arguments[1]))
    case "collect": collect(arguments[0], until: Int(arguments[1]))
    #if os(Linux)
      case "rest": rest(for: Double(arguments[0])!)
      case "limit-file-size": SystemCommands.limitFileSize(Int(arguments[0])!)
    #endif
    case "save-forever": saveForever()
    case "churn": churn(arguments[0], among: Array(arguments[2...]), for: Double(arguments[1])!)
    case "settle": settle(as: arguments[0])
    case "state": showState()
    default: fatalError("no such command: \(command)")
    }
  }

  private func show(_ value: Int?) -> String { value.map(String.init) ?? "nil" }

  // MARK: Hearing

  private func listen(to key: String) {
    settings.listen(to: key) { [self] value in
      heard.withLock { $0[key] = .some(value) }
      OtherProcessCommands.say("heard", key, show(value), OtherProcessCommands.now())
    }
  }

  private func observe(_ key: String, _ word: String) {
    let value = withObservationTracking {
      settings.read(key)
    } onChange: { [self] in
      observe(key, "observed")
    }
    OtherProcessCommands.say(word, key, show(value), OtherProcessCommands.now())
  }

  /// Values of every type, and one that a file does not hold exactly.
  private func observeSamples() {
    let userDefaults = settings.userDefaults
    let samples = extremeSamples() + [Sample("fraction", Date(timeIntervalSinceReferenceDate: 0.5))]
    for sample in samples { sample.write(userDefaults) }
    try! userDefaults.flush()
    for sample in samples {
      withObservationTracking {
        _ = sample.problem(userDefaults)
      } onChange: { [key = sample.key] in
        OtherProcessCommands.say("observed", key)
      }
    }
    OtherProcessCommands.say("observing", samples.count)
  }

  /// Reads until there is a value, and shows each different one on the way.
  private func poll(_ key: String, until last: Int?) {
    var value = settings.read(key)
    OtherProcessCommands.say("read", key, show(value), OtherProcessCommands.now())
    while value != last {
      let next = settings.read(key)
      if next != value {
        value = next
        OtherProcessCommands.say("read", key, show(value), OtherProcessCommands.now())
      }
      usleep(200)
    }
  }

  /// Reads without a pause until there is a value, and shows all that there were.
  private func collect(_ key: String, until last: Int?) {
    OtherProcessCommands.say("collecting")
    var values: Set<Int?> = []
    while !values.contains(last) { values.insert(settings.read(key)) }
    OtherProcessCommands.say("collected", values.map(show).sorted().joined(separator: ","))
  }

  /// Registers a default, as another part of the program.
  private func declare(_ key: String, withDefault value: Int) {
    _ = WrappedDefault(keyName: key, defaultValue: value, userDefaults: settings.userDefaults)
  }

  // MARK: Writing

  private func flush() {
    do {
      try settings.userDefaults.flush()
      OtherProcessCommands.say("flushed")
    } catch {
      OtherProcessCommands.say("not flushed")
    }
  }

  /// Shows the times before the change, and when it was saved.
  private func save(_ value: Int?, to key: String) {
    let start = OtherProcessCommands.now()
    settings.write(value, to: key)
    try! settings.userDefaults.flush()
    OtherProcessCommands.say("saved", start, OtherProcessCommands.now())
  }

  /// Saves one change after the other, until it is ended from without.
  private func saveForever() {
    for value in 0... {
      settings.write(value, to: "typed")
      try! settings.userDefaults.flush()
    }
  }

  // MARK: Costs

  #if os(Linux)
    private func rest(for seconds: Double) {
      func usage() -> (microseconds: Int, switches: Int) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return (times.map { $0.tv_sec * 1_000_000 + Int($0.tv_usec) }.reduce(0, +), usage.ru_nvcsw)
      }
      let before = usage()
      Thread.sleep(forTimeInterval: seconds)
      let after = usage()
      OtherProcessCommands.say(
        "rested", after.microseconds - before.microseconds, after.switches - before.switches)
    }
  #endif

  // MARK: Many at once

  private static let shared = ["withDefault", "optional", "shared1", "shared2"]

  /// Listens to its own key, the others' and those that all share, and writes its own and the shared
  /// ones.
  private func churn(_ own: String, among others: [String], for seconds: Double) {
    for key in others + Self.shared {
      settings.listen(to: key) { [self] value in heard.withLock { $0[key] = .some(value) } }
    }
    let end = OtherProcessCommands.now() + Int(seconds * 1e6)
    var (count, lost) = (0, 0)
    while OtherProcessCommands.now() < end {
      if Bool.random() {
        // Nobody else writes it.
        if count > 0, settings.read(own) != count { lost += 1 }
        count += 1
        settings.write(count, to: own)
      } else {
        let value = Int.random(in: 0..<10) == 0 ? nil : Int.random(in: 0..<1_000_000)
        settings.write(value, to: Self.shared.randomElement()!)
      }
      usleep(.random(in: 0..<10_000))
    }
    while (try? settings.userDefaults.flush()) == nil {}
    OtherProcessCommands.say("stopped", own, count, lost)
  }

  private func state(_ value: (String) -> Int?) -> String {
    heard.withLock { $0.keys }.sorted().map { "\($0)=\(show(value($0)))" }.joined(separator: ",")
  }

  private var lastHeard: String { state { key in heard.withLock { $0[key]! } } }

  /// Waits, though not for long, until reads and listeners have come to what is expected.
  private func settle(as expected: String) {
    let end = OtherProcessCommands.now() + 5_000_000
    while state(settings.read) != expected || lastHeard != expected,
      OtherProcessCommands.now() < end
    {
      usleep(1000)
    }
    showState()
  }

  private func showState() {
    OtherProcessCommands.say("state", state(settings.read), lastHeard)
  }
}
