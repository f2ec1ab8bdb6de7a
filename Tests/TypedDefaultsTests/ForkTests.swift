#if !canImport(Darwin) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  /// A process goes on saving and listening after `daemon()` or a C library's `fork`, which leave it no
  /// thread but one.
  class ForkTests: SavingTestCase {
    func testADaemonSavesWhatWasPendingAndWhatItSets() throws {
      for _ in 0..<10 {
        let folder = try TemporaryFolder()
        XCTAssertEqual(
          try ChildProcess.save("set:a=1", "daemon", "set:b=2", "flush", "set:c=3", in: folder),
          ["flushed"])
        XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2", "c": "3"])
      }
    }

    func testADaemonWithNothingToSaveEndsAtOnce() throws {
      let folder = try TemporaryFolder()
      let start = ContinuousClock.now
      _ = try ChildProcess.save("set:a=1", "flush", "daemon", in: folder)
      _ = try ChildProcess.save("set:a=1", "flush", "daemon", "flush", "daemon", in: folder)
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(2))
    }

    func testADaemonSeesWhatOtherProcessesSave() throws {
      // A fork may come at any moment of the threads.
      for _ in 0..<10 {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          [
            "saving", "set:a=1", "daemon", "print:ready", "wait-for:a=2", "daemon", "wait-for:a=3",
          ], in: folder)
        XCTAssertEqual(child.line(), "ready")
        _ = try ChildProcess.save("set:a=2", in: folder)
        XCTAssertEqual(child.line(), "2")
        _ = try ChildProcess.save("set:a=3", in: folder)
        XCTAssertEqual(try child.wait().output, ["3"])
      }
    }

    func testADaemonWritesWhileItSaves() throws {
      let folder = try TemporaryFolder()
      let last = try ChildProcess.save("set:a=1", "daemon", "write-while-saving", in: folder)
      XCTAssertEqual(try folder.contents()?["number"] as? Int, Int(try XCTUnwrap(last.first)))
    }

    func testBothHalvesOfAForkSave() throws {
      for _ in 0..<10 {
        let folder = try TemporaryFolder()
        XCTAssertEqual(
          try ChildProcess.save("fill:100", "fork", "set:a=1", "flush", "get:a", in: folder),
          ["flushed", "1", "flushed", "1"])
        XCTAssertEqual(try folder.contents()?.count, 101)
      }
    }
  }
#endif
