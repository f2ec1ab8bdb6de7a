#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Dispatch
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// Where the file is, and how it is replaced.
  final class PreferencesFileTests: XCTestCase {
    // MARK: Location

    /// What the library saves, Foundation finds, and the other way round.
    private func assertSharesFileWithFoundation(
      _ suite: String..., environment: (TemporaryFolder) -> [String: String] = { _ in [:] },
      at place: (TemporaryFolder) -> String, line: UInt = #line
    ) throws {
      let folder = try TemporaryFolder()
      func run(_ steps: String...) throws -> [String] {
        let (end, output, errors) = try ChildProcess(
          ["saving"] + suite.map { "suite:" + $0.replacing("FOLDER", with: folder.path) } + steps,
          in: folder, environment: environment(folder)
        ).wait()
        XCTAssertEqual(end, .exit(0), line: line)
        XCTAssertEqual(errors, "", line: line)
        return output
      }
      XCTAssertEqual(try run("set:a=1", "flush"), ["flushed"], line: line)
      let path = place(folder)
      XCTAssertTrue(FileManager.default.fileExists(atPath: path), path, line: line)
      XCTAssertEqual(try run("raw-get:a", "raw-set:a=2", "synchronize"), ["1"], line: line)
      XCTAssertEqual(try run("get:a"), ["2"], line: line)
    }

    func testTheStandardFileIsNamedLikeTheProcess() throws {
      try assertSharesFileWithFoundation(at: { $0.plist() })
    }

    func testSuitesOfAnyName() throws {
      let names = [
        "com.example.app", "a b", "é\u{1F600}", "100%", "a%20b", "#?;:&", "a//b", "..", ".",
        "FOLDER/absolute", "inner/name", "../\(UUID())", "a\\b", String(repeating: "n", count: 240),
      ]
      for name in names where !name.hasPrefix("../") {
        try assertSharesFileWithFoundation(
          name,
          at: {
            name.hasPrefix("FOLDER")
              ? name.replacing("FOLDER", with: $0.path) + ".plist" : $0.plist(name)
          })
      }
      try assertSharesFileWithFoundation(
        "../outer", environment: { ["XDG_CONFIG_HOME": $0.path + "/inner"] },
        at: { $0.plist("outer") })
    }

    func testTheConfigurationDirectoryComesFromTheEnvironment() throws {
      try assertSharesFileWithFoundation(
        environment: { ["XDG_CONFIG_HOME": "", "HOME": $0.path] },
        at: { $0.path + "/.config/Probe.plist" })
      try assertSharesFileWithFoundation(
        environment: { ["XDG_CONFIG_HOME": "relative", "HOME": $0.path] },
        at: { $0.path + "/.config/Probe.plist" })
      try assertSharesFileWithFoundation(
        environment: { ["XDG_CONFIG_HOME": $0.path + "/a b/", "HOME": "/nowhere"] },
        at: { $0.path + "/a b/Probe.plist" })
    }

    func testTheEnvironmentIsThatOfTheLaunch() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set-home:\(folder.path)/other", "set:a=1", in: folder)
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    // MARK: Replacing

    @discardableResult
    func replace(
      _ path: String, with text: String = "new"
    ) throws -> FileVersion? {
      let locked = try PreferencesFile(path: path).locked()
      return try locked.replace(with: Data(text.utf8))
    }

    private func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func testANewFileIsForItsUserAlone() throws {
      let folder = try TemporaryFolder()
      try replace(folder.plist())
      XCTAssertEqual(try mode(folder.plist()), 0o600)
    }

    func testTheMaskOfTheProcessTakesNothingAway() throws {
      let folder = try TemporaryFolder()
      let mask = umask(0o777)
      defer { umask(mask) }
      try replace(folder.plist("new/folder/Probe"))
      XCTAssertEqual(try mode(folder.plist("new/folder/Probe")), 0o600)
      XCTAssertEqual(try mode(folder.path + "/new"), 0o700)
      XCTAssertEqual(try mode(folder.path + "/new/folder"), 0o700)
    }

    func testNoFileIsOpenedAsAStandardStream() throws {
      let input = dup(STDIN_FILENO)
      close(STDIN_FILENO)
      defer {
        dup2(input, STDIN_FILENO)
        close(input)
      }
      XCTAssertGreaterThan(try FileDescriptor("/", O_RDONLY).number, STDERR_FILENO)
      XCTAssertEqual(fcntl(STDIN_FILENO, F_GETFD), -1)
    }

    func testReplacingKeepsPermissionsAndOwner() throws {
      let folder = try TemporaryFolder()
      try folder.write(Data("old".utf8))
      XCTAssertEqual(chmod(folder.plist(), 0o664), 0)
      if geteuid() == 0 { XCTAssertEqual(chown(folder.plist(), 65534, 65534), 0) }
      try replace(folder.plist())
      XCTAssertEqual(try mode(folder.plist()), 0o664)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(
        attributes[.ownerAccountID] as? Int, geteuid() == 0 ? 65534 : Int(geteuid()))
    }

    func testReplacingGoesThroughSymbolicLinks() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path + "/elsewhere", withIntermediateDirectories: false)
      // One after another, and the last leads to nothing yet.
      symlink("elsewhere/link", folder.plist())
      symlink("target.plist", folder.path + "/elsewhere/link")
      for text in ["first", "second"] {
        try replace(folder.plist(), with: text)
        XCTAssertEqual(
          FileManager.default.contents(atPath: folder.path + "/elsewhere/target.plist"),
          Data(text.utf8))
      }
      XCTAssertEqual(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.plist()),
        "elsewhere/link")
    }

    func testALinkThroughADirectoryWhoseNameIsNoTextFailsAndWritesNowhereElse() throws {
      let folder = try TemporaryFolder()
      let directory = Array(folder.path.utf8) + Array("/".utf8) + [0xFF]
      XCTAssertEqual((directory + [0]).withUnsafeBytes { mkdir($0.baseAddress!, 0o700) }, 0)
      let target = directory + Array("/target.plist".utf8) + [0]
      XCTAssertEqual(target.withUnsafeBytes { symlink($0.baseAddress!, folder.plist()) }, 0)
      let names = try folder.files
      XCTAssertThrowsError(try replace(folder.plist())) {
        XCTAssertEqual("\($0)", "Invalid or incomplete multibyte or wide character")
      }
      XCTAssertEqual(try folder.files, names)
    }

    func testALinkThatLeadsToItselfFails() throws {
      let folder = try TemporaryFolder()
      symlink("Probe.plist", folder.plist())
      XCTAssertThrowsError(try replace(folder.plist())) {
        XCTAssertEqual("\($0)", "Too many levels of symbolic links")
      }
    }

    func testWhatIsNoFileIsNotEvenOpened() throws {
      let folder = try TemporaryFolder()
      mkfifo(folder.plist(), 0o600)
      let watch = inotify_init1(Int32(IN_NONBLOCK))
      defer { close(watch) }
      inotify_add_watch(watch, folder.plist(), UInt32(IN_OPEN))
      XCTAssertThrowsError(try PreferencesFile(path: folder.plist()).read(unless: nil)) {
        XCTAssertEqual("\($0)", "it is a pipe, a socket or a device")
      }
      var event = [UInt8](repeating: 0, count: 100)
      XCTAssertEqual(read(watch, &event, event.count), -1, "it has been opened")
    }

    func testTheLongestNameHasRoomForASaveAndForADamagedFile() throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/" + String(repeating: "é", count: 125) + ".tail"
      try replace(path)
      let kept = try keep("new", path)
      let copy = try XCTUnwrap(kept)
      XCTAssertTrue(copy.hasSuffix("é.damaged-1"))
      XCTAssertEqual(FileManager.default.contents(atPath: copy), Data("new".utf8))
    }

    private func keep(_ text: String, _ path: String) throws -> String? {
      try PreferencesFile(path: path).locked().keep(Data(text.utf8))
    }

    func testASaveThatWouldPassTheLimitOfSizeIsRefused() throws {
      let folder = try TemporaryFolder()
      try replace(folder.plist(), with: "old")
      let file = try PreferencesFile(path: folder.plist()).locked()
      XCTAssertThrowsError(try file.replace(with: Data(count: 100_000_001))) {
        XCTAssertEqual("\($0)", "it may have 100 MB at most")
      }
      XCTAssertEqual(
        FileManager.default.contents(atPath: folder.plist()), Data("old".utf8))
    }

    func testADamagedFileIsKeptOnce() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(try keep("one", folder.plist()), folder.plist() + ".damaged-1")
      XCTAssertNil(try keep("one", folder.plist()))
      XCTAssertEqual(try keep("two", folder.plist()), folder.plist() + ".damaged-2")
      XCTAssertEqual(try folder.files, ["Probe.plist.damaged-1", "Probe.plist.damaged-2"])
    }

    func testTheFirstNineDamagedFilesAndTheLatestAreKept() throws {
      let folder = try TemporaryFolder()
      for number in 1...12 {
        XCTAssertEqual(
          try keep("\(number)", folder.plist()), folder.plist() + ".damaged-\(min(number, 10))")
      }
      for (number, text) in [(1, "1"), (9, "9"), (10, "12")] {
        XCTAssertEqual(
          FileManager.default.contents(atPath: folder.plist() + ".damaged-\(number)"),
          Data(text.utf8))
      }
      XCTAssertEqual(try folder.files.count, 10)
    }

    func testWhatAKilledProcessLeftBehindIsClearedAway() throws {
      let folder = try TemporaryFolder()
      try Data("left".utf8).write(to: URL(filePath: folder.path + "/.TypedDefaults.saving"))
      try replace(folder.plist())
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    func testWhatCannotBeClearedAwayBlocksNobody() throws {
      let folder = try TemporaryFolder()
      let planted = folder.path + "/.TypedDefaults.saving"
      try FileManager.default.createDirectory(atPath: planted, withIntermediateDirectories: false)
      try replace(folder.plist())
      XCTAssertEqual(try folder.files, [".TypedDefaults.saving", "Probe.plist"])
    }

    func testWhatRootMakesInAUsersDirectoryIsTheUsers() throws {
      guard geteuid() == 0 else { throw XCTSkip("only root can give files away") }
      let folder = try TemporaryFolder()
      XCTAssertEqual(chown(folder.path, 65534, 65534), 0)
      try replace(folder.path + "/new/folder/Probe.plist")
      for path in ["/new", "/new/folder", "/new/folder/Probe.plist"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + path)
        XCTAssertEqual(attributes[.ownerAccountID] as? Int, 65534, path)
        XCTAssertEqual(attributes[.groupOwnerAccountID] as? Int, 65534, path)
      }
    }

  }

  extension PreferencesFile.Locked {
    /// Keeps it until now.
    func use() {}
  }

  extension Thread {
    static func detachNewThreadAndWait(_ body: @escaping @Sendable () -> Void) {
      let isDone = DispatchSemaphore(value: 0)
      detachNewThread {
        body()
        isDone.signal()
      }
      isDone.wait()
    }
  }
#endif
