#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Dispatch
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  extension PreferencesFileTests {
    // MARK: Editors, which take no lock

    private func assertIsNotReplaced(
      of text: String? = "old", after edit: (String) throws -> Void, line: UInt = #line
    ) throws {
      let folder = try TemporaryFolder()
      if let text { try Data(text.utf8).write(to: URL(filePath: folder.plist())) }
      var contents: Data?
      let file = try PreferencesFile(path: folder.plist()).locked()
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

    /// Swift takes a slash and a mark that follows it for one character.
    func testAPathWhoseNamesBeginWithACombiningMarkIsSavedAndWatched() async throws {
      let suite = try TemporaryFolder().path + "/\u{301}folder/\u{301}'\u{301}suite"
      let store = UserDefaults.saved(suiteName: suite)
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      count.wrappedValue = 1
      try await store.flush()
      let file = PreferencesFile(path: suite + ".plist")
      XCTAssertEqual(file.path.parentDirectory.utf8.last, UInt8(ascii: "/"))
      let other = UserDefaults(suiteName: suite)!
      XCTAssertEqual(other.integer(forKey: "count"), 1)
      try await withDeadline {
        for await value in count.updates {
          if value == 2 { break }
          try PropertyListSerialization.data(
            fromPropertyList: ["count": 2], format: .xml, options: 0
          ).write(to: URL(filePath: suite + ".plist"), options: .atomic)
        }
      }
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
        guard case .unchanged = try file.read(unless: identity).reading else { return XCTFail() }
        // At once, in place and of the same size: the file system's own times may be the same.
        let handle = try FileHandle(forWritingTo: URL(filePath: folder.plist()))
        try handle.write(contentsOf: Data("b".utf8))
        try handle.close()
        guard case .damaged(Data("b".utf8), _) = try file.read(unless: identity).reading else {
          return XCTFail()
        }
      }
    }

    func testAFileThatWasJustWrittenByOthersIsReadAgain() throws {
      let folder = try TemporaryFolder()
      try folder.write(
        PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0))
      let file = PreferencesFile(path: folder.plist())
      guard case .contents(_, let unsettled) = try file.read(unless: nil).reading,
        case .contents = try file.read(unless: unsettled).reading
      else { return XCTFail() }
      let old = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.plist(), old, 0)
      guard case .contents(_, let identity) = try file.read(unless: nil).reading else {
        return XCTFail()
      }
      guard case .unchanged = try file.read(unless: identity).reading else { return XCTFail() }
    }

    // MARK: Locking

    func testTheLockExcludesOthersAndIsGivenUp() throws {
      let folder = try TemporaryFolder()
      let file = PreferencesFile(path: folder.plist())
      func lockElsewhere() -> String? {
        let error = TestMutex<String?>(nil)
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
#endif
