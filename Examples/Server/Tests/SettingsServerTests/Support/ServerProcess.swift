import Foundation
import XCTest

/// The program as a process of its own, with its own preferences.
final class ServerProcess: @unchecked Sendable {  // One test uses it.
  private let process = Process()
  private let output = Pipe()
  private let errors: URL
  private let folder: Folder
  let port: Int

  /// The address that the program has printed.
  let address: String

  /// The token in that address.
  var token: String { String(address.split(separator: "=").last ?? "") }

  /// Starts the program, and waits until it listens.
  ///
  /// - Parameters:
  ///   - arguments: Arguments besides the port.
  ///   - program: The name of the program.
  ///   - port: The option by which it takes its port.
  ///   - environment: Variables besides those of the test, and the folders of preferences.
  ///   - folder: The folder, in which `config` and `xdg` have the preferences.
  init(
    _ arguments: [String] = [], program: String = "server", port option: String = "--port",
    environment: [String: String] = [:], in folder: Folder
  ) throws {
    self.folder = folder
    errors = try folder.write("", to: "errors")
    Self.prepare(
      process, [option, "0"] + arguments, program: program, environment: environment, in: folder)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      line += data
    }
    let text = String(decoding: line, as: UTF8.self)
    guard let address = text.firstMatch(of: /http:\/\/[^:]+:([0-9]+)\/settings.*/),
      let port = Int(address.1)
    else {
      process.waitUntilExit()
      throw Failure(description: "\(text)\(try String(contentsOf: errors, encoding: .utf8))")
    }
    (self.port, self.address) = (port, String(address.0))
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The file of the settings.
  static func file(in folder: Folder) -> URL {
    folder.url.appending(path: "config/typed-defaults-server.plist")
  }

  var processIdentifier: Int32 { process.processIdentifier }

  /// What has been logged.
  var log: String { get throws { try String(contentsOf: errors, encoding: .utf8) } }

  /// The memory that is the process's own, in kibibytes; `nil` where the system does not tell.
  var memory: Int? {
    guard
      let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    else { return nil }
    return status.firstMatch(of: /VmRSS:\s+([0-9]+) kB/).flatMap { Int($0.1) }
  }

  /// Sends SIGTERM, and returns the exit status.
  func stop() -> Int32 {
    process.terminate()
    return wait()
  }

  /// Sends SIGTERM, and returns when the program takes no more connections.
  func startToStop() async throws {
    process.terminate()
    while let connection = try? await EventReader(port: port) {
      try await connection.pause()
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Returns the exit status.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Runs the program to its end.
  static func run(_ arguments: [String], in folder: Folder) throws -> (
    status: Int32, output: String
  ) {
    let (process, output) = (Process(), Pipe())
    prepare(process, arguments, environment: [:], in: folder)
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private static func prepare(
    _ process: Process, _ arguments: [String], program: String = "server",
    environment: [String: String], in folder: Folder
  ) {
    #if canImport(Darwin)
      let products = Bundle(for: ServerProcess.self).bundleURL.deletingLastPathComponent()
    #else
      let products = Bundle.main.bundleURL
    #endif
    process.executableURL = products.appending(path: program)
    process.arguments = arguments
    let own = [
      "XDG_CONFIG_HOME": folder.url.appending(path: "config").path,
      "XDG_CONFIG_DIRS": folder.url.appending(path: "xdg").path,
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(own) { $1 }.merging(environment) { $1 }
  }
}
