#if os(Linux) || os(Android)
  import Foundation
  import XCTest

  @testable import TestSupport

  /// A save goes on where the system refuses a part of it, and is tried again where it refuses all.
  final class SavingAgainTests: XCTestCase {
    /// Runs steps of the probe, with errors of system calls.
    private func save(
      _ steps: String..., injecting injections: String..., in folder: TemporaryFolder
    ) throws -> (output: [String], errors: [String]) {
      let strace = try SystemCalls.tracer()
      let names = injections.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
      let (end, output, errors) = try ChildProcess(
        ["saving"] + steps, in: folder,
        startedBy: [strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(names)"]
          + injections.flatMap { ["-e", "inject=\($0)"] }
      ).wait()
      XCTAssertEqual(end, .exit(0))
      return (output, errors.split(separator: "\n").map(String.init))
    }

    // MARK: Trying again

    func testAFailedSaveIsTriedAgainByItself() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        [
          "saving", "print-issues", "limit-file-size:0", "set:a=1", "wait", "limit-file-size:-1",
          "wait",
        ], in: folder)
      XCTAssertTrue(child.line()?.contains("File too large") ?? false)
      let start = ContinuousClock.now
      try child.goOn()
      XCTAssertEqual(
        child.line(),
        "The preferences are saved again in \(folder.plist()). No change that was kept is lost.")
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(10))
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
      child.kill(SIGKILL)
    }

    func testAChangeThatCannotBeSavedIsThrownThoughItWasDroppedBefore() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "poison:p", "set:b=1", "wait", "flush", "flush"], in: folder)
      for _ in 0..<500 where try folder.files.isEmpty { usleep(10_000) }
      try child.goOn()
      let output = try child.wait().output
      XCTAssertEqual(output.count, 2)
      XCTAssertTrue(output[0].contains("The value set for \"p\" is not saved"), output[0])
      XCTAssertEqual(output[1], "flushed")
    }

    // MARK: What a file system refuses

    func testAFileSystemWithoutLocksPermissionsAndTimesIsSavedIn() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=old", in: folder)
      XCTAssertEqual(chmod(folder.plist(), 0o644), 0)
      let (output, errors) = try save(
        "set:a=1", "flush", "set:b=2", "flush", injecting: "flock:error=EOPNOTSUPP",
        "fchmod:error=EPERM", "utimensat:error=EPERM", in: folder)
      XCTAssertEqual(output, ["flushed", "flushed"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2"])
      XCTAssertEqual(try folder.files, ["Probe.plist"])
      XCTAssertEqual(errors, [])
      // The file is no more open than it was created.
      let mode = try FileManager.default.attributesOfItem(atPath: folder.plist())[.posixPermissions]
      XCTAssertEqual(mode as? Int, 0o600)
    }

    func testExclusivelySaysThatItsChangesAreKeptWhereTheDirectoryIsNotSynced() throws {
      let folder = try TemporaryFolder()
      // The file's own is the first.
      let (output, _) = try save(
        "count:1", "flush", injecting: "fsync:error=EIO:when=2", in: folder)
      XCTAssertEqual(output, [folder.notSaved("Input/output error"), "flushed"])
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 1)
    }

    func testAnOwnerThatMayNotBeKeptKeepsTheGroupOrNarrowsTheMode() throws {
      try XCTSkipIf(geteuid() != 0, "Only root makes what another user owns")
      for (injection, group, mode) in [
        ("fchown:error=EPERM:when=1", 65534, 0o640), ("fchown:error=EPERM", 0, 0o600),
      ] {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.save("set:a=old", in: folder)
        XCTAssertEqual(chown(folder.plist(), 65534, 65534), 0)
        XCTAssertEqual(chmod(folder.plist(), 0o640), 0)
        let (output, errors) = try save("set:a=1", "flush", injecting: injection, in: folder)
        XCTAssertEqual(output + errors, ["flushed"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.plist())
        XCTAssertEqual(attributes[.groupOwnerAccountID] as? Int, group)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, mode)
      }
    }

    func testWithoutFreeDescriptorsMemoryAndFileStayAlike() throws {
      let folder = try TemporaryFolder()
      let (end, output, _) = try ChildProcess(
        [
          "saving", "set:a=1", "flush", "without-descriptors:2", "flush", "get:a",
        ], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["flushed", "2", "flushed", "2"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "2"])
    }

    func testWhatFoundationDoesNotTakeWithoutDescriptorsIsReadAndSavedAndSetThereAgain() throws {
      let folder = try TemporaryFolder()
      let (end, output, _) = try ChildProcess(
        [
          "saving", "set:a=1", "flush", "without-any-descriptor:2", "flush", "get:a", "set:b=1",
          "flush", "get:a",
        ], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      // By the typed and by the raw accessor, without descriptors and with them.
      XCTAssertEqual(
        output, ["flushed", "2", "1", "2", "2", "flushed", "2", "flushed", "2"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "2", "b": "1"])
    }

    // MARK: Time

    /// A clock that is set back makes none of them longer.
    func testWaitsUseTheMonotonicClock() throws {
      let folder = try TemporaryFolder()
      let trace = folder.path + "/trace"
      let child = try ChildProcess(
        ["saving", "write-while-saving"], in: folder,
        startedBy: [SystemCalls.tracer(), "-f", "-o", trace, "-e", "trace=futex"])
      try child.wait()
      let waits = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("FUTEX_WAIT") && $0.contains("tv_sec=") }
      XCTAssertGreaterThan(waits.count, 0)
      XCTAssertEqual(waits.filter { $0.contains("FUTEX_CLOCK_REALTIME") }, [])
    }
  }
#endif
