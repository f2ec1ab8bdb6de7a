import Foundation
import TypedDefaults

/// `texts SEED COUNT`: whether the text of each value, typed, is the value again.
func textsCommand(_ arguments: [String]) {
  var generator = SeededGenerator(state: UInt64(arguments[0])!)
  var samples = extremeSamples() + awkwardSamples()
  for number in 0..<Int(arguments[1])! {
    samples.append(generator.sample(number))
    if number % 37 == 0 {
      let interval =
        Double(generator.integer() as Int32) + Double.random(in: 0..<1, using: &generator)
      samples.append(Sample("date", Date(timeIntervalSinceReferenceDate: interval)))
    }
  }
  for sample in samples {
    if let problem = sample.problemOfText() { print("\(sample.key): \(problem.debugDescription)") }
  }
  print("\(samples.count) tried")
}
