#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport

  /// Whenever a process is killed, and whatever system call fails, the file is whole.
  class SavingKillTests: SavingTestCase {
    func testAKillAtAnyMomentLosesNothingThatWasConfirmed() throws {
      try killAtAnyMoment("flush-forever")
    }

    func killAtAnyMoment(_ step: String) throws {
      for _ in part(of: 0..<Scale.rounds(30, long: 600)) {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(["saving", step], in: folder)
        var last = child.line().flatMap { Int($0) }
        // The moment is random, not awaited.
        usleep(.random(in: 0...8_000))
        child.kill(SIGKILL)
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .signal(SIGKILL))
        XCTAssertEqual(errors, "")
        last = output.last.flatMap { Int($0) } ?? last
        let contents = try XCTUnwrap(folder.contents())
        let first = try XCTUnwrap(last)
        for number in max(0, first - 19)...first {
          XCTAssertGreaterThanOrEqual(contents["number\(number % 20)"] as? Int ?? -1, number)
        }
        XCTAssertEqual(try folder.files.filter { !$0.hasPrefix(".") }, ["Probe.plist"])
      }
    }

    func testAKillAtAnySystemCallOfASaveLeavesTheOldFileOrTheNew() throws {
      var found: Set<String> = []
      var kills = 0
      let calls = try part(of: systemCallsOfASave())
      for call in calls {
        let (folder, end, _) = try save(injecting: "\(call.name):signal=KILL:when=\(call.number)")
        // On a loaded machine, the save that was traced may have looked at the file once more than this one.
        if end == .signal(SIGKILL) { kills += 1 } else { XCTAssertEqual(end, .exit(0), "\(call)") }
        let contents = try XCTUnwrap(folder.contents() as? [String: String])
        XCTAssertEqual(contents["b"], "kept", "\(call)")
        XCTAssertTrue(["old", "new"].contains(contents["a"]), "\(call): \(contents)")
        found.insert(contents["a"] ?? "")
        // The next process clears away what was left.
        _ = try ChildProcess.save("set:c=1", in: folder)
        XCTAssertEqual(try folder.files, ["Probe.plist"], "\(call)")
      }
      XCTAssertEqual(found, ["old", "new"])
      XCTAssertGreaterThan(kills, calls.count / 2)
    }

    func testAnErrorOfAnySystemCallOfASaveIsMendedByTheNext() throws {
      for call in try part(of: systemCallsOfASave().filter(\.mayFail)) {
        let (folder, end, output) = try save(
          injecting: "\(call.name):error=EIO:when=\(call.number)", flushes: 2
        ) { folder, _ in
          let contents = try XCTUnwrap(folder.contents() as? [String: String])
          XCTAssertEqual(contents, ["a": "new", "b": "kept"], "\(call)")
        }
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, [])
        // The next save clears away what could not be deleted.
        if call.name == "unlink" { _ = try ChildProcess.save("set:c=1", in: folder) }
        XCTAssertEqual(try folder.files, ["Probe.plist"], "\(call)")
      }
    }

    func testAnErrorThatStaysLosesNothingAndIsThrown() throws {
      let failures = Atomic(0)
      // The end of each tries for half a second to save.
      try sideBySide(part(of: systemCallsOfASave().filter(\.mayFail))) { call in
        let (folder, end, _) = try save(
          injecting: "\(call.name):error=ENOSPC:when=\(call.number)+"
        ) { folder, line in
          let contents = try XCTUnwrap(folder.contents() as? [String: String])
          XCTAssertEqual(contents["b"], "kept", "\(call)")
          XCTAssertTrue(["old", "new"].contains(contents["a"]), "\(call): \(contents)")
          if line == "flushed" {
            XCTAssertEqual(contents["a"], "new", "\(call)")
          } else {
            failures.add(1, ordering: .relaxed)
          }
        }
        XCTAssertEqual(end, .exit(0))
        XCTAssertNotNil(try folder.contents())
      }
      XCTAssertGreaterThan(failures.load(ordering: .relaxed), part(of: 0...5).count)
    }

    func testFlushThrowsUntilTheDirectoryIsSynced() throws {
      for flushes in [1, 2] {
        // The file's own is the first.
        _ = try save(injecting: "fsync:error=EIO:when=2+", flushes: flushes) { folder, line in
          XCTAssertEqual(line, folder.notSaved("Input/output error"))
          XCTAssertEqual(try folder.contents() as? [String: String], ["a": "new", "b": "kept"])
        }
      }
    }

    // MARK: strace

    private struct SystemCall {
      let name: String
      /// The first, the second, … of its name since the tracing began.
      let number: Int

      /// Memory and the waiting for other threads are not at issue here.
      var mayFail: Bool {
        !["brk", "futex", "madvise", "mmap", "mprotect", "mremap", "munmap"].contains(name)
      }
    }

    private func systemCallsOfASave() throws -> [SystemCall] {
      let trace = try TemporaryFolder()
      _ = try save(tracingTo: trace.path + "/trace")
      var counts: [String: Int] = [:]
      var calls: [SystemCall] = []
      var isSaving = false
      for line in try String(contentsOfFile: trace.path + "/trace", encoding: .utf8).split(
        separator: "\n")
      {
        guard let name = line.firstMatch(of: /^(\w+)\(/)?.output.1.description else { continue }
        counts[name, default: 0] += 1
        if line.contains("LOCK_EX") { isSaving = true }
        if isSaving { calls.append(SystemCall(name: name, number: counts[name]!)) }
        if line.contains("LOCK_UN") { isSaving = false }
      }
      XCTAssertGreaterThan(calls.count, 10)
      return calls
    }

    /// Saves `a=new` over `a=old`, with its saving thread traced, and something injected.
    private func save(
      injecting injection: String? = nil, flushes: Int = 1, tracingTo trace: String = "/dev/null",
      whenFlushed: (TemporaryFolder, String) throws -> Void = { _, _ in }
    ) throws -> (TemporaryFolder, ChildProcess.End, [String]) {
      let strace = try SystemCalls.tracer()
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        [
          "saving", "set:a=old", "set:b=kept", "flush", "wait", "set:a=new",
        ] + Array(repeating: "flush", count: flushes) + ["wait"], in: folder)
      XCTAssertEqual(child.line(), "flushed")
      let tasks = "/proc/\(child.identifier)/task/"
      let thread = try XCTUnwrap(
        FileManager.default.contentsOfDirectory(atPath: tasks).first {
          try String(contentsOfFile: tasks + $0 + "/comm", encoding: .utf8) == "Defaults.save\n"
        })

      let tracer = Process()
      let messages = Pipe()
      tracer.executableURL = URL(filePath: strace)
      tracer.arguments =
        ["-p", "\(thread)", "-o", trace] + (injection.map { ["-e", "inject=\($0)"] } ?? [])
      tracer.standardError = messages
      try tracer.run()
      defer {
        child.stop()
        // It ends with the process that it traces.
        tracer.waitUntilExit()
      }
      let message = String(decoding: messages.fileHandleForReading.availableData, as: UTF8.self)
      guard message.contains("attached") else {
        throw XCTSkip("strace may not be used here: \(message)")
      }

      try child.goOn()
      for _ in 1..<flushes { _ = child.line() }
      if let line = child.line() {
        try whenFlushed(folder, line)
        try child.goOn()
      }
      let (end, output, _) = try child.wait()
      return (folder, end, output)
    }
  }
#endif
