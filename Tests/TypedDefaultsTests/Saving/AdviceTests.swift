#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// A message about the preferences file says what to do about the error.
  final class AdviceTests: XCTestCase {
    func testEachErrorHasItsAdvice() throws {
      let elsewhere = "give the suite a path in another directory."
      let folder = try TemporaryFolder()
      let (directory, path) = (folder.path + "/", folder.path + "/it's")
      let quoted = "'\(folder.path)/it''s'"
      let permissions = """
        The program runs as user \(geteuid()), and no permission forbids that. Look for an attribute with \
        lsattr -d '\(directory)' \(quoted), or for a rule of SELinux or AppArmor, or \(elsewhere)
        """
      let advice: [CInt: String] = [
        EACCES: permissions,
        EBUSY: "If the file is a mount point, mount its directory instead.",
        EDQUOT: "Delete files of this user, or raise the disk quota, which quota -s shows.",
        EFBIG: "Raise the program's file-size limit: ulimit -f unlimited.",
        EIO: "Check the disk: sudo dmesg shows its errors.",
        ELOOP: "Correct the symbolic link \(quoted), which leads back to itself.",
        EMFILE:
          "Close files that the program does not need, or raise its limit: ulimit -n 4096.",
        ENAMETOOLONG: "Give the suite a shorter name.",
        ENFILE:
          "End programs that have many files open, or raise the limit that sysctl fs.file-max shows.",
        ENOMEM: "Free memory.",
        ENOSPC: "Free disk space: df -h '\(directory)' shows how much is left.",
        ENOTDIR: "A part of the path is a file: move it away, or \(elsewhere)",
        EPERM: permissions,
        EROFS: """
        Mount the file system for writing, which findmnt -T '\(directory)' names, or \(elsewhere)
        """,
        ESTALE: "Mount the network file system again.",
      ]
      let file = PreferencesFile(path: path)
      for (code, sentences) in advice {
        XCTAssertEqual(
          file.advice(on: SystemError(code)),
          " " + sentences.replacing("''", with: #"'\''"#), "\(SystemError(code))")
      }
      XCTAssertEqual(file.advice(on: SystemError(ECHILD)), "")
      XCTAssertEqual(
        DefaultsIssue.notSaved(file, SystemError(ECHILD)).description,
        """
        The preferences could not be saved in \(path): No child processes. The changes are kept \
        in memory for the next save.
        """)
      XCTAssertEqual(
        DefaultsIssue.notSaved(file, PreferencesFile.KeptChanging()).description,
        """
        The preferences could not be saved in \(path): other programs kept changing the file. \
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
          \(path) cannot be read: \(cause). Its values do not count, and changes are kept \
          in memory only. \(advice)
          """, line: line)
      }
    }

    // MARK: Permissions

    /// What a child without privileges is told first.
    private func issue(in folder: TemporaryFolder, home: String) throws -> String {
      let child = try ChildProcess(
        ["saving", "without-privileges", "set:a=1", "flush"], in: folder,
        environment: ["XDG_CONFIG_HOME": home])
      defer { child.stop() }  // At its end it would try again for half a second.
      return child.line() ?? ""
    }

    private func notSaved(_ home: String, _ cause: String, _ advice: String) -> String {
      """
      The preferences could not be saved in \(home)/Probe.plist: \(cause). The changes are kept in \
      memory for the next save. \(advice)
      """
    }

    /// The user as whom such a child runs.
    private var user: uid_t { geteuid() == 0 ? 65534 : geteuid() }

    /// Makes a directory for preferences with a mode, which belongs to a user.
    private func makeHome(_ mode: mode_t, of user: uid_t) throws -> (TemporaryFolder, String) {
      let folder = try TemporaryFolder(isForAllUsers: true)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      let home = folder.path + "/a home"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      addTeardownBlock { chmod(home, 0o700) }
      XCTAssertEqual(chown(home, user, .max), 0)
      XCTAssertEqual(chmod(home, mode), 0)
      return (folder, home)
    }

    func testAnotherUsersDirectoryIsToBeUsedByThatUser() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
      let (folder, home) = try makeHome(0o700, of: 0)
      XCTAssertEqual(
        try issue(in: folder, home: home),
        notSaved(
          home, "Permission denied",
          """
          The program runs as user \(user), and '\(home)/' belongs to user 0. Run the program as that \
          user, or set XDG_CONFIG_HOME to another directory. If the settings are to be the program's \
          own, run sudo chown \(user) '\(home)/' '\(home)/Probe.plist'.
          """))
    }

    func testAnotherUsersDirectoryAroundAMissingOneIsLeftToThatUser() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
      let (folder, home) = try makeHome(0o755, of: 0)
      XCTAssertEqual(
        try issue(in: folder, home: home + "/new/folder"),
        notSaved(
          home + "/new/folder", "Permission denied",
          """
          The program runs as user \(user), and '\(home)/' belongs to user 0. Run the program as that \
          user, or set XDG_CONFIG_HOME to another directory.
          """))
    }

    /// In a directory such as `/tmp`, which nobody is to give away.
    func testAnotherUsersFileInAStickyDirectoryIsLeftToThatUser() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
      let (folder, home) = try makeHome(0o1777, of: 0)
      try Data("<plist><dict></dict></plist>".utf8).write(to: URL(filePath: home + "/Probe.plist"))
      for mode in [0o644, 0o600] as [mode_t] {
        XCTAssertEqual(chmod(home + "/Probe.plist", mode), 0)
        XCTAssertEqual(
          try issue(in: folder, home: home),
          notSaved(
            home, mode == 0o644 ? "Operation not permitted" : "Permission denied",
            """
            The program runs as user \(user), and '\(home)/Probe.plist' belongs to user 0, who alone may \
            replace it in a sticky directory. Run the program as that user, or set XDG_CONFIG_HOME to \
            another directory.
            """))
      }
    }

    func testAFileThatBelongsToAnotherUserOnPurposeIsLeftToThatUser() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
      let (folder, home) = try makeHome(0o755, of: 65534)
      try Data().write(to: URL(filePath: home + "/Probe.plist"))
      XCTAssertEqual(chmod(home + "/Probe.plist", 0o600), 0)
      XCTAssertEqual(
        try issue(in: folder, home: home),
        notSaved(
          home, "Permission denied",
          """
          The program runs as user \(user), and '\(home)/Probe.plist' belongs to user 0. Run the program \
          as that user, or set XDG_CONFIG_HOME to another directory. If the settings are to be the \
          program's own, run sudo chown \(user) '\(home)/Probe.plist'.
          """))
    }

    func testTheUsersOwnDirectoryOrFileIsToBePermittedAgain() throws {
      let (folder, home) = try makeHome(0o555, of: user)
      for path in [home + "/", home + "/Probe.plist"] {
        XCTAssertEqual(
          try issue(in: folder, home: home),
          notSaved(
            home, "Permission denied",
            "The program runs as user \(user), the owner. Run chmod u+rwX '\(path)'."))
        XCTAssertEqual(chmod(home, 0o755), 0)
        try Data().write(to: URL(filePath: home + "/Probe.plist"))
        XCTAssertEqual(chown(home + "/Probe.plist", user, .max), 0)
        XCTAssertEqual(chmod(home + "/Probe.plist", 0o200), 0)
      }
    }

    func testALinkOfTheDirectoryThatLeadsNowhereIsToLeadSomewhere() throws {
      let folder = try TemporaryFolder()
      let (link, target) = (folder.path + "/link", folder.path + "/it's missing")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      for home in [link, link + "/inside"] {
        XCTAssertEqual(
          try issue(in: folder, home: home),
          notSaved(
            home, "No such file or directory",
            """
            The symbolic link '\(link)' leads to '\(folder.path)/it'\\''s missing', which is missing. \
            Correct the link, or make the directory: mkdir -p '\(folder.path)/it'\\''s missing'.
            """))
      }
    }
  }
#endif
