import Foundation

/// The Swift compiler, which is asked about programs that use the library.
enum Compiler {
  /// The folder of the package.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// What it says of a program of one or more files, put into the folder, the first as `main.swift`;
  /// nothing if there is no error and no warning.
  static func diagnostics(
    of sources: [String], in folder: URL, languageMode: String = "6", options: [String] = []
  ) throws -> String {
    let files = try write(sources, to: folder)
    // SIL rather than a type check, which does not look for data races.
    let defaults = [
      "-emit-sil", "-o", "/dev/null", "-whole-module-optimization", "-swift-version", languageMode,
      "-I", ChildProcess.products.appendingPathComponent("Modules").path,
      "-module-cache-path", ChildProcess.products.appendingPathComponent("ModuleCache").path,
    ]
    return try run(in: folder, ["swiftc"] + defaults + options + files).output
  }

  /// Builds a program that uses the library in the folder, from one file or more, without a warning.
  ///
  /// - Returns: Its path.
  static func program(
    _ sources: String..., in folder: URL, options: [String] = []
  ) throws -> String {
    let files = try write(sources, to: folder)
    let program = folder.appending(path: "program").path
    let sources = FileManager.default.enumerator(
      at: package.appending(path: "Sources/TypedDefaults"), includingPropertiesForKeys: nil)
    // Objects of former files may be left in the folder.
    let objects = (sources?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map {
        ChildProcess.products.appending(path: "TypedDefaults.build/\($0.lastPathComponent).o").path
      }
    let (output, status) = try run(
      in: folder,
      [
        "swiftc", "-o", program,
        "-I", ChildProcess.products.appendingPathComponent("Modules").path,
        "-module-cache-path", ChildProcess.products.appendingPathComponent("ModuleCache").path,
      ] + options + files + objects)
    guard status == 0, output.isEmpty else { throw Failure(output: output) }
    return program
  }

  /// - Returns: The paths of the files, the first a `main.swift`.
  private static func write(_ sources: [String], to folder: URL) throws -> [String] {
    try sources.enumerated().map { index, source in
      let file = folder.appendingPathComponent(index == 0 ? "main.swift" : "file\(index).swift")
      try Data("\(source)\n".utf8).write(to: file)
      return file.path
    }
  }

  struct Failure: Error {
    let output: String
  }

  /// - Parameter folder: Where the compiler may leave temporary files behind.
  private static func run(
    in folder: URL, _ command: [String]
  ) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) {
      $1
    }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: text, as: UTF8.self), process.terminationStatus)
  }
}
