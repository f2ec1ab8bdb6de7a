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
    #if os(Linux)
      // Whom permissions concern.
      if getuid() == 0, let user = ProcessInfo.processInfo.environment["PROBE_USER"] {
        setgid(gid_t(user)!)
        setuid(uid_t(user)!)
      }
    #endif
    do { try provideAdministrator() } catch { fatalError("\(error)") }
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
      environment: sequence.environment, sequence.administrator)
    for (variable, text) in sequence.environment { setenv(variable, text, 1) }
    for variable in ModelSettings.variables where sequence.environment[variable] == nil {
      unsetenv(variable)
    }
    let indices = only ?? Array(0..<count)
    // What an earlier life of the program has done.
    for index in indices where index < step { model.make(sequence.operations[index]) }
    if step == 0, kind.isFile {
      removeFiles()
      try Self.write(sequence.administrator)
    }
    if kind.mayLack { ModelRun.runTask() }
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
    do {
      try run.finish()
    } catch {
      throw ModelRun.Difference(
        description: "\(kind.rawValue), seed \(seed), in the end:\n\(error)")
    }
  }

  private static let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? ""
  private static let names = ["Probe", "model"]

  private func removeFiles() {
    for name in Self.names { unlink("\(Self.folder)/\(name).plist") }
  }

  /// Writes the administrator's files, for both names that a store may have.
  private static func write(_ administrator: Model.Administrator) throws {
    let files = [".managed.plist": administrator.managed, ".plist": administrator.system]
    for (suffix, objects) in files {
      for name in names {
        try PropertyListSerialization.data(
          fromPropertyList: objects.mapValues(\.any), format: .xml, options: 0
        ).write(to: URL(filePath: "\(folder)/etc/\(name)\(suffix)"))
      }
    }
  }

  /// Executes the program anew with a place for the administrator's files, which it looks for as it starts.
  private func provideAdministrator() throws {
    let directory = Self.folder + "/etc"
    guard kind.isFile, ProcessInfo.processInfo.environment["XDG_CONFIG_DIRS"] != directory else {
      return
    }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    setenv("XDG_CONFIG_DIRS", directory, 1)
    execute(arguments)
  }
}
