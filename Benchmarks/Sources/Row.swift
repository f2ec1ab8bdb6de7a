import Benchmark
import Foundation

/// What a row of the table compares: ours, or one of its rivals.
struct Side {
  let name: String

  /// Whether it is given a saved store in place of the suite of Foundation's that the others share.
  let isSaved: Bool

  /// Prepares a suite, and returns the call that is measured, which is given its number.
  let prepare: (UserDefaults) -> (Int) -> Void

  init(
    _ name: String, isSaved: Bool = false, prepare: @escaping (UserDefaults) -> (Int) -> Void
  ) {
    self.name = name
    self.isSaved = isSaved
    self.prepare = prepare
  }

  fileprivate var metric: BenchmarkMetric {
    // The tool's export leaves spaces out.
    .custom(name.replacing(" ", with: "~"), useScalingFactor: false)
  }
}

/// How a row is measured.
struct Measurement {
  /// How many calls are timed together, so that the clock's own cost does not show.
  var calls = 1

  /// How many keys the file of a suite holds beforehand.
  var keys = 10

  /// Whether a suite serves for one measurement only.
  var isInFreshSuites = false

  var maximumDuration = Duration.seconds(2)

  /// Done after each measurement, and not measured.
  var settle: (UserDefaults) -> Void = { _ in }
}

/// Adds a row to the table. The time of one call is recorded, in nanoseconds.
///
/// The sides are measured by turns, so that what slows the machine for a while slows them all. They
/// share a suite, and its key if they can, because the time of a look-up hangs on how a dictionary's
/// hashes happen to fall: two suites have differed by a fifth.
func row(_ name: String, _ measurement: Measurement, _ sides: [Side]) {
  let folder = TemporaryFolder()
  var suite = UserDefaults.standard
  var saved: UserDefaults?
  var calls: [(Int) -> Void] = []

  func measure(_ index: Int) -> Int {
    if measurement.isInFreshSuites {
      suite = folder.makeSuite(keys: measurement.keys)
      calls[index] = sides[index].prepare(suite)
    }
    let call = calls[index]
    defer { measurement.settle(suite) }
    if measurement.calls > 1 { call(-1) }  // Finds again what settling may have put away.
    let time = ContinuousClock().measure {
      for number in 0..<measurement.calls { call(number) }
    }
    return Int(time / .nanoseconds(measurement.calls))
  }

  // A process with thousands of suites is like no program.
  let maximum = measurement.isInFreshSuites ? 100 : 10_000
  Benchmark(
    name,
    configuration: .init(
      metrics: sides.map(\.metric), maxDuration: measurement.maximumDuration,
      maxIterations: isCheck ? 1 : maximum),
    closure: { benchmark in
      if calls.isEmpty {
        suite = folder.makeSuite(keys: measurement.keys)
        calls = sides.map { side in
          guard side.isSaved else { return side.prepare(suite) }
          let store = saved ?? folder.makeSavedSuite(keys: measurement.keys)
          saved = store
          return side.prepare(store)
        }
      }
      for turn in sides.indices {
        // None is always the first, or always after the same other one.
        let index = (turn + benchmark.currentIteration) % sides.count
        benchmark.measurement(sides[index].metric, measure(index))
      }
    },
    teardown: {
      // A change that is still to be saved, ours or a rival's, would bring the folder back.
      try suite.flush()
      try saved?.flush()
      suite.synchronize()
      folder.remove()
    })
}

/// Adds a row whose sides must not meet in one process. They have one each, for short rounds that are
/// run by turns, because the tool runs what is declared in the order of the names.
func rowOfRounds(_ name: String, _ measurement: Measurement, _ sides: [Side]) {
  var measurement = measurement
  measurement.maximumDuration = .milliseconds(500)
  for round in 1...(isCheck ? 1 : 5) {
    for side in sides { row("\(name) / \(round) \(side.name)", measurement, [side]) }
  }
}

/// Whether the run is only to show that everything runs.
private let isCheck = ProcessInfo.processInfo.environment["BENCHMARKS_ONCE"] != nil

/// Where the suites of a row are, and nothing else.
private final class TemporaryFolder {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "TypedDefaultsBenchmarks-\(UUID())")
  private var count = 0

  /// Makes a suite whose file holds a number of keys already.
  func makeSuite(keys: Int) -> UserDefaults { UserDefaults(suiteName: makeFile(keys: keys))! }

  func makeSavedSuite(keys: Int) -> UserDefaults { .saved(suiteName: makeFile(keys: keys)) }

  private func makeFile(keys: Int) -> String {
    count += 1
    let path = url.appending(path: "suite-\(count)").path
    let contents = Dictionary(uniqueKeysWithValues: (0..<keys).map { ("key \($0)", "value \($0)") })
    // Without its suite a benchmark cannot go on.
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try! PropertyListSerialization.data(fromPropertyList: contents, format: .xml, options: 0)
      .write(to: URL(filePath: path + ".plist"))
    return path
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}
