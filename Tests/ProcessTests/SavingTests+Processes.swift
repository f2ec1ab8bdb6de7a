#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  extension SavingTests {
    // MARK: Several processes

    func testEightProcessesLoseNothing() throws {
      let folder = try TemporaryFolder()
      let prefixes = part(of: 0..<8).map { "\($0 < 2 ? "flushed" : "other")\($0)." }
      let children = try prefixes.map {
        try ChildProcess(["saving", "write:\($0)", "flush-until-saved"], in: folder)
      }
      for child in children { XCTAssertEqual(try child.wait().end, .exit(0)) }
      let contents = try XCTUnwrap(folder.contents())
      for prefix in prefixes {
        for i in 0..<50 { XCTAssertEqual(contents["\(prefix)\(i)"] as? Int, i) }
      }
      XCTAssertEqual(contents.count, 50 * prefixes.count)
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    func testChangesOfAnotherProcessAreKeptAndSeen() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:mine=1", "set:theirs=1", "set:both=1", in: folder)
      let child = try ChildProcess(
        [
          "saving", "get:theirs", "wait", "set:mine=2", "set:both=mine", "flush", "get:theirs",
          "get:both", "get:gone", "get:new",
        ], in: folder)
      XCTAssertEqual(child.line(), "1")
      _ = try ChildProcess.save("set:theirs=2", "set:both=theirs", "set:new=1", in: folder)
      try child.goOn()
      XCTAssertEqual(try child.wait().output, ["flushed", "2", "mine", "nil", "1"])
      XCTAssertEqual(
        try ChildProcess.save("get:mine", "get:theirs", "get:both", in: folder), ["2", "2", "mine"])
    }

    func testARemovalInAnotherProcessIsSeen() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=1", "set:b=1", in: folder)
      let child = try ChildProcess(
        ["saving", "get:a", "wait", "set:b=2", "flush", "get:a"], in: folder)
      XCTAssertEqual(child.line(), "1")
      _ = try ChildProcess.save("remove:a", in: folder)
      try child.goOn()
      XCTAssertEqual(try child.wait().output, ["flushed", "nil"])
      XCTAssertEqual(try folder.contents()?.count, 1)
    }

    func testTheStandardSuiteAndOneOfItsNameShareAFile() throws {
      let folder = try TemporaryFolder()
      let output = try ChildProcess.save(
        "set:a=1", "flush", "suite:Probe", "get:a", "set:b=2", "set:a=2", in: folder)
      XCTAssertEqual(output.first, "flushed")
      XCTAssertEqual(try ChildProcess.save("get:a", "get:b", in: folder), ["2", "2"])
    }

    func testProcessesThatEndAtOnceLoseNothingOrSaySo() throws {
      let folder = try TemporaryFolder()
      let prefixes = part(of: 0..<8).map { "\($0)." }
      let children = try prefixes.map { try ChildProcess(["saving", "write:\($0)"], in: folder) }
      let reports = try children.map { child in
        let (end, _, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        return errors
      }
      let contents = try XCTUnwrap(folder.contents())
      for (prefix, report) in zip(prefixes, reports) {
        // A busy machine may take the three seconds that an end waits, and no report less.
        if report == "TypedDefaults: \(DefaultsIssue.notSavedInTime([folder.plist()]))\n" {
          continue
        }
        XCTAssertEqual(report, "")
        for i in 0..<50 { XCTAssertEqual(contents["\(prefix)\(i)"] as? Int, i) }
      }
    }

    func testTheFirstReadsOfAProcessSeeWhatIsSaved() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:first=here", "fill:100", in: folder)
      for _ in part(of: 0..<Scale.rounds(20, long: 60)) {
        // Two at a time.
        let children = try (0..<2).map { _ in
          try ChildProcess(["saving", "read-at-once:here"], in: folder)
        }
        for child in children {
          let (end, output, _) = try child.wait()
          XCTAssertEqual(end, .exit(0))
          XCTAssertEqual(output, [])
        }
      }
    }
  }
#endif
