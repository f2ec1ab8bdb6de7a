import Dispatch
import EtcdDefaults
import Foundation
import RemoteDefaults
import TypedDefaults

/// One machine of a fleet: `FleetProbe URL,URL PREFIX COMMAND …`.
@main
enum FleetProbe {
  static func main() async throws {
    let words = CommandLine.arguments
    let endpoints = words[1].split(separator: ",").map { URL(string: String($0))! }
    let options = EtcdOptions(endpoints: endpoints, prefix: words[2])
    nonisolated(unsafe) let store = try await EtcdDefaults.open(options, within: .seconds(20))
    switch words[3] {
    case "increment": increment(store, times: Int(words[4])!)
    case "write": write(store, as: words[4])
    case "move": move(store, times: Int(words[4])!)
    case "listen": await listen(store)
    case "quit": quit(store, by: words[4])
    case "clock": clock(store, step: words[4])
    case "soak": Soak(store, words[4]).run(with: words[5].split(separator: ",").map(String.init))
    default: fatalError("\(words)")
    }
  }

  /// Ends right after many changes.
  private static func quit(_ store: RemoteDefaults, by end: String) {
    if end == "release" {
      let options = EtcdOptions(
        endpoints: CommandLine.arguments[1].split(separator: ",").map { URL(string: String($0))! },
        prefix: CommandLine.arguments[2])
      let other = try? EtcdDefaults.open(options, within: .seconds(20)) as RemoteDefaults
      for index in 0..<400 { other?.set(index, forKey: "\(end)\(index)") }
      return
    }
    for index in 0..<400 { store.set(index, forKey: "\(end)\(index)") }
    if end == "exit" { exit(0) }
  }

  /// Answers a question, after a step of the wall clock.
  private static func clock(_ store: RemoteDefaults, step: String) {
    say("ready")
    let before = Date()
    setenv("CLOCK_STEP", step, 1)
    precondition(abs(before.timeIntervalSinceNow) > 3000)
    while store.object(forKey: "question") as? Int != Int(step) { usleep(1000) }
    WrappedDefault(wrappedValue: 0, "answer", userDefaults: store).withLock { $0 = Int(step)! }
    say((try? store.flush()) == nil ? "not flushed" : "done")
  }

  private static func say(_ text: some Any) {
    print(text)
    fflush(nil)
  }

  private static func increment(_ store: UserDefaults, times: Int) {
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    for _ in 0..<times { count.withLock { $0 += 1 } }
    say("done")
  }

  /// Sets as many settings as it is told, each confirmed before the next, again and again. Once it is told
  /// what to expect, it says what it sees.
  private static func write(_ store: RemoteDefaults, as name: String) {
    say("ready")
    var index = 0
    while let line = readLine() {
      guard let count = Int(line) else { return wait(for: line, in: store) }
      for _ in 0..<count {
        store.set("\(index) of \(name)", forKey: "\(name).\(index)")
        store.set("\(index) of \(name)", forKey: "shared")
        while (try? store.flush()) == nil { usleep(10_000) }
        index += 1
      }
      say("confirmed")
    }
  }

  private static func wait(for expected: String, in store: RemoteDefaults) {
    let deadline = Date() + 30
    while digest(store) != expected, Date() < deadline { usleep(20_000) }
    say(digest(store))
  }

  private static func digest(_ store: RemoteDefaults) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    let objects = store.dictionaryRepresentation()
    for key in objects.keys.sorted() {
      for byte in "\(key)=\(objects[key]!);".utf8 {
        hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
      }
    }
    return "\(objects.count) \(hash)"
  }

  /// Moves a token from one setting to another, again and again.
  private static func move(_ store: UserDefaults, times: Int) {
    for index in 1...times {
      store.transaction {
        store.set(index, for: "left")
        store.set(-index, for: "right")
      }
      // Otherwise many transactions are one commit.
      if index % 5 == 0 { try? store.flush() }
    }
    try? store.flush()
    say("done")
  }

  /// Says how many microseconds ago each value was set that it hears of.
  private static func listen(_ store: UserDefaults) async {
    let updates = store.updates(for: "clock" as UserDefaults.Key<Int>)
    say("ready")
    for await time in updates {
      guard let time else { continue }
      if time == 0 { return }
      say((Int(DispatchTime.now().uptimeNanoseconds) - time) / 1000)
    }
  }
}
