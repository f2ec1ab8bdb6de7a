#if !canImport(Darwin) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  /// A child of `fork` that goes on to use settings has none of the threads of its parent. It saves
  /// nothing, and its parent saves as if there were no child.
  class ForkTests: SavingTestCase {
    private static let refusal = """
      , because this process is a child of fork, and the threads that save are its parent's. What is \
      assigned is kept in memory only.
      """

    func testAChildOfAForkSavesNothingAndItsFlushThrows() throws {
      var waiting = 0
      for _ in 0..<10 {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "set:a=1", "flush", "fork", "set:b=2", "set:c=3", "flush", "get:b"], in: folder
        )
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(
          try folder.contents() as? [String: String], ["a": "1", "b": "2", "c": "3"])
        XCTAssertEqual(output.filter { $0 == "flushed" }.count, 2)
        XCTAssertEqual(errors, "")
        // The saving thread may have held a lock of Swift's own, for which the child waits for ever.
        if output.count == 3 {
          waiting += 1
          continue
        }
        XCTAssertEqual(output.count, 5, "\(output)")
        XCTAssertEqual(output.filter { $0.hasSuffix(Self.refusal) }.count, 1, "\(output)")
      }
      XCTAssertLessThan(waiting, 2)
    }

    func testAChildThrowsAtOnceAlthoughItsParentHoldsTheLock() throws {
      let folder = try TemporaryFolder()
      let start = ContinuousClock.now
      // Saved before, so that no thread of Swift's is at work when it forks.
      let child = try ChildProcess(["saving", "set:a=1", "flush", "fork-exclusively"], in: folder)
      let (end, output, _) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output.filter { $0.hasSuffix(Self.refusal) }.count, 2, "\(output)")
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(9))
      XCTAssertEqual(output.last, "locked", "the child has released the lock of its parent")
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "inside": "1"])
    }

    func testAParentSavesWhatWasPendingWhenItForked() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess(["saving", "fill:100", "fork", "set:a=1", "flush"], in: folder).wait()
      XCTAssertEqual(try folder.contents()?.count, 101)
    }

    func testADaemonThatBeginsBeforeTheFirstSettingSavesAndListens() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "daemon", "set:a=1", "flush", "wait-for:a=2"], in: folder)
      XCTAssertEqual(child.line(), "flushed")
      _ = try ChildProcess.save("set:a=2", in: folder)
      let (_, output, errors) = try child.wait()
      XCTAssertEqual(output, ["2"])
      XCTAssertEqual(errors, "")
    }

    /// The mutex of `Synchronization` ends the daemon: the thread that calls `daemon` has locked one before, and
    /// waits for one later.
    func testThreadsOfADaemonWaitForEachOther() throws {
      let folder = try TemporaryFolder()
      let (_, output, errors) = try ChildProcess(
        ["saving", "print-issues", "daemon", "count-from-threads"], in: folder
      ).wait()
      XCTAssertEqual(output, ["1800"], errors)
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 1800)
    }
  }
#endif
