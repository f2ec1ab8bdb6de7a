#if os(Linux) || os(Android)
  import Dispatch
  import Foundation
  import Synchronization
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

    func testADateLosesItsFractionOfASecond() throws {
      var written = try contents(["date": Date(timeIntervalSince1970: 7.75)])
      let read = try PreferencesContents(parsing: written.data())
      XCTAssertEqual(read["date"], PropertyListObject(Date(timeIntervalSince1970: 7)))
    }

    func testALeadingByteOrderMarkIsPartOfAStringOrKey() throws {
      let settings: [String: Any] = [
        "\u{FEFF}key": "\u{FEFF}", "key": "\u{FEFF}\u{FEFF}<", "\u{FEFF}\u{FEFF}key": 1,
        "list": ["\u{FEFF}a", ["\u{FEFF}b": ["\u{FEFF}c"]]] as [Any],
      ]
      var written = try contents(settings)
      let data = try written.data()
      let read = try PreferencesContents(parsing: data)
      // And to Foundation.
      let parsed = try XCTUnwrap(
        PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
      XCTAssertEqual(Set(read.keys), Set(settings.keys))
      for (key, object) in settings {
        XCTAssertEqual(read[key], PropertyListObject(object), key)
        XCTAssertEqual(parsed[key].map { PropertyListObject($0) }, PropertyListObject(object), key)
      }
    }

    func testKeysThatOnlyLookTheSameBothStay() throws {
      let keys = ["caf\u{E9}", "cafe\u{301}"]
      let body = Data(
        keys.map { "\t<key>\($0)</key>\n\t<string>\($0.utf8.count)</string>\n" }.joined().utf8)
      var empty = PreferencesContents()
      let end = Data("</dict>".utf8)
      var file = try empty.data()
      file.insert(contentsOf: body, at: try XCTUnwrap(file.range(of: end)).lowerBound)

      var read = try PreferencesContents(parsing: file)
      try read.set(PropertyListObject("new"), for: "other")
      let written = try read.data()
      for key in keys { XCTAssertNotNil(written.range(of: Data("<key>\(key)</key>".utf8)), key) }
      XCTAssertEqual(read[keys[0]], PropertyListObject("5"))
      XCTAssertEqual(read[keys[1]], PropertyListObject("6"))

      try read.set(nil, for: keys[0])
      XCTAssertEqual(read.keys.sorted(), [keys[1], "other"])
      empty.adopt(read)
      XCTAssertEqual(empty[keys[1]], PropertyListObject("6"))
    }

    func testKeysThatOnlyLookTheSameBothStayInABinaryFile() throws {
      // Two strings, é and e with an accent, as keys of the numbers 1 and 2.
      let objects: [[UInt8]] = [
        [0xD2, 1, 2, 3, 4], [0x61, 0x00, 0xE9], [0x62, 0x00, 0x65, 0x03, 0x01], [0x10, 1],
        [0x10, 2],
      ]
      var file = Data("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(file.count))
        file += object
      }
      let start = UInt8(file.count)
      file += offsets + Data(count: 6) + [1, 1]
      for number in [UInt8(objects.count), 0, start] { file += Data(count: 7) + [number] }

      var read = try PreferencesContents(parsing: file)
      XCTAssertEqual(read["\u{E9}"], PropertyListObject(1))
      XCTAssertEqual(read["e\u{301}"], PropertyListObject(2))
      read = try PreferencesContents(parsing: read.data())
      XCTAssertEqual(read["\u{E9}"], PropertyListObject(1))
      XCTAssertEqual(read["e\u{301}"], PropertyListObject(2))
    }

    /// What is not parsed at once is what Foundation's parser makes of it.
    func testMutatedFilesAreReadAsFoundationReadsThem() throws {
      var contents = try contents(settings)
      let file = try contents.data()
      var generator = SystemRandomNumberGenerator()
      var readable = 0
      for _ in 1...2_000 {
        let mutated = generator.mutated(file)
        guard let read = try? PreferencesContents(parsing: mutated) else { continue }
        readable += 1
        let parsed = try? PropertyListSerialization.propertyList(from: mutated, format: nil)
        guard let expected = parsed as? [String: Any] else {
          XCTFail(String(decoding: mutated, as: UTF8.self))
          continue
        }
        XCTAssertEqual(Set(read.keys), Set(expected.keys), String(decoding: mutated, as: UTF8.self))
        for (key, object) in expected {
          XCTAssertEqual(read[key], PropertyListObject(object), key)
        }
      }
      XCTAssertGreaterThan(readable, 0)
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
      old.adopt(new)
      XCTAssertEqual(try old.data(), try new.data())
    }

    func testWhatChangesBetweenTwoSavesIsInItsPlace() throws {
      var generator = SystemRandomNumberGenerator()
      let keys = ["a", "b", "c", "d", "\u{e9}", "e\u{301}", "f"]
      var (contents, settings) = (PreferencesContents(), [Data: Int]())
      for number in 0..<500 {
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          let key = keys.randomElement(using: &generator)!
          let object = Bool.random(using: &generator) ? number : nil
          try contents.set(object.map { PropertyListObject($0) }, for: key)
          settings[Data(key.utf8)] = object
        }
        var expected = PreferencesContents()
        for (key, number) in settings {
          try expected.set(PropertyListObject(number), for: String(decoding: key, as: UTF8.self))
        }
        let data = try contents.data()
        XCTAssertTrue(try expected.differences(in: .init(parsing: data)).isEmpty)
        let written = String(decoding: data, as: UTF8.self).components(separatedBy: "<key>")
          .dropFirst().map { $0.prefix { $0 != "<" } }
        XCTAssertEqual(written, written.sorted())
      }
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

    @discardableResult
    private func replace(
      _ path: String, with text: String = "new"
    ) throws -> PreferencesFile.Identity? {
      var locked = try PreferencesFile(path: path).locked()
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
        XCTAssertEqual("\($0)", "it is a pipe")
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

    // MARK: Editors, which take no lock

    private func assertIsNotReplaced(
      of text: String? = "old", after edit: (String) throws -> Void, line: UInt = #line
    ) throws {
      let folder = try TemporaryFolder()
      if let text { try Data(text.utf8).write(to: URL(filePath: folder.plist())) }
      var contents: Data?
      var file = try PreferencesFile(path: folder.plist()).locked()
      _ = try file.read(unless: nil, patience: .zero)
      try edit(folder.plist())
      contents = FileManager.default.contents(atPath: folder.plist())
      XCTAssertNil(try file.replace(with: Data("mine".utf8)), line: line)
      XCTAssertEqual(
        FileManager.default.contents(atPath: folder.plist()), contents, line: line)
      _ = try file.read(unless: nil, patience: .zero)
      XCTAssertNotNil(try file.replace(with: Data("mine".utf8)), line: line)
      XCTAssertEqual(try folder.files, ["Probe.plist"], line: line)
    }

    func testAFileThatHasChangedSinceItWasReadIsNotReplaced() throws {
      try assertIsNotReplaced { path in
        try Data("new".utf8).write(to: URL(filePath: path + "~"))
        rename(path + "~", path)
      }
      // At once, in place and of the same size: the file system's own times may be the same.
      for _ in 0..<50 {
        try assertIsNotReplaced { path in
          let handle = try FileHandle(forWritingTo: URL(filePath: path))
          try handle.write(contentsOf: Data("new".utf8))
          try handle.close()
        }
      }
      try assertIsNotReplaced { unlink($0) }
      try assertIsNotReplaced(of: nil) { try Data("new".utf8).write(to: URL(filePath: $0)) }
    }

    // MARK: Which file it is

    func testAFileIsKnownUntilSomebodyElseWritesIt() throws {
      let folder = try TemporaryFolder()
      let file = PreferencesFile(path: folder.plist())
      for _ in 0..<200 {
        let identity = try replace(folder.plist(), with: "a")
        XCTAssertNotNil(identity)
        guard case .unchanged = try file.read(unless: identity) else { return XCTFail() }
        // At once, in place and of the same size: the file system's own times may be the same.
        let handle = try FileHandle(forWritingTo: URL(filePath: folder.plist()))
        try handle.write(contentsOf: Data("b".utf8))
        try handle.close()
        guard case .damaged(Data("b".utf8), _) = try file.read(unless: identity) else {
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
      let file = PreferencesFile(path: folder.plist())
      func lockElsewhere() -> String? {
        let error = Mutex<String?>(nil)
        Thread.detachNewThreadAndWait { [file] in
          do { _ = try file.locked() } catch let other { error.withLock { $0 = "\(other)" } }
        }
        return error.withLock { $0 }
      }
      do {
        let lock = try file.locked()
        XCTAssertEqual(lockElsewhere(), "another thread holds the lock of the directory")
        let again = try file.locked()
        let end = try ChildProcess(["saving", "try-lock:\(folder.path)"], in: folder).wait()
        XCTAssertEqual(end.output, ["locked"])
        again.use()
        lock.use()
      }
      XCTAssertNil(lockElsewhere())
      XCTAssertEqual(try folder.files, [])
    }
  }

  extension PreferencesFile.Locked {
    /// Keeps it until now.
    fileprivate borrowing func use() {}
  }

  extension Thread {
    fileprivate static func detachNewThreadAndWait(_ body: @escaping @Sendable () -> Void) {
      let isDone = DispatchSemaphore(value: 0)
      detachNewThread {
        body()
        isDone.signal()
      }
      isDone.wait()
    }
  }
#endif
