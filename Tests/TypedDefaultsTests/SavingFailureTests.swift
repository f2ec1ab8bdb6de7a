#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// What cannot be saved or read is reported, and nothing is lost.
  class SavingFailureTests: SavingTestCase {
    private func notSaved(_ folder: TemporaryFolder, _ cause: String, _ advice: String) -> String {
      """
      The preferences could not be saved in \(folder.plist()): \(cause). The changes are kept in \
      memory for the next save. \(advice)
      """
    }

    private func forbidden(_ folder: TemporaryFolder) -> String {
      notSaved(folder, "Permission denied", permissionAdvice(folder.path))
    }

    /// To a child without privileges.
    private func permissionAdvice(_ path: String) -> String {
      """
      The program runs as user \(geteuid() == 0 ? 65534 : geteuid()). Run ls -ld '\(path)/' \
      '\(path)/Probe.plist' to see who may use the file and its directory. Give both to that user \
      with sudo chown \(geteuid() == 0 ? 65534 : geteuid()) '\(path)/' '\(path)/Probe.plist', or set \
      XDG_CONFIG_HOME to another directory.
      """
    }

    private func savedAgain(_ folder: TemporaryFolder) -> String {
      """
      The preferences are saved again in \(folder.plist()). No change that was kept is lost.
      """
    }

    // MARK: Writing

    func testAFullDiskIsReportedOnceAndTheNextSaveCarriesTheChange() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=old", in: folder)
      let large = String(repeating: "b", count: 2000)
      let fileTooLarge = notSaved(
        folder, "File too large", "Raise the program's file-size limit: ulimit -f unlimited.")
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

    func testAReadOnlyDirectoryIsReportedAndTheExitSavesTheChange() throws {
      let folder = try TemporaryFolder()
      try Data().write(to: URL(filePath: folder.path + "/occupied"))
      XCTAssertEqual(chmod(folder.path, 0o555), 0)
      let child = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush", "get:a", "wait"], in: folder)
      XCTAssertEqual(child.line(), forbidden(folder))
      XCTAssertEqual(child.line(), "1")
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      try child.goOn()
      let (end, _, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(
        errors, "TypedDefaults: \(forbidden(folder))\nTypedDefaults: \(savedAgain(folder))\n")
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    func testWhereTheDirectoryCannotBeLockedAFileInItIs() throws {
      let folder = try TemporaryFolder()
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
      let folder = try TemporaryFolder()
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
      let advice =
        " A part of the path is a file: move it away, or set XDG_CONFIG_HOME to another directory."
      XCTAssertTrue(output[0].hasSuffix(advice), output[0])
      XCTAssertEqual(output[1], "1")
    }

    func testACallForAWholeDomainWaitsForNoLock() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "suite:Probe", "set:a=1", "raw-remove-all", "print:removed", "wait"], in: folder)
      let start = ContinuousClock.now
      try whileLocked(folder) {
        XCTAssertEqual(child.line(), "removed")
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(3))
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
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(2))
      XCTAssertEqual(try child.wait().end, .exit(7))
    }

    func testAnErrorThatPassesDuringTheEndLosesNothing() throws {
      let strace = "/usr/bin/strace"
      guard FileManager.default.isExecutableFile(atPath: strace) else {
        throw XCTSkip("strace is not installed")
      }
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

    // MARK: Damaged files

    private let damaged: [Data] = [
      Data(),
      Data(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\t<ke".utf8),
      Data([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
      Data("<plist version=\"1.0\"><array><string>no dictionary</string></array></plist>".utf8),
      Data(
        """
        <plist version="1.0"><dict><key>a</key><string>1</string><key>p</key>
        <dict><key>CF$UID</key><integer>1</integer></dict></dict></plist>
        """.utf8),
      // In the binary format, a set of a dictionary under the key "a": Foundation ends the process.
      Data("bplist00".utf8) + Data([0xD1, 1, 2, 0x51, 0x61, 0xC1, 3, 0xD0, 8, 11, 13, 15])
        + Data(count: 6) + Data([1, 1])
        + Data([4, 0, 16].flatMap { Data(count: 7) + Data([$0]) }),
    ]

    private func copy(_ folder: TemporaryFolder) -> String { folder.plist() + ".damaged-1" }

    /// The end of the report, with the command that restores the settings.
    private func kept(_ folder: TemporaryFolder) -> String {
      """
      . It is replaced, and a copy is kept. To restore its settings, end the program, correct the \
      copy, and run mv '\(copy(folder))' '\(folder.plist())'.
      """
    }

    func testADamagedFileIsReportedAndTheFirstSaveKeepsACopy() throws {
      let running = try damaged.map { data in
        let folder = try TemporaryFolder()
        try folder.write(data)
        let child = try ChildProcess(["saving", "get:a", "wait", "set:a=new", "flush"], in: folder)
        XCTAssertEqual(child.line(), "nil")
        return (data, folder, child)
      }
      for (data, folder, child) in running {
        XCTAssertEqual(try folder.files, ["Probe.plist"], "who only reads moves nothing")
        XCTAssertEqual(FileManager.default.contents(atPath: folder.plist()), data)
        try child.goOn()
      }
      for (data, folder, child) in running {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, ["flushed"])
        let lines = errors.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.count, 2, errors)
        XCTAssertTrue(
          lines[0].hasPrefix("TypedDefaults: \(folder.plist()) is damaged: "), errors)
        XCTAssertTrue(
          lines[0].hasSuffix(
            """
            . Its settings return their defaults. Correct the file. If the program changes a setting \
            first, it keeps a copy of the file and replaces it.
            """), errors)
        XCTAssertTrue(lines[1].hasSuffix(kept(folder)), errors)
        XCTAssertEqual(FileManager.default.contents(atPath: copy(folder)), data)
        XCTAssertEqual(try folder.contents() as? [String: String], ["a": "new"])
      }
    }

    func testAFileDamagedInMidRunIsKeptAsideAndTheLastGoodCopyIsSaved() throws {
      let running = try part(of: damaged).map { data in
        let folder = try TemporaryFolder()
        _ = try ChildProcess.save("set:a=1", "set:b=1", in: folder)
        let child = try ChildProcess(["saving", "get:a", "wait", "set:b=2", "flush"], in: folder)
        XCTAssertEqual(child.line(), "1")
        try folder.write(data)
        try child.goOn()
        return (data, folder, child)
      }
      for (data, folder, child) in running {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, ["flushed"])
        XCTAssertTrue(errors.contains(kept(folder)), errors)
        XCTAssertEqual(FileManager.default.contents(atPath: copy(folder)), data)
        XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2"])
      }
    }

    func testAPipeInTheFilesPlaceIsReported() throws {
      let folder = try TemporaryFolder()
      mkfifo(folder.plist(), 0o600)
      let child = try ChildProcess(["saving", "print-issues", "get:a"], in: folder)
      var line = child.line()
      // A saved store does not wait for the pipe.
      if line == "nil" { line = child.line() }
      XCTAssertEqual(
        line,
        """
        \(folder.plist()) cannot be read: it is a pipe, a socket or a device. Its settings return their defaults, and \
        changes are kept in memory only. Move it away: mv '\(folder.plist())' '\(folder.plist()).old'.
        """)
      // Foundation may wait for somebody who writes to it.
      child.stop()
      try child.wait()
    }

    func testWithTenCopiesAProgramThatOnlyReadsLeavesADamagedFile() throws {
      let folder = try TemporaryFolder()
      for number in 1...10 {
        try Data("\(number)".utf8).write(
          to: URL(filePath: folder.plist() + ".damaged-\(number)"))
      }
      try folder.write(damaged[1])
      let (end, output, errors) = try ChildProcess(["saving", "get:a"], in: folder).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["nil"])
      XCTAssertTrue(errors.contains("is damaged"), errors)
      XCTAssertEqual(FileManager.default.contents(atPath: folder.plist()), damaged[1])
      XCTAssertEqual(FileManager.default.contents(atPath: copy(folder)), Data("1".utf8))
      XCTAssertEqual(try folder.files.count, 11)
    }

    func testADirectoryThatIsGoneIsNotMadeForARemoval() throws {
      let folder = try TemporaryFolder()
      let home = folder.path + "/home"
      let child = try ChildProcess(
        ["saving", "set:a=1", "flush", "wait", "remove:a", "flush", "remove:b", "flush"],
        in: folder, environment: ["XDG_CONFIG_HOME": home])
      XCTAssertEqual(child.line(), "flushed")
      try FileManager.default.removeItem(atPath: home)
      try child.goOn()
      XCTAssertEqual(try child.wait().output, ["flushed", "flushed"])
      XCTAssertEqual(try folder.files, [])
    }

    func testWhatSynchronizeHasPoisonedIsMended() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess(
        ["saving", "set:a=1", "flush", "raw-poison:p", "synchronize", "set:b=1"], in: folder
      ).wait()
      XCTAssertEqual(try ChildProcess.save("get:a", "get:b", in: folder), ["1", "1"])
    }

    func testAFileThatMayNotBeReadStaysAsItIs() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=1", in: folder)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      XCTAssertEqual(chmod(folder.plist(), 0), 0)
      let (end, output, errors) = try ChildProcess(
        ["saving", "without-privileges", "get:a", "set:b=1", "flush", "get:b"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      let advice = permissionAdvice(folder.path)
      XCTAssertEqual(output, ["nil", notSaved(folder, "Permission denied", advice), "1"])
      XCTAssertTrue(errors.contains("\(folder.plist()) cannot be read: Permission denied."), errors)
      XCTAssertEqual(chmod(folder.plist(), 0o600), 0)
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }
  }

  extension ChildProcess {
    /// Reads its output up to a line, runs the body with what came before, and lets it go on.
    fileprivate func afterLine(
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
