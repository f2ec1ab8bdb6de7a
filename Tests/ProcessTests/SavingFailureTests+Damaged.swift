#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  extension SavingFailureTests {
    // MARK: Damaged files

    private static let damaged: [Data] = [
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

    /// The end of the report.
    private func kept(_ folder: TemporaryFolder) -> String {
      ". It is replaced, and a copy is kept in \(copy(folder))."
    }

    func testADamagedFileIsReportedAndTheFirstSaveKeepsACopy() throws {
      let running = try Self.damaged.map { data in
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
            . The library uses none of its values. Correct the file. If the program changes a setting \
            first, it keeps a copy of the file and replaces it.
            """), errors)
        XCTAssertTrue(lines[1].hasSuffix(kept(folder)), errors)
        XCTAssertEqual(FileManager.default.contents(atPath: copy(folder)), data)
        XCTAssertEqual(try folder.contents() as? [String: String], ["a": "new"])
      }
    }

    func testAFileDamagedInMidRunIsKeptAsideAndTheLastGoodCopyIsSaved() throws {
      let running = try part(of: Self.damaged).map { data in
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

    func testADamagedFileOnAFullDiskIsLeftAlone() throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.damaged[1])
      let (end, output, _) = try ChildProcess(
        ["saving", "limit-file-size:10", "set:a=1", "flush"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, [folder.notSaved("File too large")])
      XCTAssertEqual(try folder.files, ["Probe.plist"])
      XCTAssertEqual(FileManager.default.contents(atPath: folder.plist()), Self.damaged[1])
    }

    func testAFileLargerThanTheLimitIsLeftAlone() throws {
      let folder = try TemporaryFolder()
      try folder.write(Data("<plist>".utf8))
      let size = 100_000_001
      XCTAssertEqual(truncate(folder.plist(), size), 0)
      let (end, output, errors) = try ChildProcess(
        ["saving", "get:a", "remove:a", "flush", "set:a=1", "flush", "get:a"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      let limit = "it may have 100 MB at most"
      XCTAssertEqual(output, ["nil", folder.notSaved(limit), folder.notSaved(limit), "1"])
      XCTAssertTrue(
        errors.contains("\(folder.plist()) cannot be read: \(limit). The library uses none"), errors
      )
      XCTAssertEqual(try folder.files, ["Probe.plist"])
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(attributes[.size] as? Int, size)
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
        \(folder.plist()) cannot be read: it is a pipe, a socket or a device. The library uses none of \
        its values, and keeps changes in memory only.
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
      try folder.write(Self.damaged[1])
      let (end, output, errors) = try ChildProcess(["saving", "get:a"], in: folder).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["nil"])
      XCTAssertTrue(errors.contains("is damaged"), errors)
      XCTAssertEqual(FileManager.default.contents(atPath: folder.plist()), Self.damaged[1])
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
      let folder = try TemporaryFolder(isForAllUsers: true)
      _ = try ChildProcess.save("set:a=1", in: folder)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      XCTAssertEqual(chmod(folder.plist(), 0), 0)
      let (end, output, errors) = try ChildProcess(
        ["saving", "without-privileges", "get:a", "set:b=1", "flush", "get:b"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(output, ["nil", folder.notSaved("Permission denied"), "1"])
      XCTAssertTrue(errors.contains("\(folder.plist()) cannot be read: Permission denied."), errors)
      XCTAssertEqual(chmod(folder.plist(), 0o600), 0)
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }
  }
#endif
