#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  /// What a program has set is there when the next one starts, however the first one ended.
  class SavingTests: SavingTestCase {
    private func assertSaved(
      _ steps: String..., endsWith expected: ChildProcess.End = .exit(0),
      file: StaticString = #filePath, line: UInt = #line
    ) throws {
      let folder = try TemporaryFolder()
      let (end, _, errors) = try ChildProcess(
        ["saving", "set:a=1", "set:a=2"] + steps, in: folder
      ).wait()
      XCTAssertEqual(end, expected, file: file, line: line)
      // After three seconds the program would give up, and say so.
      XCTAssertEqual(errors, "", file: file, line: line)
      XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["2"], file: file, line: line)
    }

    func testSavesWhenMainReturns() throws { try assertSaved() }
    func testSavesAtExit() throws { try assertSaved("exit") }
    func testSavesAtExitFromAnotherThread() throws { try assertSaved("exit-in-thread") }
    func testSavesAtExitFromADispatchQueue() throws { try assertSaved("exit-on-queue") }
    func testSavesAtExitFromATask() throws { try assertSaved("exit-in-task") }
    func testSavesAtExitWhileTheDispatchPoolIsStarved() throws {
      try assertSaved("exit-while-starved")
    }
    func testSavesAtExitInsideWithLock() throws { try assertSaved("exit-in-lock") }
    func testSavesAtExitInsideAnObserver() throws { try assertSaved("exit-in-observer") }

    func testAnotherObjectOfTheStandardSuiteIsTheStandardSuite() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "set:a=1", "suite:", "get:a", "set:a=2", "flush", "set:b=3", "stop"], in: folder)
      XCTAssertEqual(child.line(), "1")
      XCTAssertEqual(child.line(), "flushed")
      XCTAssertEqual(try child.wait().end, .signal(SIGKILL))
      XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["2"])
      let (end, output, errors) = try ChildProcess.run("saving", "suite:", "set:c=4", in: folder)
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output + [errors], [""])
      XCTAssertEqual(try ChildProcess.save("get:a", "get:c", in: folder), ["2", "4"])
    }

    func testSavesBeforeAFatalErrorAfterAFlush() throws {
      let folder = try TemporaryFolder()
      let (end, output, _) = try ChildProcess(
        ["saving", "set:a=2", "flush", "fatal-error"], in: folder
      ).wait()
      guard case .signal = end else { return XCTFail("\(end)") }
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["2"])
    }

    func testSavesWhenAnAsyncMainReturns() throws {
      let folder = try TemporaryFolder()
      let end = try ChildProcess([], in: folder, program: "AsyncProbe").wait().end
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(try folder.contents(ofPlist: "AsyncProbe")?["async"] as? String, "set")
    }

    func testSavesInTheBackgroundBeforeASignalEndsTheProgram() throws {
      for signal in [SIGTERM, SIGKILL] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(["saving", "set:a=1", "print:set", "wait"], in: folder)
        XCTAssertEqual(child.line(), "set")
        folder.waitForContents { $0["a"] as? String == "1" }
        child.kill(signal)
        XCTAssertEqual(try child.wait().end, .signal(signal))
        XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["1"])
      }
    }

    func testSavesAThousandSettingsSetInALoop() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("fill:1000", in: folder)
      let contents = try XCTUnwrap(folder.contents())
      XCTAssertEqual(contents.count, 1000)
      for i in 0..<1000 { XCTAssertEqual(contents["key\(i)"] as? Int, i) }
    }

    func testSavesWhatAnExitHandlerOfTheProgramSets() throws {
      let folder = try TemporaryFolder()
      // Registered first, hence called last.
      _ = try ChildProcess.save("set-at-exit", "set:a=1", in: folder)
      XCTAssertEqual(try ChildProcess.save("get:a", "get:at exit", in: folder), ["1", "set"])
    }

    func testSavesRemovals() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=1", "set:b=1", in: folder)
      _ = try ChildProcess.save("remove:a", in: folder)
      XCTAssertEqual(try ChildProcess.save("get:a", "get:b", in: folder), ["nil", "1"])
    }

    func testSavesSuites() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("suite:one", "set:a=1", "suite:two", "set:a=2", in: folder)
      XCTAssertEqual(
        try ChildProcess.save("suite:one", "get:a", "suite:two", "get:a", in: folder), ["1", "2"])
      XCTAssertEqual(try folder.files, ["one.plist", "two.plist"])
    }

    func testFlushInsideWithLockThrowsAtOnce() throws {
      let folder = try TemporaryFolder()
      let output = try ChildProcess.save("flush-in-lock", "flush-in-lock", in: folder)
      XCTAssertEqual([output[1], output[3]], ["flushed", "flushed"])
      XCTAssertTrue(output[0].hasPrefix("flush() was called inside withLock(_:)"), output[0])
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 2)
    }

    func testAThreadThatNeverStopsWritingDoesNotStarveTheSaving() throws {
      let folder = try TemporaryFolder()
      let last = try XCTUnwrap(ChildProcess.save("write-while-saving", in: folder).first)
      XCTAssertEqual(try folder.contents()?["number"] as? Int, Int(last))
    }

    func testThreadsOfTwoProcessesLeaveMemoryAndFileAlike() throws {
      let folder = try TemporaryFolder()
      let other = try ChildProcess(["saving", "write:other"], in: folder)
      let last = try ChildProcess.save("write-from-threads", in: folder)
      XCTAssertEqual(try other.wait().end, .exit(0))
      let contents = try XCTUnwrap(folder.contents())
      XCTAssertEqual(contents["count"] as? Int, 800)
      XCTAssertEqual(contents["last"].map { "\($0)" }, last.first)
      for thread in 0..<8 { XCTAssertEqual(contents["thread\(thread)"] as? Int, 99) }
      for i in 0..<50 { XCTAssertEqual(contents["other\(i)"] as? Int, i) }
    }

    func testAnEndThatIsAtWorkSavesALargeValue() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(["saving", "set-large:3000000", "print:set"], in: folder)
      XCTAssertEqual(child.line(), "set")
      usleep(100_000)
      // No time passes for a process that is stopped, whatever it does.
      child.kill(SIGSTOP)
      usleep(3_100_000)
      child.kill(SIGCONT)
      let (end, _, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(errors, "")
      XCTAssertEqual((try folder.contents()?["large"] as? String)?.utf8.count, 3_000_000)
    }

    // MARK: Watching

    func testAProgramThatReadsASettingAndEndsWatchesNothing() throws {
      let strace = try SystemCalls.tracer()
      let folder = try TemporaryFolder()
      let trace = folder.path + "/trace"
      // A busy machine may hold one up until it watches.
      let areWatching = try (0..<5).map { _ in
        let (_, output, _) = try ChildProcess(
          ["saving", "get:a"], in: folder,
          startedBy: [strace, "-f", "-o", trace, "-e", "trace=inotify_init1,exit_group"]
        ).wait()
        XCTAssertEqual(output, ["nil"])
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        XCTAssertTrue(calls.contains("exit_group"), calls)
        return calls.contains("inotify_init1")
      }
      XCTAssertTrue(areWatching.contains(false))
    }

    func testAChangeBetweenTheFirstReadAndTheWatchingIsSeen() throws {
      for _ in 0..<10 {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(["saving", "get:a", "wait-for:a=2"], in: folder)
        XCTAssertEqual(child.line(), "nil")
        try folder.write(
          PropertyListSerialization.data(fromPropertyList: ["a": "2"], format: .xml, options: 0))
        XCTAssertEqual(try child.wait().output, ["2"])
      }
    }

    // MARK: Without threads

    func testWhereNoThreadCanBeStartedTheCallerSaves() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      XCTAssertEqual(
        try ChildProcess.save("limit-threads", "set:a=1", "flush", "set:b=2", in: folder),
        ["flushed"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2"])
    }

    // MARK: Foundation's own programs

    func testAPlainFoundationProgramReadsWhatIsSaved() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=<&\"é\u{1F600}>", in: folder)
      XCTAssertEqual(
        try ChildProcess.save("foundation", "raw-get:a", in: folder), ["<&\"é\u{1F600}>"])
    }

    func testARawSetOfTheStandardStoreIsNotSaved() throws {
      let folder = try TemporaryFolder()
      let values = try ChildProcess.save(
        "foundation", "raw-set:a=1", "set:b=2", "flush", "get:a", in: folder)
      XCTAssertEqual(values, ["flushed", "1"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["b": "2"])
    }

    func testReadsAndKeepsWhatAPlainFoundationProgramSaved() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save(
        "foundation", "raw-set:a=1", "raw-set:b=2", "synchronize", in: folder)
      XCTAssertEqual(try ChildProcess.save("get:a", "set:a=3", in: folder), ["1"])
      XCTAssertEqual(
        try ChildProcess.save("foundation", "raw-get:a", "raw-get:b", in: folder), ["3", "2"])
    }

    func testSavesBesideSynchronizeInTheSameProcess() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save(
        "set:a=1", "raw-set:b=1", "synchronize", "set:c=1", "flush", "raw-set:b=2", "synchronize",
        "set:a=2", in: folder)
      XCTAssertEqual(try ChildProcess.save("get:a", "get:b", "get:c", in: folder), ["2", "2", "1"])
    }

    func testWhatIsRemovedWithItsDomainDoesNotComeBack() throws {
      for _ in part(of: 0..<Scale.rounds(10, long: 50)) {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.save(
          "suite:Probe", "set:a=1", "flush", "set:b=1", "raw-remove-all", "set:c=1", in: folder)
        XCTAssertEqual(try folder.contents() as? [String: String], ["c": "1"])
      }
    }

    func testAValueThatWouldMakeTheFileUnreadableIsLeftOut() throws {
      let folder = try TemporaryFolder()
      let (end, output, errors) = try ChildProcess(
        ["saving", "set:a=1", "poison:p", "set:b=1", "flush", "set:c=1", "flush"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      let text = """
        The value set for "p" is not saved: a property list cannot hold the dictionary key CF$UID. \
        The preferences file keeps the old value. Assign another value.
        """
      XCTAssertEqual(errors, "TypedDefaults: \(text)\n")
      XCTAssertEqual(output.last, "flushed")
      XCTAssertEqual(
        try ChildProcess.save("get:a", "get:b", "get:c", "raw-get:p", in: folder),
        ["1", "1", "1", "nil"])
    }

  }
#endif
