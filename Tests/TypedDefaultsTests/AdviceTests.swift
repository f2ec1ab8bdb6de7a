#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// A message about the preferences file says what to do about the error.
  final class AdviceTests: XCTestCase {
    func testEachErrorHasItsAdvice() {
      let elsewhere = "give the suite a path in another directory."
      let advice: [CInt: String] = [
        EACCES: "Check the permissions of '/missing/it''s', and the rules of SELinux or AppArmor.",
        EBUSY: "If the file is a mount point, mount its directory instead.",
        EDQUOT: "Delete files of this user, or raise the disk quota.",
        EFBIG: "Raise the program's file-size limit (ulimit -f).",
        EIO: "Check the disk: dmesg shows its errors.",
        ELOOP: "Correct the symbolic link '/missing/it''s', which leads back to itself.",
        EMFILE: "Close files that the program does not need, or raise its limit (ulimit -n).",
        ENAMETOOLONG: "Give the suite a shorter name.",
        ENFILE: "End programs that have many files open, or raise fs.file-max (sysctl).",
        ENOLCK: "If its file system has no file locks, \(elsewhere)",
        ENOMEM: "Free memory.",
        ENOSPC: "Free disk space.",
        ENOTDIR: "A part of the path is a file: move it away, or \(elsewhere)",
        EPERM: "If lsattr shows that the file or its directory is immutable, run chattr -i.",
        EROFS: "Mount the file system for writing, or \(elsewhere)",
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
        XCTAssertEqual(
          PreferencesFile(suite: suite).advice(on: SystemError(EROFS)),
          " Mount the file system for writing, or \(place) another directory.")
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
      try file.withLock { _ in
        func lockAgain() throws { _ = try DirectoryLock(Path(folder.path), patience: .zero) }
        XCTAssertThrowsError(try lockAgain()) { error in
          XCTAssertEqual(
            DefaultsIssue.notSaved(file, error).description,
            """
            The preferences could not be saved in \(file.path): another process holds the lock of the \
            directory. The changes are kept in memory for the next save. Find that process with \
            lslocks, and end it if it hangs.
            """)
        }
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

    /// The user that a child without privileges runs as.
    private let user = geteuid() == 0 ? 65534 : geteuid()

    /// The advice to a child that may not pass, read or write one of these.
    private func advice(
      closing path: String, to mode: mode_t, givenAway: Bool, home: String,
      of folder: TemporaryFolder, cause: String = "Permission denied"
    ) throws -> String {
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      if givenAway { try XCTSkipIf(chown(path, user, user) != 0) }
      XCTAssertEqual(chmod(path, mode), 0)
      defer { chmod(path, 0o700) }
      let (_, output, _) = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush"], in: folder,
        environment: ["XDG_CONFIG_HOME": home]
      ).wait()
      let start =
        "saved in \(home)/Probe.plist: \(cause). The changes are kept in memory for the next save. "
      let parts = try XCTUnwrap(output.first).split(separator: start, maxSplits: 1)
      return parts.count == 2 ? String(parts[1]) : output[0]
    }

    func testWhatTheUserOwnsIsToBeOpenedByChmod() throws {
      let folder = try TemporaryFolder()
      let outer = folder.path + "/outer"
      let home = outer + "/a home"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      XCTAssertEqual(chmod(home, 0o777), 0)
      try Data("<plist version=\"1.0\"><dict/></plist>".utf8)
        .write(to: URL(filePath: home + "/Probe.plist"))
      for (path, mode) in [(outer, 0o600), (home, 0o500), (home + "/Probe.plist", 0o200)] {
        XCTAssertEqual(
          try advice(closing: path, to: mode_t(mode), givenAway: true, home: home, of: folder),
          "Run chmod u+rwX '\(path)'.")
        // As it was.
        XCTAssertEqual(chmod(path, 0o777), 0)
      }
    }

    func testWhatAnotherUserOwnsIsToBeGivenToTheUserOrLeft() throws {
      try XCTSkipIf(geteuid() != 0, "Only root makes what another user owns")
      let folder = try TemporaryFolder()
      let home = folder.path + "/home"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      XCTAssertEqual(
        try advice(closing: home, to: 0o755, givenAway: false, home: home, of: folder),
        foreign(home, "Run chown 65534 '\(home)' as root, or set"))
      // The directory of a home that is not there may be anybody's, such as the system's.
      XCTAssertEqual(
        try advice(closing: home, to: 0o755, givenAway: false, home: home + "/missing", of: folder),
        foreign(home, "Set"))
    }

    func testADamagedFileOfAnotherUserIsToBeGivenToTheUser() throws {
      try XCTSkipIf(geteuid() != 0, "Only root makes what another user owns")
      let protects = try? String(
        contentsOfFile: "/proc/sys/fs/protected_hardlinks", encoding: .utf8)
      try XCTSkipIf(protects != "1\n", "A link to the file is allowed")
      let folder = try TemporaryFolder()
      let damaged = folder.plist()
      try Data("damaged".utf8).write(to: URL(filePath: damaged))
      XCTAssertEqual(
        try advice(
          closing: damaged, to: 0o644, givenAway: false, home: folder.path, of: folder,
          cause: "Operation not permitted"),
        foreign(damaged, "Run chown 65534 '\(damaged)' as root, or set"))
    }

    private func foreign(_ path: String, _ change: String) -> String {
      """
      '\(path)' belongs to user 0, and the program runs as user 65534. \(change) XDG_CONFIG_HOME \
      to a directory of user 65534.
      """
    }
  }
#endif
