import Dispatch
import Foundation
import Synchronization
import XCTest

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
  /// What a failure shows.
  private var printed = Data()

  /// How long a test waits for a child, on a busy machine too, before it fails.
  static let patience = Double(Scale.rounds(60, long: 1200))

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

  /// Ends it, if it has not ended, with what it has started: a test that fails leaves nothing running.
  func stop() {
    guard process.isRunning else { return }
    // On Linux, Foundation gives it a group of its own.
    Foundation.kill(-process.processIdentifier, SIGKILL)
    kill(SIGKILL)
  }

  deinit { stop() }

  private static func unnamedFile() -> FileHandle {
    var path = Array((NSTemporaryDirectory() + "TypedDefaultsTests-errors-XXXXXX").utf8CString)
    let handle = FileHandle(fileDescriptor: mkstemp(&path), closeOnDealloc: true)
    unlink(path)
    return handle
  }

  var identifier: Int { Int(process.processIdentifier) }

  /// The next line of its output; nil if there is none. If none comes in time, the child and the test fail.
  func line(until end: DispatchTime = .now() + patience) -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard hasOutput(until: end) else {
        fail("printed no line in time")
        return nil
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      unread += data
      printed += data
    }
  }

  /// Waits for output, or for its end.
  private func hasOutput(until end: DispatchTime) -> Bool {
    var request = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let now = DispatchTime.now()
      let rest = end > now ? (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 : 0
      let count = poll(&request, 1, Int32(clamping: rest))
      if count > 0 { return true }
      if count == 0, rest == 0 { return false }
    }
  }

  /// Ends it, and fails the test with what it has printed.
  private func fail(_ fault: String) {
    stop()
    let command = (process.arguments ?? []).joined(separator: " ")
    let errors = (try? readErrors()) ?? ""
    XCTFail("\(command) \(fault): \(String(decoding: printed, as: UTF8.self))\(errors)")
  }

  /// Only of a child that has ended, with which it shares the place in the file.
  private func readErrors() throws -> String {
    try errors.seek(toOffset: 0)
    return String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
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

  /// Waits for its end. The output is what has not been read yet, line by line. If the end does not come in
  /// time, the child and the test fail.
  @discardableResult
  func wait(
    until end: DispatchTime = .now() + patience
  ) throws -> (end: End, output: [String], errors: String) {
    try input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = line(until: end) { lines.append(line) }
    if ended.wait(timeout: end) == .timedOut {
      if process.isRunning { fail("did not end in time") }
      _ = ended.wait(timeout: .now() + 10)
    }
    return (status, lines, try readErrors())
  }

  private var status: End {
    // A child of its own that goes on, such as a daemon, keeps Foundation from seeing its end.
    if process.isRunning { return .signal(SIGKILL) }
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exit(status) : .signal(status)
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
