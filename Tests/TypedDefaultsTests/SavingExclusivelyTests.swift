#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// What one process does in `exclusively`, no other one comes between.
  class SavingExclusivelyTests: SavingTestCase {
    /// Runs a body while another process holds the lock, as far as the children can see.
    private func whileLocked(_ folder: TemporaryFolder, _ body: () throws -> Void) throws {
      let locked = try PreferencesFile(path: folder.plist()).locked()
      try withExtendedLifetime(locked, body)
    }

    // MARK: Counting

    func testTwentyProcessesCountToAThousand() throws {
      let folder = try TemporaryFolder()
      let children = try (0..<20).map { _ in try ChildProcess(["saving", "count:50"], in: folder) }
      for child in children {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, [])
        XCTAssertEqual(errors, "")
      }
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 1000)
      XCTAssertEqual(try (folder.contents()?["list"] as? [Int])?.count, 1000)
    }

    func testThreadsOfTwoProcessesCount() throws {
      let folder = try TemporaryFolder()
      let children = try (0..<2).map { _ in
        try ChildProcess(["saving", "count-in-threads:10"], in: folder)
      }
      for child in children { XCTAssertEqual(try child.wait().output, []) }
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 80)
      XCTAssertEqual(try (folder.contents()?["list"] as? [Int])?.count, 80)
    }

    func testAKillAtAnyMomentLeavesEachStepWholeAndCountsNoneTwice() throws {
      for _ in part(of: 0..<20) {
        let folder = try TemporaryFolder()
        let children = try (0..<3).map { _ in
          try ChildProcess(["saving", "move-exclusively"], in: folder)
        }
        for child in children { XCTAssertEqual(child.line(), "1") }
        var returned = 0
        for child in children {
          // The moment is random, not awaited.
          usleep(.random(in: 0...20_000))
          child.kill(SIGKILL)
          let (end, output, errors) = try child.wait()
          XCTAssertEqual(end, .signal(SIGKILL))
          XCTAssertEqual(errors, "")
          returned += output.last.flatMap { Int($0) } ?? 1
        }
        let contents = try XCTUnwrap(folder.contents() as? [String: Int])
        let left = try XCTUnwrap(contents["left"])
        XCTAssertEqual(contents["right"], -left)
        // The last step of each may be saved though it had not returned.
        XCTAssertTrue((returned...returned + children.count).contains(left), "\(left), \(returned)")
      }
    }

    // MARK: Inside

    func testFlushAndTransactionsInsideSaveWhatTheyMay() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(try ChildProcess.save("exclusively:1", in: folder), ["1"])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "1", "inside": "1", "nested": "1"])
    }

    func testABodyThatThrowsChangesNothing() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:inside=old", in: folder)
      let output = try ChildProcess.save("exclusively:throw", "flush", in: folder)
      XCTAssertEqual(output, ["CancellationError()", "old", "flushed"])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "throw", "inside": "old"])
    }

    func testAnotherStoreOfTheDirectorySharesTheLock() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(["saving", "exclusively-other:other"], in: folder)
      XCTAssertEqual(child.line(), "inside")
      try child.goOn()
      XCTAssertEqual(try child.wait().output, [])
      XCTAssertEqual(try folder.contents() as? [String: String], ["outer": "1"])
      XCTAssertEqual(try folder.contents(ofPlist: "other") as? [String: String], ["inner": "1"])
    }

    func testOtherProcessesWaitAndSeeTheChangesAfterwards() throws {
      let folder = try TemporaryFolder()
      let first = try ChildProcess(["saving", "exclusively-wait:1", "set:a=1"], in: folder)
      XCTAssertEqual(first.line(), "inside")
      let second = try ChildProcess(["saving", "exclusively-wait:2"], in: folder)
      let third = try ChildProcess(["saving", "set:third=1", "flush"], in: folder)
      usleep(300_000)
      XCTAssertEqual(try folder.files, [], "nobody saves meanwhile")
      try first.goOn()
      XCTAssertEqual(second.line(), "inside")
      XCTAssertEqual(try folder.contents()?["waited"] as? String, "1")
      try second.goOn()
      for child in [first, second, third] { XCTAssertEqual(try child.wait().errors, "") }
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["waited": "2", "a": "1", "third": "1"])
    }

    func testWhatIsNotChangedIsNotWritten() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(try ChildProcess.save("exclusively-nothing", in: folder), [])
      XCTAssertEqual(try folder.files, [])
      _ = try ChildProcess.save("set:a=1", in: folder)
      let before = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(try ChildProcess.save("exclusively-nothing", in: folder), [])
      let after = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(before[.systemFileNumber] as? Int, after[.systemFileNumber] as? Int)
    }

    func testAnExitInsideSavesNothingOfTheBody() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess(["saving", "set:a=1", "flush", "exclusively-exit"], in: folder).wait()
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    // MARK: When it is not to be had

    /// Side by side, because each waits for ten seconds.
    func testALockThatIsNotToBeHadThrowsAfterTenSeconds() throws {
      let (busy, left, right) = try (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
      let names = [left, right].map { $0.path + "/suite" }
      try whileLocked(busy) {
        let start = ContinuousClock.now
        let child = try ChildProcess(["saving", "set:inside=old", "exclusively:1"], in: busy)
        // A flush waits no longer for several suites, nor for a save that had begun before it.
        let four = (1...4).flatMap { ["suite:number\($0)", "set:a=1"] }
        let flushing = try ChildProcess(
          ["saving"] + four + ["sleep-milliseconds:300", "flush"], in: busy)
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
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(12))
        XCTAssertEqual(
          line,
          """
          The preferences could not be saved in \(busy.plist()): another process holds the lock of \
          the directory. The changes are undone. Find that process with lslocks, and end it if it \
          hangs.
          """)
        XCTAssertEqual(child.line(), "old")
        child.kill(SIGKILL)
      }
    }

    func testASaveThatFailsThrowsAndTheChangesAreUndone() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:inside=old", in: folder)
      let output = try ChildProcess(
        ["saving", "limit-file-size:0", "exclusively:1", "limit-file-size:-1"], in: folder
      ).wait().output
      XCTAssertEqual(output.last, "old")
      XCTAssertTrue(output[0].contains("File too large"), output[0])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "1", "inside": "old"])
    }

    // MARK: Costs

    func testItTakesHardlyLongerThanAFlush() throws {
      let folder = try TemporaryFolder()
      let ratio = try XCTUnwrap(
        ChildProcess.save("measure-exclusively:20", in: folder).first.flatMap { Double($0) })
      print("exclusively takes \(ratio) times as long as a change and flush().")
      XCTAssertLessThan(ratio, 1.3)
    }
  }
#endif
