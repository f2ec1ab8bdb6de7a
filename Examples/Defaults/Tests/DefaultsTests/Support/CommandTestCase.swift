import Foundation
import XCTest

/// Tests of the command as a process of its own, with its own folder of preferences.
class CommandTestCase: XCTestCase {
  private(set) var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "DefaultsTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    addTeardownBlock { [folder] in try FileManager.default.removeItem(at: folder) }
  }

  /// Runs the command, and returns what it prints without the last line feed.
  @discardableResult
  func defaults(
    _ words: String..., input: String = "", fails status: Int32 = 0, file: StaticString = #filePath,
    line: UInt = #line
  ) throws -> String {
    let command = try Command([Command.program.path] + words, in: folder)
    try command.send(input)
    let (ended, output, errors) = try command.end()
    XCTAssertEqual(ended, status, errors, file: file, line: line)
    if status == 0 { XCTAssertEqual(errors, "", file: file, line: line) }
    return status == 1 ? errors : output
  }

  /// Checks that the command fails, and says why.
  func assert(
    _ words: String..., failsWith message: String, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let command = try Command([Command.program.path] + words, in: folder)
    let (status, output, errors) = try command.end()
    XCTAssertEqual(errors, "defaults: \(message)", file: file, line: line)
    XCTAssertEqual(output, "", file: file, line: line)
    XCTAssertEqual(status, 1, file: file, line: line)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  func text(of name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }
}

/// A program that a test starts.
final class Command {
  private let process = Process()
  private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
  private var unread = Data()

  /// The command, which the build has put beside the tests.
  static var program: URL {
    #if canImport(Darwin)
      let products = Bundle(for: Command.self).bundleURL.deletingLastPathComponent()
    #else
      let products = Bundle.main.bundleURL
    #endif
    return products.appending(path: "defaults")
  }

  /// - Parameter words: The path of the program, and its arguments.
  init(_ words: [String], in folder: URL) throws {
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    // A shell's completion finds the command by its name.
    let path = Self.program.deletingLastPathComponent().path + ":/usr/bin:/bin"
    process.environment = [
      "XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "PATH": path, "LC_ALL": "C.UTF-8",
    ]
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = errors
    try process.run()
  }

  deinit { stop() }

  func send(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// The next line of its output, as soon as it is written; nil if there is none.
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

  /// Waits for output, or for its end.
  func hasOutput(within milliseconds: Int32) -> Bool {
    var request = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  func stop() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its end.
  func end() throws -> (status: Int32, output: String, errors: String) {
    try input.fileHandleForWriting.close()
    let output = unread + output.fileHandleForReading.readDataToEndOfFile()
    let errors = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    func text(_ data: Data) -> String {
      let text = String(decoding: data, as: UTF8.self)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
    return (process.terminationStatus, text(output), text(errors))
  }
}
