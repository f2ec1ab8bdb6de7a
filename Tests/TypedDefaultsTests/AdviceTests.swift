#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// A message about the preferences file says what to do about the error.
  final class AdviceTests: XCTestCase {
    func testEachErrorHasItsAdvice() {
      let elsewhere = "give the suite a path in another directory."
      let permissions = """
        The program runs as user \(geteuid()). Run ls -ld '/missing/' '/missing/it''s' to see who may \
        use the file and its directory. Give both to that user with sudo chown \(geteuid()) \
        '/missing/' '/missing/it''s', or \(elsewhere)
        """
      let advice: [CInt: String] = [
        EACCES: permissions,
        EBUSY: "If the file is a mount point, mount its directory instead.",
        EDQUOT: "Delete files of this user, or raise the disk quota, which quota -s shows.",
        EFBIG: "Raise the program's file-size limit: ulimit -f unlimited.",
        EIO: "Check the disk: sudo dmesg shows its errors.",
        ELOOP: "Correct the symbolic link '/missing/it''s', which leads back to itself.",
        EMFILE:
          "Close files that the program does not need, or raise its limit: ulimit -n 4096.",
        ENAMETOOLONG: "Give the suite a shorter name.",
        ENFILE:
          "End programs that have many files open, or raise the limit that sysctl fs.file-max shows.",
        ENOMEM: "Free memory.",
        ENOSPC: "Free disk space: df -h '/missing/' shows how much is left.",
        ENOTDIR: "A part of the path is a file: move it away, or \(elsewhere)",
        EPERM: permissions,
        EROFS: """
        Mount the file system for writing, which findmnt -T '/missing/' names, or \(elsewhere)
        """,
        ESTALE: "Mount the network file system again.",
      ]
      let file = PreferencesFile(path: "/missing/it's")
      for (code, sentences) in advice {
        XCTAssertEqual(
          file.advice(on: SystemError(code)),
          " " + sentences.replacing("''", with: #"'\''"#), "\(SystemError(code))")
      }
      XCTAssertEqual(file.advice(on: SystemError(ECHILD)), "")
      XCTAssertEqual(
        DefaultsIssue.notSaved(file, SystemError(ECHILD)).description,
        """
        The preferences could not be saved in /missing/it's: No child processes. The changes are kept \
        in memory for the next save.
        """)
      XCTAssertEqual(
        DefaultsIssue.notSaved(file, PreferencesFile.KeptChanging()).description,
        """
        The preferences could not be saved in /missing/it's: other programs kept changing the file. \
        The changes are kept in memory for the next save. Let only one of them write the file at a \
        time.
        """)
    }

    func testOnlyTheFileOfANamedSuiteIsToBeMovedByAVariable() {
      for (suite, place) in [
        "app": "set XDG_CONFIG_HOME to", "/app": "give the suite a path in",
      ] {
        let advice = PreferencesFile(suite: suite).advice(on: SystemError(EROFS))
        XCTAssertTrue(advice.hasSuffix(", or \(place) another directory."), advice)
      }
    }

    func testADirectoryInTheFilesPlaceIsToBeMovedAway() throws {
      let folder = try TemporaryFolder()
      let path = folder.plist()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let (end, output, _) = try ChildProcess(["saving", "set:a=1", "flush"], in: folder).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(
        output,
        [
          """
          The preferences could not be saved in \(path): it is a directory. The changes are kept in \
          memory for the next save. Move it away: mv '\(path)' '\(path).old'.
          """
        ])
    }

    func testAHeldLockIsToBeReleasedByTheProcessThatHoldsIt() throws {
      let folder = try TemporaryFolder()
      let file = PreferencesFile(path: folder.plist())
      let descriptor = open(folder.path, O_RDONLY)
      defer { close(descriptor) }
      XCTAssertEqual(flock(descriptor, LOCK_EX), 0)
      func lock() throws { _ = try file.locked() }
      XCTAssertThrowsError(try lock()) { error in
        XCTAssertEqual(
          DefaultsIssue.notSaved(file, error).description,
          """
          The preferences could not be saved in \(file.path): another process holds the lock of the \
          directory. The changes are kept in memory for the next save. Find that process with \
          lslocks, and end it if it hangs.
          """)
      }
    }

    func testALinkToItselfIsToBeCorrected() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createSymbolicLink(
        atPath: folder.plist(), withDestinationPath: folder.plist())
      assertUnreadable(
        folder.plist(), "Too many levels of symbolic links",
        "Correct the symbolic link '\(folder.plist())', which leads back to itself.")
    }

    func testASuiteWhoseNameIsTooLongForAFileIsToGetAShorterOne() throws {
      let folder = try TemporaryFolder()
      assertUnreadable(
        folder.path + "/\(String(repeating: "x", count: 300))", "File name too long",
        "Give the suite a shorter name.")
    }

    private func assertUnreadable(
      _ path: String, _ cause: String, _ advice: String, line: UInt = #line
    ) {
      let file = PreferencesFile(path: path)
      XCTAssertThrowsError(try file.read(unless: nil), line: line) { error in
        XCTAssertEqual(
          DefaultsIssue.unreadable(file, error).description,
          """
          \(path) cannot be read: \(cause). Its settings return their defaults, and changes are kept \
          in memory only. \(advice)
          """, line: line)
      }
    }

    // MARK: Permissions

    func testWhatTheUserMayNotUseIsShownByACommand() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      let home = folder.path + "/a home"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      XCTAssertEqual(chmod(home, geteuid() == 0 ? 0o700 : 0), 0)
      defer { chmod(home, 0o700) }
      let (_, output, _) = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush"], in: folder,
        environment: ["XDG_CONFIG_HOME": home]
      ).wait()
      let user = geteuid() == 0 ? 65534 : geteuid()
      XCTAssertEqual(
        output.first,
        """
        The preferences could not be saved in \(home)/Probe.plist: Permission denied. The changes are \
        kept in memory for the next save. The program runs as user \(user). Run ls -ld '\(home)/' \
        '\(home)/Probe.plist' to see who may use the file and its directory. Give both to that user \
        with sudo chown \(user) '\(home)/' '\(home)/Probe.plist', or set XDG_CONFIG_HOME to another \
        directory.
        """)
    }
  }
#endif
