#if os(Linux) || os(Android)
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  final class FileWatcherTests: XCTestCase {
    /// Makes a change, and waits for a call after which the file's text is the one expected; nil: none.
    private func expect(
      _ text: String?, of file: URL, _ calls: AsyncStream<Void>, line: UInt = #line,
      after change: () throws -> Void
    ) async throws {
      try change()
      let isTold = expectation(description: "\(text ?? "no file") in line \(line)")
      let listener = Task {
        for await _ in calls where (try? String(contentsOf: file, encoding: .utf8)) == text {
          isTold.fulfill()
          break
        }
      }
      await fulfillment(of: [isTold], timeout: 60)
      listener.cancel()
    }

    private func calls(of file: URL) -> AsyncStream<Void> {
      let (calls, call) = AsyncStream.makeStream(of: Void.self)
      FileWatcher.watch(file.path) { call.yield() }
      return calls
    }

    private let files = FileManager.default

    func testFileIsCreatedWrittenReplacedMovedAndDeleted() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "a.plist")
      let calls = calls(of: file)
      for round in 1...2 {  // It survives the deletion.
        try await expect("created \(round)", of: file, calls) {
          try Data("created \(round)".utf8).write(to: file)
        }
        try await expect("created \(round) and more", of: file, calls) {
          let handle = try FileHandle(forWritingTo: file)
          try handle.seekToEnd()
          try handle.write(contentsOf: Data(" and more".utf8))
          try handle.close()
        }
        try await expect("replaced", of: file, calls) {
          try Data("replaced".utf8).write(to: file, options: .atomic)
        }
        try await expect(nil, of: file, calls) {
          try files.moveItem(at: file, to: folder.appending(path: "b.plist"))
        }
        try await expect("replaced", of: file, calls) {
          try files.moveItem(at: folder.appending(path: "b.plist"), to: file)
        }
        try await expect(nil, of: file, calls) { try files.removeItem(at: file) }
      }
    }

    func testReplacementIsToldOnceAndOtherFilesAreNot() async throws {
      let folder = try makeTemporaryFolder()
      let (file, other) = (folder.appending(path: "a.plist"), folder.appending(path: "b.plist"))
      let count = Atomic(0)
      let isTold = expectation(description: "replaced")
      FileWatcher.watch(file.path) {
        count.add(1, ordering: .relaxed)
        isTold.fulfill()
      }
      try Data().write(to: other)
      try files.moveItem(at: other, to: folder.appending(path: "a.plist.new"))
      rename(folder.appending(path: "a.plist.new").path, file.path)
      await fulfillment(of: [isTold], timeout: 60)
      // The kernel tells in order, so by the second watcher's call the first has had all of its own.
      let isEnded = expectation(description: "after all")
      FileWatcher.watch(other.path) { isEnded.fulfill() }
      try files.linkItem(at: file, to: other)
      await fulfillment(of: [isEnded], timeout: 60)
      XCTAssertEqual(count.load(ordering: .relaxed), 1)
    }

    func testDirectoriesThatDoNotExistYet() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "x/y/z/a.plist")
      let calls = calls(of: file)
      // One component after another, all at once, and by a directory that is moved there whole.
      try await expect("1", of: file, calls) {
        for path in ["x", "x/y", "x/y/z"] {
          try files.createDirectory(
            at: folder.appending(path: path), withIntermediateDirectories: false)
        }
        try Data("1".utf8).write(to: file)
      }
      try await expect("2", of: file, calls) { try Data("2".utf8).write(to: file) }
      try await expect(nil, of: file, calls) {
        try files.removeItem(at: folder.appending(path: "x"))
      }
      let elsewhere = folder.appending(path: "elsewhere/y/z")
      try files.createDirectory(at: elsewhere, withIntermediateDirectories: true)
      try Data("3".utf8).write(to: elsewhere.appending(path: "a.plist"))
      try await expect("3", of: file, calls) {
        try files.moveItem(
          at: folder.appending(path: "elsewhere"), to: folder.appending(path: "x"))
      }
    }

    func testDirectoryIsDeletedAndMadeAgain() async throws {
      let folder = try makeTemporaryFolder()
      let directory = folder.appending(path: "d")
      let file = directory.appending(path: "a.plist")
      try files.createDirectory(at: directory, withIntermediateDirectories: false)
      let calls = calls(of: file)
      for round in 1...20 {
        try await expect("\(round)", of: file, calls) {
          try files.createDirectory(at: directory, withIntermediateDirectories: true)
          try Data("\(round)".utf8).write(to: file)
        }
        try await expect(nil, of: file, calls) { try files.removeItem(at: directory) }
      }
    }

    func testDirectoryAboveIsMovedAwayAndAnotherPutInItsPlace() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "x/y/a.plist")
      let directory = file.deletingLastPathComponent()
      try files.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data("1".utf8).write(to: file)
      let calls = calls(of: file)
      try await expect(nil, of: file, calls) {
        try files.moveItem(at: folder.appending(path: "x"), to: folder.appending(path: "old"))
      }
      try await expect("2", of: file, calls) {
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("2".utf8).write(to: file)
      }
    }

    func testFileThatIsALinkIsWatchedWhereItLeads() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "a.plist")
      for directory in ["one", "two"] {
        let directory = folder.appending(path: directory)
        try files.createDirectory(at: directory, withIntermediateDirectories: false)
        try Data("\(directory.lastPathComponent)".utf8).write(
          to: directory.appending(path: "target"))
      }
      let calls = calls(of: file)
      try await expect("one", of: file, calls) {
        try files.createSymbolicLink(atPath: file.path, withDestinationPath: "one/target")
      }
      for text in ["written", "and again"] {
        try await expect(text, of: file, calls) {
          try Data(text.utf8).write(to: folder.appending(path: "one/target"), options: .atomic)
        }
      }
      try await expect("two", of: file, calls) {
        let link = folder.appending(path: "link")
        try files.createSymbolicLink(
          atPath: link.path, withDestinationPath: folder.appending(path: "two/target").path)
        rename(link.path, file.path)
      }
      try await expect("written", of: file, calls) {
        try Data("written".utf8).write(to: folder.appending(path: "two/target"), options: .atomic)
      }
      try await expect("no link", of: file, calls) {
        try Data("no link".utf8).write(to: folder.appending(path: "plain"))
        rename(folder.appending(path: "plain").path, file.path)
      }
    }

    func testDirectoryThatIsALink() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "d/a.plist")
      for directory in ["one", "two"] {
        try files.createDirectory(
          at: folder.appending(path: directory), withIntermediateDirectories: false)
      }
      try files.createSymbolicLink(
        atPath: folder.appending(path: "d").path, withDestinationPath: "./one")
      let calls = calls(of: file)
      try await expect("1", of: file, calls) { try Data("1".utf8).write(to: file) }
      try await expect(nil, of: file, calls) {
        try files.removeItem(at: folder.appending(path: "d"))
        try files.createSymbolicLink(
          atPath: folder.appending(path: "d").path, withDestinationPath: "one/../two")
      }
      try await expect("2", of: file, calls) { try Data("2".utf8).write(to: file) }
    }

    func testWatchersOfOneDirectoryAreIndependent() async throws {
      let folder = try makeTemporaryFolder()
      let (file, other) = (folder.appending(path: "a.plist"), folder.appending(path: "b.plist"))
      let (first, second, third) = (calls(of: file), calls(of: file), calls(of: other))
      try await expect("1", of: file, second) { try Data("1".utf8).write(to: file) }
      try await expect("1", of: other, third) { try Data("1".utf8).write(to: other) }
      try await expect("2", of: file, first) { try Data("2".utf8).write(to: file) }
    }

    /// As a program does that makes and deletes a directory in a loop.
    func testAWayThatNeverStandsStillStopsNoProgram() async throws {
      let folder = try makeTemporaryFolder()
      let file = folder.appending(path: "link/a.plist")
      let isOver = Atomic(false)
      let changes = Task.detached { [path = folder.path + "/link"] in
        while !isOver.load(ordering: .relaxed) {
          symlink("elsewhere", path)
          unlink(path)
        }
      }
      let start = ContinuousClock.now
      for _ in 0..<20 { FileWatcher.watch(file.path) {} }
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(20))
      isOver.store(true, ordering: .relaxed)
      await changes.value
      let calls = calls(of: file)
      try await expect("1", of: file, calls) {
        try files.createDirectory(
          at: folder.appending(path: "link"), withIntermediateDirectories: false)
        try Data("1".utf8).write(to: file)
      }
    }
  }
#endif
