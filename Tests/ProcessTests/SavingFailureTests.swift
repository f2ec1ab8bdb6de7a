#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// What cannot be saved or read is reported, and nothing is lost.
  class SavingFailureTests: SavingTestCase {
    private func lost(_ folder: TemporaryFolder) -> String {
      """
      The preferences were not saved in \(folder.plist()) before the end of the program. The changes that \
      it had kept in memory are lost.
      """
    }

    func savedAgain(_ folder: TemporaryFolder) -> String {
      """
      The preferences are saved again in \(folder.plist()). No change that was kept is lost.
      """
    }

    // MARK: Writing

    func testAFullDiskIsReportedOnceAndTheNextSaveCarriesTheChange() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=old", in: folder)
      let large = String(repeating: "b", count: 2000)
      let fileTooLarge = folder.notSaved("File too large")
      let (end, output, errors) = try ChildProcess(
        [
          "saving", "limit-file-size:2000", "set:b=\(large)", "flush", "set:a=new", "flush",
          "get:a",
          "print:now", "wait", "limit-file-size:-1", "flush",
        ], in: folder
      ).afterLine("now") { lines in
        XCTAssertEqual(lines, [fileTooLarge, fileTooLarge, "new"])
        XCTAssertEqual(try folder.contents() as? [String: String], ["a": "old"])
        XCTAssertEqual(try folder.files, ["Probe.plist"])
      }.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(
        errors, "TypedDefaults: \(fileTooLarge)\nTypedDefaults: \(savedAgain(folder))\n")
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "new", "b": large])
    }

    func testAnEndWhoseSavesFailSaysThatTheChangesAreLost() throws {
      for steps in [[], ["set-at-exit-many"], ["flush"]] {
        let folder = try TemporaryFolder()
        let (end, _, errors) = try ChildProcess(
          ["saving", "limit-file-size:2000", "set-large:2000"] + steps, in: folder
        ).wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(
          errors,
          """
          TypedDefaults: \(folder.notSaved("File too large"))
          TypedDefaults: \(lost(folder))

          """, "\(steps)")
      }
    }

    func testChangesThatAreTakenBackAreNotSavedAgain() throws {
      for old in [nil, "old"] {
        let folder = try TemporaryFolder()
        if let old { _ = try ChildProcess.save("set:large=\(old)", in: folder) }
        let (end, output, errors) = try ChildProcess(
          [
            "saving", "limit-file-size:2000", "set-large:2000", "flush",
            old.map { "set:large=\($0)" } ?? "remove:large", "flush",
          ], in: folder
        ).wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, [folder.notSaved("File too large"), "flushed"])
        XCTAssertEqual(errors, "TypedDefaults: \(folder.notSaved("File too large"))\n")
      }
    }

    func testAReadOnlyDirectoryIsReportedAndTheExitSavesTheChange() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      try Data().write(to: URL(filePath: folder.path + "/occupied"))
      XCTAssertEqual(chmod(folder.path, 0o555), 0)
      let child = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush", "get:a", "wait"], in: folder)
      let forbidden = folder.notSaved("Permission denied")
      XCTAssertEqual(child.line(), forbidden)
      XCTAssertEqual(child.line(), "1")
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      try child.goOn()
      let (end, _, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(
        errors, "TypedDefaults: \(forbidden)\nTypedDefaults: \(savedAgain(folder))\n")
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    func testWhereTheDirectoryCannotBeLockedAFileInItIs() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      // Not to be opened for reading.
      XCTAssertEqual(chmod(folder.path, 0o333), 0)
      let (end, output, errors) = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(errors, "")
      XCTAssertEqual(chmod(folder.path, 0o755), 0)
      XCTAssertEqual(try folder.files, [".TypedDefaults.lock", "Probe.plist"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    func testAMissingHomeIsMade() throws {
      let folder = try TemporaryFolder()
      let (end, output, errors) = try ChildProcess(
        ["saving", "set:a=1", "flush"], in: folder,
        environment: ["XDG_CONFIG_HOME": folder.path + "/not/there"]
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(errors, "")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/not")
      XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o700)
    }

    /// `Bundle.main` would end it.
    func testAProgramInAFolderThatItMayNotPassSaves() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      let closed = folder.path + "/closed"
      try FileManager.default.createDirectory(
        atPath: closed + "/programs", withIntermediateDirectories: true)
      let program = closed + "/programs/Probe"
      try FileManager.default.copyItem(
        at: ChildProcess.products.appending(path: "Probe"), to: URL(filePath: program))
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      let child = try ChildProcess(
        ["saving", "without-privileges", "print:started", "wait", "set:a=1", "flush"], in: folder,
        program: program)
      XCTAssertEqual(child.line(), "started")
      XCTAssertEqual(chmod(closed, geteuid() == 0 ? 0o700 : 0), 0)
      defer { chmod(closed, 0o700) }
      try child.goOn()
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(errors, "")
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    func testAHomeThatCannotBeIsReported() throws {
      let folder = try TemporaryFolder()
      try Data().write(to: URL(filePath: folder.path + "/file"))
      let (end, output, _) = try ChildProcess(
        ["saving", "set:a=1", "flush", "get:a"], in: folder,
        environment: ["XDG_CONFIG_HOME": folder.path + "/file/home"]
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output.count, 2)
      XCTAssertTrue(output[0].contains("Probe.plist: Not a directory. "), output[0])
      XCTAssertEqual(output[1], "1")
    }

    func testADirectoryInTheFilesPlaceIsReported() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.plist(), withIntermediateDirectories: false)
      let (end, output, _) = try ChildProcess(["saving", "set:a=1", "flush"], in: folder).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, [folder.notSaved("it is a directory")])
    }

    func testACallForAWholeDomainWaitsForNoLock() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "suite:Probe", "set:a=1", "raw-remove-all", "print:removed", "wait"], in: folder)
      let start = ContinuousClock.now
      try whileLocked(folder) {
        XCTAssertEqual(child.line(), "removed")
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(8))
      }
      try child.goOn()
      XCTAssertEqual(try child.wait().end, .exit(0))
      XCTAssertNil(try ChildProcess.save("get:a", in: folder).first { $0 != "nil" })
    }

    func testTheHandlerOfAnIssueMayEndTheProgram() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "exit-at-issue", "limit-file-size:0", "set:a=1", "wait"], in: folder)
      let start = ContinuousClock.now
      // Its standard input is left open: nothing else ends it.
      XCTAssertNil(child.line())
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(2.9))
      XCTAssertEqual(try child.wait().end, .exit(7))
    }

    func testAnErrorThatPassesDuringTheEndLosesNothing() throws {
      let strace = try SystemCalls.tracer()
      let folder = try TemporaryFolder()
      // A save makes the file safe, and then the directory.
      let child = try ChildProcess(
        ["saving", "set-at-exit", "set:a=1", "flush"], in: folder,
        startedBy: [
          strace, "-f", "-o", "/dev/null", "-e", "trace=fsync",
          "-e", "inject=fsync:error=EIO:when=3",
        ])
      let (end, _, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertTrue(errors.contains("Input/output error"), errors)
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "at exit": "set"])
    }

  }

  extension ChildProcess {
    /// Reads its output up to a line, runs the body with what came before, and lets it go on.
    func afterLine(
      _ expected: String, _ body: (_ lines: [String]) throws -> Void
    ) throws -> Self {
      var lines: [String] = []
      while let line = line(), line != expected { lines.append(line) }
      try body(lines)
      try goOn()
      return self
    }
  }
#endif
