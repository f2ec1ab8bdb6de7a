import Dispatch
import Foundation
import Synchronization

/// The probe, run as a process of its own, with a configuration directory of its own.
final class ChildProcess: @unchecked Sendable {  // Another thread only calls `stop`.
  /// How a process has ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let input = Pipe()
  private let output = Pipe()
  // Not a pipe, which would be full before the output is at its end.
  private let errors: FileHandle
  private var unread = Data()

  /// Whether the probe uses the saved stores in place of Foundation's.
  static let usesSavedStores = Atomic(false)

  // Else a line that is sent to a child which has ended would end the tests.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Starts the probe, or another program: one of the build's, or by its absolute path.
  init(
    _ arguments: [String], in folder: TemporaryFolder, program: String = "Probe",
    startedBy starter: [String] = [], environment: [String: String] = [:]
  ) throws {
    _ = Self.ignoresBrokenPipes
    let program = program.hasPrefix("/") ? program : Self.products.appending(path: program).path
    let command = starter + [program] + arguments
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    let own = ProcessInfo.processInfo.environment
    process.environment = [
      "XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
      "PATH": own["PATH"] ?? "", "TSAN_OPTIONS": own["TSAN_OPTIONS"] ?? "",
      "PROBE_STORE": Self.usesSavedStores.load(ordering: .relaxed) ? "saved" : "",
    ].merging(environment) { $1 }
    #if canImport(Darwin)
      process.environment?["CFFIXED_USER_HOME"] = folder.path  // There, it moves the preferences.
    #endif
    errors = Self.unnamedFile()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // `waitUntilExit` only looks now and then.
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// The folder that the build put its programs in.
  static var products: URL {
    #if canImport(Darwin)
      Bundle(for: ChildProcess.self).bundleURL.deletingLastPathComponent()
    #else
      Bundle.main.bundleURL
    #endif
  }

  /// Ends it, if it has not ended: a test that fails leaves nothing running.
  func stop() {
    if process.isRunning { kill(SIGKILL) }
  }

  deinit { stop() }

  private static func unnamedFile() -> FileHandle {
    var path = Array((NSTemporaryDirectory() + "TypedDefaultsTests-errors-XXXXXX").utf8CString)
    let handle = FileHandle(fileDescriptor: mkstemp(&path), closeOnDealloc: true)
    unlink(path)
    return handle
  }

  var identifier: Int { Int(process.processIdentifier) }

  /// The next line of its output; nil if there is none.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      unread += data
    }
  }

  /// Lets it go on after a step `wait`.
  func goOn() throws { try send("") }

  /// Gives it a line of input.
  func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  func kill(_ signal: Int32) {
    Foundation.kill(process.processIdentifier, signal)
  }

  /// Waits for its end, as below, but ends it by a signal if that does not come in time.
  func wait(until end: DispatchTime) throws -> (end: End, output: [String], errors: String) {
    let deadline = DispatchWorkItem { [process] in
      if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
    DispatchQueue.global().asyncAfter(deadline: end, execute: deadline)
    defer { deadline.cancel() }
    return try wait()
  }

  /// Waits for its end. The output is what has not been read yet, line by line.
  @discardableResult
  func wait() throws -> (end: End, output: [String], errors: String) {
    try input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    ended.wait()
    try errors.seek(toOffset: 0)
    let errors = try errors.readToEnd() ?? Data()
    let end: End =
      process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
    return (end, lines, String(decoding: errors, as: UTF8.self))
  }

  /// Runs the probe, or another program, to its end.
  static func run(
    _ arguments: String..., in folder: TemporaryFolder, program: String = "Probe"
  ) throws -> (end: End, output: [String], errors: String) {
    try run(arguments, in: folder, program: program)
  }

  static func run(
    _ arguments: [String], in folder: TemporaryFolder, program: String = "Probe"
  ) throws -> (end: End, output: [String], errors: String) {
    try ChildProcess(arguments, in: folder, program: program).wait()
  }

  /// Runs steps of `Probe saving` to their end, and returns the output.
  static func save(_ steps: String..., in folder: TemporaryFolder) throws -> [String] {
    let (end, output, errors) = try ChildProcess(["saving"] + steps, in: folder).wait()
    guard end == .exit(0), errors.isEmpty else { throw Failure(end: end, errors: errors) }
    return output
  }

  struct Failure: Error {
    let end: End
    let errors: String
  }
}
