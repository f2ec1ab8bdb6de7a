#if !TYPED_DEFAULTS_PLATFORM_SAVES && os(Linux)
  import Foundation
  import XCTest

  @testable import TestSupport

  /// A kill leaves what the system has, and a power failure what the disk has. These tests trace a save,
  /// and look at all that a disk may have after each of its system calls.
  class PowerFailureTests: SavingTestCase {
    /// Returns the number of the settings that a disk has, 0 for those before the first save; nil if it
    /// has others.
    typealias Version = (Disk.State) -> Int?

    // MARK: Kinds of saves

    func testTheFirstSave() throws {
      let folder = try TemporaryFolder()
      try check(["set:a=1", "flush"], in: folder, contents(in: folder, [nil, ["a": "1"]]))
    }

    func testTheFirstSaveInADirectoryThatIsMissing() throws {
      let folder = try TemporaryFolder()
      let place = folder.path + "/not/there"
      try check(
        ["set:a=1", "flush"], in: folder, preferences: place,
        contents(in: folder, named: "not/there/Probe", [nil, ["a": "1"]]))
    }

    func testADirectoryThatCouldNotBeSyncedIsMadeAgain() throws {
      let folder = try TemporaryFolder()
      let disk = try Disk(folder.path)
      let place = folder.path + "/new"
      let operations = try SystemCallTrace(
        of: ["set:a=1", "flush", "flush"], in: folder, preferences: place,
        injecting: "fsync:error=EIO:when=1"
      ).operations
      XCTAssertEqual(operations.filter { $0 == .makeDirectory(place) }.count, 2)
      XCTAssertTrue(operations.contains(.say("flushed")))
      // The save may have been tried again before the first `flush()`.
      let contents = contents(in: folder, named: "new/Probe", [nil, ["a": "1"], ["a": "1"]])
      XCTAssertEqual(try faults(of: operations, on: disk, contents), [])
    }

    func testALaterSave() throws {
      let exchanges = try checkLaterSaves()
      try XCTSkipUnless(exchanges == 2, "The file system cannot exchange the names of two files")
    }

    func testALaterSaveWhereFilesCannotExchangeTheirNames() throws {
      let exchanges = try checkLaterSaves(injecting: "renameat2:error=EINVAL")
      XCTAssertEqual(exchanges, 0)
    }

    /// Saves twice: the second save finds what the first has left in no order.
    ///
    /// - Returns: The number of exchanges of names.
    private func checkLaterSaves(injecting injection: String? = nil) throws -> Int {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=1", "set:b=kept", in: folder)
      // What a process has left that was killed.
      try Data("torn".utf8).write(to: URL(filePath: folder.path + "/.TypedDefaults.saving"))
      let operations = try check(
        ["set:a=2", "flush", "set:a=3", "flush"], in: folder, injecting: injection,
        contents(in: folder, ["1", "2", "3"].map { ["a": $0, "b": "kept"] }))
      return operations.filter { if case .exchange = $0 { true } else { false } }.count
    }

    func testASaveAfterADamagedFile() throws {
      try checkASaveAfterADamagedFile()
    }

    func testASaveAfterADamagedFileWhereFilesCannotExchangeTheirNames() throws {
      try checkASaveAfterADamagedFile(injecting: "renameat2:error=EINVAL")
    }

    /// The damaged file is the old settings, of which a person may correct it.
    private func checkASaveAfterADamagedFile(injecting injection: String? = nil) throws {
      let folder = try TemporaryFolder()
      let damaged = Data("<plist>damaged".utf8)
      try folder.write(damaged)
      let contents = contents(in: folder, [["a": "1"]])
      try check(["set:a=1", "flush"], in: folder, injecting: injection) { state in
        if state[folder.plist()] == damaged { return 0 }
        let isKept = state.contains { $0.key.contains(".damaged-") && $0.value == damaged }
        return isKept ? contents(state).map { $0 + 1 } : nil
      }
    }

    func testASaveThroughALink() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path + "/elsewhere", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder.plist(), withDestinationPath: "elsewhere/target.plist")
      let contents = contents(in: folder, named: "elsewhere/target", [nil, ["a": "1"], ["a": "2"]])
      try check(["set:a=1", "flush", "set:a=2", "flush"], in: folder) { state in
        // The link is left alone.
        state[folder.plist()] == nil ? contents(state) : nil
      }
    }

    func testASaveInExclusively() throws {
      let folder = try TemporaryFolder()
      try check(
        ["count:1", "print:flushed", "count:1", "print:flushed"], in: folder,
        contents(
          in: folder, [nil, ["count": 1, "list": [0]], ["count": 2, "list": [0, 0]]]))
    }

    func testASaveInADirectoryThatCannotBeOpened() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      let disk = try Disk(folder.path)
      XCTAssertEqual(chmod(folder.path, 0o333), 0)
      defer { chmod(folder.path, 0o755) }
      try check(
        ["without-privileges", "set:a=1", "flush", "set:a=2", "flush"], in: folder, on: disk,
        contents(in: folder, [nil, ["a": "1"], ["a": "2"]]))
    }

    // MARK: The model

    /// Foundation truncates the file, and then writes it.
    func testTheModelFindsThatFoundationsOwnSaveIsNotSafe() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:a=1", in: folder)
      let disk = try Disk(folder.path)
      let trace = try SystemCallTrace(
        of: ["foundation", "raw-set:a=2", "synchronize", "print:flushed"], in: folder,
        preferences: folder.path)
      let faults = try faults(
        of: trace.operations, on: disk, contents(in: folder, [["a": "1"], ["a": "2"]]))
      XCTAssertTrue(faults.contains { $0.hasPrefix("truncate") }, "\(faults)")
    }

    // MARK: Checking

    /// Checks that a power failure at any moment leaves the settings of one version, and no older one than
    /// is confirmed. Without any of the syncs it would not.
    @discardableResult
    private func check(
      _ steps: [String], in folder: TemporaryFolder, on disk: Disk? = nil,
      preferences: String? = nil,
      injecting injection: String? = nil, _ version: @escaping Version
    ) throws -> [Disk.Operation] {
      let disk = try disk ?? Disk(folder.path)
      let operations = try SystemCallTrace(
        of: steps, in: folder, preferences: preferences ?? folder.path, injecting: injection
      ).operations
      XCTAssertEqual(try faults(of: operations, on: disk, version), [])
      XCTAssertEqual(
        operations.filter { $0 == .say("flushed") }.count,
        steps.filter { $0.hasSuffix("flush") || $0.hasSuffix("flushed") }.count)
      for (index, sync) in operations.enumerated() where sync.isSync {
        var others = operations
        others.remove(at: index)
        XCTAssertNotEqual(try faults(of: others, on: disk, version), [], "needless: \(sync)")
      }
      return operations
    }

    /// Returns what a power failure could leave that is wrong, with the operation after which it comes.
    private func faults(
      of operations: [Disk.Operation], on disk: Disk, _ version: Version
    ) throws -> [String] {
      var disk = disk
      var confirmed = 0
      return try operations.flatMap { operation in
        try disk.perform(operation)
        if operation == .say("flushed") { confirmed += 1 }
        return disk.states.filter { version($0).map { $0 < confirmed } ?? true }
          .map { "\(operation): \($0.mapValues { String(decoding: $0, as: UTF8.self) })" }
      }
    }

    /// Returns the version that the file has; nil of the versions is that without a file.
    private func contents(
      in folder: TemporaryFolder, named name: String = "Probe", _ versions: [[String: Any]?]
    ) -> Version {
      { state in
        guard let data = state[folder.plist(name)] else { return versions.lastIndex { $0 == nil } }
        let contents = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return contents.flatMap { contents in versions.lastIndex { xml($0) == xml(contents) } }
      }
    }
  }

  final class SavedStorePowerFailureTests: PowerFailureTests {
    override class var usesSavedStores: Bool { true }
  }
#endif
