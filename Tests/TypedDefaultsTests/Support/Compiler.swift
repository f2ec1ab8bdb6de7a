import Foundation

/// The Swift compiler, which is asked about programs that use the library.
enum Compiler {
  /// What it says of a program, as a `main.swift` in the folder; nothing if there is no error and no
  /// warning.
  static func diagnostics(
    of source: String, in folder: URL, languageMode: String = "6"
  ) throws -> String {
    let file = folder.appendingPathComponent("main.swift")
    try Data("import Foundation\nimport TypedDefaults\n\(source)\n".utf8).write(to: file)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // SIL rather than a type check, which does not look for data races.
    compiler.arguments = [
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", languageMode,
      "-I", ChildProcess.products.appendingPathComponent("Modules").path,
      "-module-cache-path", ChildProcess.products.appendingPathComponent("ModuleCache").path,
      file.path,
    ]
    let output = Pipe()
    compiler.standardOutput = output
    compiler.standardError = output
    try compiler.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    compiler.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
