import Foundation
import TypedDefaults

/// `Probe measure-saving`, in a release build: what saving costs, and what it costs with Foundation
/// alone. The figures are for comparison with each other.
enum SavingMeasurements {
  static func run(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    switch arguments.first {
    case nil: runAll()
    case "write"?: print(writes(arguments[1], keys: Int(arguments[2])!))
    case "flush"?: print(flushes(keys: Int(arguments[1])!))
    case let unknown?: fatalError("no such measurement: \(unknown)")
    }
  }

  private static func runAll() {
    for keys in [10, 1000] {
      print("1,000 writes to \(keys) keys")
      // Of a process that does nothing else.
      let start = process("write", "nothing", "\(keys)").elapsed
      let results = ["bare set", "set and synchronize", "typed"].map {
        ($0, process("write", $0, "\(keys)"))
      }
      for (name, result) in results {
        print(
          "  \(name): writing thread \(result.output) ms, with exit \(result.elapsed - start) ms")
      }
    }
    for keys in [10, 1000, 10000] {
      print("one flush after one change, \(keys) keys: \(process("flush", "\(keys)").output)")
    }
  }

  /// The best of five runs.
  private static func process(_ arguments: String...) -> (output: String, elapsed: Double) {
    (0..<5).map { _ in
      let folder = NSTemporaryDirectory() + "TypedDefaultsMeasurement-\(UUID())"
      try! FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      defer { try! FileManager.default.removeItem(atPath: folder) }
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
      process.arguments = ["measure-saving"] + arguments
      process.environment = ["XDG_CONFIG_HOME": folder]
      process.standardOutput = output
      var data = Data()
      let elapsed = milliseconds {
        try! process.run()
        // Its end.
        data = try! output.fileHandleForReading.readToEnd()!
      }
      process.waitUntilExit()
      return (String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines), elapsed)
    }.min { $0.elapsed < $1.elapsed }!
  }

  private static func milliseconds(_ body: () -> Void) -> Double {
    let elapsed = ContinuousClock().measure(body)
    return (elapsed / .microseconds(1)).rounded() / 1000
  }

  private static func writes(_ way: String, keys: Int) -> Double {
    let userDefaults = UserDefaults.standard
    _ = userDefaults.value(for: UserDefaults.Key<Int>("none"))
    return milliseconds {
      for i in 0..<1000 {
        let key = "key\(i % keys)"
        switch way {
        case "typed": userDefaults.set(i, for: .init(name: key))
        case "bare set": userDefaults.set(i, forKey: key)
        case "set and synchronize":
          userDefaults.set(i, forKey: key)
          userDefaults.synchronize()
        default: break
        }
      }
    }
  }

  private static func flushes(keys: Int) -> String {
    let library = UserDefaults(suiteName: "library")!
    let foundation = UserDefaults(suiteName: "foundation")!
    for i in 0..<keys {
      library.set("value \(i)", for: .init(name: "key\(i)"))
      foundation.set("value \(i)", forKey: "key\(i)")
    }
    try! library.flush()
    foundation.synchronize()
    func best(_ change: (Int) -> Void, _ save: () -> Void) -> Double {
      (0..<20).map { i in
        // After a rest, as it were.
        usleep(50_000)
        change(i)
        return milliseconds(save)
      }.min()!
    }
    let flush = best({ library.set($0, for: "key0") }, { try! library.flush() })
    let synchronize = best(
      { foundation.set($0, forKey: "key0") }, { foundation.synchronize() })
    return "flush \(flush) ms, synchronize \(synchronize) ms"
  }
}
