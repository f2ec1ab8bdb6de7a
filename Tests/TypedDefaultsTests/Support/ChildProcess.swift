import Foundation
import XCTest

/// The probe program, run as a second process with a preferences folder of its own.
struct ChildProcess {
  let process = Process()
  private let output = Pipe()
  private let error = Pipe()

  struct Result {
    var status: Int32
    var reason: Process.TerminationReason
    var output: String
    var error: String

    /// What the program printed, line by line.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  init(_ arguments: [String], home: URL, program: String = "Probe") {
    process.executableURL = Self.products.appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_CONFIG_HOME": home.path, "HOME": home.path]
    ) { $1 }
    process.standardOutput = output
    process.standardError = error
  }

  /// The folder that the build put its programs in.
  static var products: URL {
    #if canImport(Darwin)
      Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
    #else
      Bundle.main.bundleURL
    #endif
  }

  private final class Marker {}

  /// Reads what the started program prints, until it ends.
  func finish() throws -> Result {
    // Both pipes at once: a program that fills the one that is not read would never end.
    nonisolated(unsafe) var errorData = Data()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { [error] in
      errorData = (try? error.fileHandleForReading.readToEnd()) ?? Data()
    }
    let outputData = try output.fileHandleForReading.readToEnd() ?? Data()
    group.wait()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, reason: process.terminationReason,
      output: String(decoding: outputData, as: UTF8.self),
      error: String(decoding: errorData, as: UTF8.self))
  }

  /// Runs the probe to its end.
  static func run(_ arguments: String..., home: URL) throws -> Result {
    let child = ChildProcess(arguments, home: home)
    try child.process.run()
    return try child.finish()
  }
}

extension XCTestCase {
  /// A folder of the test's own, removed after it.
  func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("TypedDefaultsTests-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
    return folder
  }
}
