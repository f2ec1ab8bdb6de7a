#if os(Linux)
  import Foundation
  import XCTest

  /// What a program asks of the file system, in order, as strace sees it.
  struct SystemCallTrace {
    /// What it asks of one folder, and what it prints.
    private(set) var operations: [Disk.Operation] = []
    private let folder: String

    /// Runs steps of `Probe saving` in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder, whose path leads through no link.
    ///   - place: The directory of the preferences.
    ///   - injection: A fault, in the form of strace.
    init(
      of steps: [String], in folder: TemporaryFolder, preferences place: String,
      injecting injection: String? = nil
    ) throws {
      let strace = try SystemCalls.tracer()
      let trace = try TemporaryFolder()
      // Without the question mark it would refuse the names of calls that another processor has.
      let calls = (Self.known + Self.unknown).map { "?\($0)" }.joined(separator: ",")
      let (end, _, errors) = try ChildProcess(
        ["saving"] + steps, in: folder,
        startedBy: [
          strace, "-f", "-qq", "-y", "-xx", "-s", "1000000", "-o", trace.path + "/trace",
          "-e", "trace=\(calls)",
        ] + (injection.map { ["-e", "inject=\($0)"] } ?? []),
        environment: ["XDG_CONFIG_HOME": place]
      ).wait()
      XCTAssertEqual(end, .exit(0), errors)
      self.folder = folder.path
      try take(String(contentsOfFile: trace.path + "/trace", encoding: .utf8))
    }

    private mutating func take(_ trace: String) throws {
      var begun: [Substring: String] = [:]
      for line in trace.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { continue }
        let (thread, text) = (parts[0], parts[1].drop { $0 == " " })
        if let start = text.firstMatch(of: /^(.*) <unfinished \.\.\.>$/)?.output.1 {
          begun[thread] = String(start)
        } else if let rest = text.firstMatch(of: /^<\.\.\. \w+ resumed>(.*)$/)?.output.1 {
          try takeCall((begun.removeValue(forKey: thread) ?? "") + rest)
        } else {
          try takeCall(String(text))
        }
      }
    }

    /// Calls that change files in a way which `Disk` does not know.
    private static let unknown = [
      "copy_file_range", "fallocate", "ftruncate", "link", "linkat", "pwrite64", "pwritev",
      "pwritev2", "sendfile", "splice", "symlink", "symlinkat", "truncate", "writev",
    ]

    private static let known = [
      "fdatasync", "fsync", "mkdir", "mkdirat", "open", "openat", "rename", "renameat", "renameat2",
      "rmdir", "sync", "syncfs", "unlink", "unlinkat", "write",
    ]

    /// Takes a call, when it has returned.
    private mutating func takeCall(_ text: String) throws {
      guard let call = text.firstMatch(of: /^(\w+)\((.*)\) += ([0-9]+)(?:<(.*)>)?$/)?.output else {
        return  // It has failed, or is a signal.
      }
      let (name, arguments) = (String(call.1), String(call.2))
      let texts = arguments.matches(of: /"([^"]*)"/).map { Self.bytes($0.output.1) }
      let paths = texts.map { bytes in
        let path = String(decoding: bytes, as: UTF8.self)
        return path.hasSuffix("/") ? String(path.dropLast()) : path
      }
      // Of a descriptor.
      let file = arguments.firstMatch(of: /^([0-9]+)<([^>]*)>/)?.output
      let path = String(decoding: Self.bytes(call.4 ?? file?.2 ?? ""), as: UTF8.self)
      if name == "sync" || name == "syncfs" { return operations.append(.synchronizeAll) }
      if name == "write", file?.1 == "1" {
        return operations.append(.say(paths[0].trimmingCharacters(in: .newlines)))
      }
      guard ([path] + paths).contains(where: { ($0 + "/").hasPrefix(folder + "/") }),
        !arguments.hasSuffix(">(deleted)")
      else { return }
      switch name {
      case "open", "openat":
        if arguments.contains("O_CREAT") { operations.append(.create(path)) }
        if arguments.contains("O_TRUNC") { operations.append(.truncate(path)) }
      case "write": operations.append(.append(texts[0], to: path))
      case "fsync", "fdatasync": operations.append(.synchronize(path))
      case "mkdir", "mkdirat": operations.append(.makeDirectory(paths[0]))
      case "rmdir", "unlink", "unlinkat": operations.append(.remove(paths[0]))
      case "renameat2" where arguments.hasSuffix("RENAME_EXCHANGE"):
        operations.append(.exchange(paths[0], paths[1]))
      case "rename", "renameat", "renameat2": operations.append(.rename(paths[0], to: paths[1]))
      default: throw Disk.Unknown(operation: text)
      }
    }

    /// Returns the bytes that are written as `\x2f`, each of them.
    private static func bytes(_ text: Substring) -> Data {
      Data(text.split(separator: "\\").compactMap { UInt8($0.dropFirst(), radix: 16) })
    }
  }
#endif
