import Foundation
import TypedDefaults

/// `samples write|read SUITE [SEED COUNT]`: the extreme values, or that many random ones.
func sampleCommand(_ arguments: [String]) throws {
  let userDefaults = UserDefaults(suiteName: arguments[1])!
  var samples = extremeSamples()
  if arguments.count == 4 {
    var generator = SeededGenerator(state: UInt64(arguments[2])!)
    samples = (0..<Int(arguments[3])!).map { generator.sample($0) }
  }
  if arguments[0] == "write" {
    for sample in samples { sample.write(userDefaults) }
    try userDefaults.flush()
    print("\(samples.count) written")
  } else {
    var equal = 0
    for sample in samples {
      if let problem = sample.problem(userDefaults) {
        print("\(sample.key): \(problem.debugDescription)")
      } else {
        equal += 1
      }
    }
    print("\(equal) equal")
  }
}
