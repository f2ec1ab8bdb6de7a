#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// What waits, waits no longer than is promised.
  final class SavingDeadlineTests: XCTestCase {
    /// What a busy machine takes for the rest. Each wait would else take many times as long.
    private let load = Duration.seconds(5)

    /// Side by side, because each waits for seconds.
    func testEachWaitEndsInItsTime() throws {
      try sideBySide([
        aLockThatIsNotToBeHadThrowsAfterTenSeconds, aDiskThatHangsThrowsAfterTenSeconds,
        aProgramDoesNotWaitForeverForALockWhenItEnds,
        theWholeEndIsBoundedWhileAnotherProcessHoldsTheLock,
        anEndInsideTheLibrarySaysThatItCouldNotSave,
      ]) { try $0() }
    }

    // MARK: Ten seconds

    private func aLockThatIsNotToBeHadThrowsAfterTenSeconds() throws {
      let (busy, left, right) = try (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
      let names = [left, right].map { $0.path + "/suite" }
      try whileLocked(busy) {
        let start = ContinuousClock.now
        let child = try ChildProcess(["saving", "set:inside=old", "exclusively:1"], in: busy)
        // A flush waits no longer for several suites, nor for a save that had begun before it.
        let four = (1...4).flatMap { ["suite:number\($0)", "set:a=1"] }
        let flushing = try ChildProcess(
          ["saving"] + four + ["sleep-milliseconds:300", "flush"], in: busy)
        let awaiting = try ChildProcess(["saving", "set:a=1", "await-flush"], in: busy)
        // Two that take two directories in two orders.
        let pair = try [names, names.reversed()].map {
          try ChildProcess(
            ["saving", "suite:\($0[0])", "exclusively-other:\($0[1])"], in: busy)
        }
        for child in pair { XCTAssertEqual(child.line(), "inside") }
        for child in pair { try child.goOn() }
        let errors = try pair.map { try $0.wait().output.first ?? "" }
        XCTAssertTrue(
          errors.contains { $0.contains("another process holds the lock of the directory") },
          "\(errors)")
        let line = child.line()
        let flushed = flushing.line() ?? ""
        XCTAssertTrue(flushed.contains("another process holds the lock"), flushed)
        flushing.kill(SIGKILL)
        let awaited = awaiting.line() ?? ""
        XCTAssertTrue(awaited.contains("another process holds the lock"), awaited)
        awaiting.kill(SIGKILL)
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(10) + load)
        XCTAssertEqual(
          line,
          """
          The preferences could not be saved in \(busy.plist()): another process holds the lock of \
          the directory. The changes are undone.
          """)
        XCTAssertEqual(child.line(), "old")
        child.kill(SIGKILL)
      }
    }

    private func aDiskThatHangsThrowsAfterTenSeconds() throws {
      // The waits beside this one need no strace.
      guard let strace = try? SystemCalls.tracer() else { return print("strace is not there") }
      let start = ContinuousClock.now
      let children = try ["flush", "await-flush"].map { flush in
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "set:a=1", flush], in: folder,
          startedBy: [
            strace, "-f", "-o", "/dev/null", "-e", "trace=fsync",
            "-e", "inject=fsync:delay_enter=12000000:when=1",
          ])
        return (folder, child)
      }
      for (_, child) in children {
        let line = try XCTUnwrap(child.line())
        XCTAssertTrue(line.contains("the save took longer than ten seconds"), line)
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(10) + load)
      }
      for (_, child) in children { try child.wait() }
    }

    // MARK: Three seconds at the end of a program

    private func aProgramDoesNotWaitForeverForALockWhenItEnds() throws {
      let folder = try TemporaryFolder()
      try whileLocked(folder) {
        let start = ContinuousClock.now
        let (end, _, errors) = try ChildProcess(["saving", "set:a=1"], in: folder).wait()
        XCTAssertEqual(end, .exit(0))
        let text = """
          The preferences could not be saved in \(folder.plist()) within three seconds of the \
          program's end. The newest changes may be lost.
          """
        XCTAssertEqual(errors, "TypedDefaults: \(text)\n")
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(3) + load * 2)
      }
    }

    private func theWholeEndIsBoundedWhileAnotherProcessHoldsTheLock() throws {
      let folder = try TemporaryFolder()
      try whileLocked(folder) {
        let start = ContinuousClock.now
        let (end, output, _) = try ChildProcess(
          ["saving", "set-at-issue", "set-at-exit-many", "set:a=1"], in: folder
        ).wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, [DefaultsIssue.notSavedInTime([folder.plist()]).description])
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(3) + load * 2)
      }
    }

    private func anEndInsideTheLibrarySaysThatItCouldNotSave() throws {
      let exits = ["exit-in-lock", "exit-in-observer", "exit-at-undecodable"]
      let folder = try TemporaryFolder()
      // The lock is the directory's, so one serves all.
      try whileLocked(folder) {
        let start = ContinuousClock.now
        let children = try exits.map { try ChildProcess(["saving", "set:a=1", $0], in: folder) }
        for (exit, child) in zip(exits, children) {
          let (_, _, errors) = try child.wait()
          XCTAssertEqual(
            errors, "TypedDefaults: \(DefaultsIssue.notSavedInTime([folder.plist()]))\n", exit)
          XCTAssertLessThan(ContinuousClock.now - start, .seconds(3) + load * 2)
        }
      }
    }

    // MARK: Trying again

    /// After one second, and then after twice as long each time.
    func testThePausesOfTryingAgainGrow() throws {
      let folder = try TemporaryFolder()
      let trace = folder.path + "/trace"
      let child = try ChildProcess(
        ["saving", "limit-file-size:0", "set:a=1", "print:set", "wait"], in: folder,
        startedBy: [SystemCalls.tracer(), "-f", "-ttt", "-o", trace, "-e", "trace=flock"])
      XCTAssertEqual(child.line(), "set")
      let end = ContinuousClock.now + load * 10
      var times: [Double] = []
      while times.count < 3, .now < end {
        usleep(10_000)
        times = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
          .filter { $0.contains("LOCK_EX") }.compactMap { Double($0.split(separator: " ")[1]) }
      }
      let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
      XCTAssertEqual(pauses.count, 2)
      for (pause, least) in zip(pauses, [0.9, 1.9]) { XCTAssertGreaterThan(pause, least) }
      // A signal would end strace alone, and the probe make the folder again later.
      try child.goOn()
      try child.wait()
    }
  }
#endif
