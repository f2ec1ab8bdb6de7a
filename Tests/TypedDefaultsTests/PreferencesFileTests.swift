#if os(Linux) || os(Android)
  import Foundation
  import XCTest

  @testable import TypedDefaults

  /// Where the file is, what it looks like, and how it is replaced.
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

    // MARK: Contents

    private let settings: [String: Any] = [
      "string": "<&\"'>\r\n\t\u{1}é\u{1F600}", "": "empty key", "a\"<&>": "", "int": -1,
      "large": UInt64.max, "real": 0.1, "infinite": -Double.infinity, "true": true, "false": false,
      "data": Data((0..<200).map { UInt8($0) }), "date": Date(timeIntervalSinceReferenceDate: -5e9),
      "array": [1, "two", [3.5, [String: Any]()] as [Any], [Any]()] as [Any],
      "dictionary": ["a": ["b": ["c": true]]],
    ]

    private func contents(_ settings: [String: Any]) throws -> PreferencesContents {
      var contents = PreferencesContents()
      for (key, object) in settings { try contents.set(PropertyListObject(object), for: key) }
      return contents
    }

    func testTheFormatIsFoundationsOwn() throws {
      var contents = try contents(settings.filter { $0.key.allSatisfy(\.isASCII) })
      let expected = try PropertyListSerialization.data(
        fromPropertyList: settings, format: .xml, options: 0)
      XCTAssertEqual(
        String(decoding: try contents.data(), as: UTF8.self),
        String(decoding: expected, as: UTF8.self))
    }

    func testReadsBackWhatItHolds() throws {
      var written = try contents(settings)
      let read = try PreferencesContents(parsing: written.data())
      for (key, object) in settings {
        XCTAssertEqual(read[key], PropertyListObject(object), key)
      }
      XCTAssertTrue(written.differences(in: read).isEmpty)
    }

    /// Foundation's own parser ends the process at some of these.
    func testMutatedBinaryFilesAreReadInPartOrNotAtAll() throws {
      let file = try PropertyListSerialization.data(
        fromPropertyList: settings, format: .binary, options: 0)
      XCTAssertTrue(
        try contents(settings).differences(in: PreferencesContents(parsing: file)).isEmpty)
      var generator = SystemRandomNumberGenerator()
      var readable = 0
      for _ in 1...10_000 {
        guard var contents = try? PreferencesContents(parsing: generator.mutated(file)) else {
          continue
        }
        readable += 1
        let written = try PreferencesContents(parsing: contents.data())
        XCTAssertEqual(written.keys.sorted(), contents.keys.sorted())
      }
      XCTAssertGreaterThan(readable, 0)
    }

    func testTakesOnDifferences() throws {
      var old = try contents(["same": 1, "changed": 1, "gone": 1])
      var new = try contents(["same": 1, "changed": 2, "new": 1])
      let differences = old.differences(in: new)
      XCTAssertEqual(Set(differences.keys), ["changed", "gone", "new"])
      XCTAssertEqual(differences["changed"], PropertyListObject(2))
      XCTAssertEqual(differences["gone"], .some(nil))
      old.adopt(differences)
      XCTAssertEqual(try old.data(), try new.data())
    }

    func testRefusesWhatWouldNotReadBack() throws {
      var contents = try contents(["a": 1])
      let before = try contents.data()
      let poison: [Any] = [
        ["CF$UID": 1], [["CF$UID": 1]], ["deep": ["CF$UID": 1]], NSNull(), URL(filePath: "/"),
        Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: .infinity),
      ]
      for object in poison {
        XCTAssertThrowsError(try contents.set(PropertyListObject(object), for: "p"), "\(object)")
      }
      XCTAssertThrowsError(try contents.set(PropertyListObject(1), for: "CF$UID"))
      XCTAssertEqual(try contents.data(), before)
    }

    // MARK: Replacing

    private func replace(_ path: String, with text: String = "new") throws {
      _ = try PreferencesFile(path: path).withLock { try $0.replace(with: Data(text.utf8)) }
    }

    private func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func testANewFileIsForItsUserAlone() throws {
      let folder = try TemporaryFolder()
      try replace(folder.plist())
      XCTAssertEqual(try mode(folder.plist()), 0o600)
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

    func testALinkThatLeadsToItselfFails() throws {
      let folder = try TemporaryFolder()
      symlink("Probe.plist", folder.plist())
      XCTAssertThrowsError(try replace(folder.plist())) {
        XCTAssertEqual("\($0)", "Too many levels of symbolic links")
      }
    }

    func testWhatIsNoFileIsNeitherReadNorReplaced() throws {
      let folder = try TemporaryFolder()
      mkfifo(folder.plist(), 0o600)
      XCTAssertThrowsError(try PreferencesFile(path: folder.plist()).read(unless: nil)) {
        XCTAssertEqual("\($0)", "It is not a regular file")
      }
    }

    func testTheLongestNameHasRoomForASaveAndForADamagedFile() throws {
      let folder = try TemporaryFolder()
      let path = folder.path + "/" + String(repeating: "é", count: 125) + ".tail"
      try replace(path)
      let aside = try PreferencesFile(path: path).withLock { try $0.keepAside() }
      XCTAssertTrue(try XCTUnwrap(aside).hasSuffix("é.damaged-1"))
      XCTAssertEqual(
        FileManager.default.contents(atPath: try XCTUnwrap(aside)), Data("new".utf8))
    }

    func testAFileIsKeptAsideOnce() throws {
      let folder = try TemporaryFolder()
      try replace(folder.plist())
      try PreferencesFile(path: folder.plist()).withLock { file in
        XCTAssertEqual(try file.keepAside(), folder.plist() + ".damaged-1")
        XCTAssertNil(try file.keepAside())
        _ = try file.replace(with: Data())
        XCTAssertEqual(try file.keepAside(), folder.plist() + ".damaged-2")
      }
    }

    func testWhatAKilledProcessLeftBehindIsClearedAway() throws {
      let folder = try TemporaryFolder()
      try Data("left".utf8).write(to: URL(filePath: folder.path + "/.TypedDefaults.saving"))
      try replace(folder.plist())
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    // MARK: Which file it is

    func testAFileIsKnownUntilSomebodyElseWritesIt() throws {
      let folder = try TemporaryFolder()
      let file = PreferencesFile(path: folder.plist())
      for _ in 0..<200 {
        let identity = try file.withLock { try $0.replace(with: Data("a".utf8)) }
        guard case .unchanged = try file.read(unless: identity) else { return XCTFail() }
        // At once, in place and of the same size: the file system's own times may be the same.
        let handle = try FileHandle(forWritingTo: URL(filePath: folder.plist()))
        try handle.write(contentsOf: Data("b".utf8))
        try handle.close()
        guard case .damaged(Data("b".utf8)) = try file.read(unless: identity) else {
          return XCTFail()
        }
      }
    }

    func testAFileThatWasJustWrittenByOthersIsReadAgain() throws {
      let folder = try TemporaryFolder()
      var contents = try contents(["a": 1])
      try folder.write(contents.data())
      let file = PreferencesFile(path: folder.plist())
      guard case .contents(_, nil) = try file.read(unless: nil) else { return XCTFail() }
      let old = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.plist(), old, 0)
      guard case .contents(_, let identity?) = try file.read(unless: nil) else { return XCTFail() }
      guard case .unchanged = try file.read(unless: identity) else { return XCTFail() }
    }

    // MARK: Locking

    func testTheLockExcludesOthersAndIsGivenUp() throws {
      let folder = try TemporaryFolder()
      do {
        let lock = try DirectoryLock(folder.path + "/")
        XCTAssertThrowsError(
          try DirectoryLock(folder.path + "/", patience: .milliseconds(20)).use()
        ) { XCTAssertEqual("\($0)", "Another process keeps the directory locked") }
        lock.use()
      }
      try DirectoryLock(folder.path + "/", patience: .milliseconds(20)).use()
      XCTAssertEqual(try folder.files, [])
    }
  }

  extension DirectoryLock {
    /// Keeps it until now.
    fileprivate borrowing func use() {}
  }
#endif
