import Foundation
import XCTest

/// Another machine: a program of the build, run as a process of its own.
final class Machine {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(
    _ arguments: [String], program: String = "FleetProbe", environment: [String: String] = [:]
  ) throws {
    #if canImport(Darwin)
      let products = Bundle(for: Machine.self).bundleURL.deletingLastPathComponent()
    #else
      let products = Bundle.main.bundleURL
    #endif
    process.executableURL = products.appending(path: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The next line of its output; nil at its end.
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

  func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits for its end; the output is what has not been read yet.
  func end() -> (status: Int32, output: [String]) {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return (process.terminationStatus, lines)
  }
}
