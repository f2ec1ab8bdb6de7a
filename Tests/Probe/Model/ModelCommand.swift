import Foundation
import TypedDefaults

/// `model KIND SEED LAST COUNT STEP ONLY`: the sequences of the seeds SEED to LAST, of COUNT operations each,
/// the first from the operation STEP; ONLY is `all`, or the numbers of the operations that are made.
///
/// After a `restart`, and between sequences of stores that are files, the program is executed anew.
/// A sequence that fails is shortened, and what is left is printed.
struct ModelCommand {
  private let kind: StoreKind
  private var seed: Int
  private let last: Int
  private let count: Int
  private var step: Int
  private let only: [Int]?

  init(_ arguments: [String]) {
    kind = StoreKind(rawValue: arguments[0])!
    (seed, last, count, step) = (
      Int(arguments[1])!, Int(arguments[2])!, Int(arguments[3])!, Int(arguments[4])!
    )
    only = arguments[5] == "all" ? nil : arguments[5].split(separator: ",").map { Int($0)! }
  }

  private var arguments: [String] {
    [
      "model", kind.rawValue, "\(seed)", "\(last)", "\(count)", "\(step)",
      only.map { $0.map(String.init).joined(separator: ",") } ?? "all",
    ]
  }

  mutating func run() -> Never {
    DefaultsIssue.setHandler { _ in }
    while seed <= last {
      Deadline.set(
        "\(kind.rawValue), seed \(seed): no end", shortening: only == nil ? shortener : nil)
      do {
        try runSequence()
      } catch {
        print("\(error)")
        if only == nil { execute(shortener) }
        exit(1)
      }
      (seed, step) = (seed + 1, 0)
      if kind.isFile, seed <= last { execute(arguments) }
    }
    exit(0)
  }

  private var shortener: [String] {
    ["shorten", kind.rawValue, "\(seed)", "\(count)"]
  }

  private mutating func runSequence() throws {
    let sequence = RandomSequence(seed: seed, count: count, on: kind)
    var model = Model(
      kind, ModelSettings.declared(sequence.prefix), ModelSettings.typedKeys(sequence.prefix),
      environment: sequence.environment)
    for (variable, text) in sequence.environment { setenv(variable, text, 1) }
    for variable in ModelSettings.variables where sequence.environment[variable] == nil {
      unsetenv(variable)
    }
    let indices = only ?? Array(0..<count)
    // What an earlier life of the program has done.
    for index in indices where index < step { model.make(sequence.operations[index]) }
    if step == 0, kind.isFile { removeFiles() }
    let run = ModelRun(kind, model, prefix: sequence.prefix, seed: seed)
    for index in indices where index >= step {
      let operation = sequence.operations[index]
      do {
        if case .restart = operation {
          try run.flush()
          step = index + 1
          execute(arguments)
        }
        // Everything if the sequence is shortened, so that a difference is seen where it comes from.
        try run.run(
          operation,
          comparingAll: only != nil || index.isMultiple(of: 50) || index == indices.last
            || index == step)
      } catch {
        throw ModelRun.Difference(
          description: "\(kind.rawValue), seed \(seed), operation \(index), \(operation):\n\(error)"
        )
      }
    }
  }

  private func removeFiles() {
    let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]!
    for name in ["Probe", "model"] { unlink("\(folder)/\(name).plist") }
  }
}
