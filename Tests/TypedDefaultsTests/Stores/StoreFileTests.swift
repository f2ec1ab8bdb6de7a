#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import TypedDefaults
  import XCTest

  @testable import TestSupport

  /// A program can find the file of a store, and ask what is wrong with it.
  final class StoreFileTests: XCTestCase {
    func testAStoreIsSavedInItsFile() throws {
      for store in [try makeSuite(), try makeSavedSuite()] {
        let file = try XCTUnwrap(store.fileURL)
        XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
        store.set(7, for: "volume" as UserDefaults.Key<Int>)
        try store.flush()
        let contents = try PropertyListSerialization.propertyList(
          from: Data(contentsOf: file), format: nil)
        XCTAssertEqual(contents as? [String: Int], ["volume": 7])
      }
    }

    func testSuitesWhoseNamesAreNoPathsShareAFolder() {
      let folder = UserDefaults.saved.fileURL?.deletingLastPathComponent()
      XCTAssertEqual(
        UserDefaults.saved(suiteName: "StoreFileTests").fileURL,
        folder?.appending(path: "StoreFileTests.plist"))
      XCTAssertEqual(UserDefaults.standard.fileURL, UserDefaults.saved.fileURL)
    }

    func testAStoreThatIsSavedInNoFileHasNone() {
      for store in [.inMemory(), PlainDefaults()] {
        XCTAssertNil(store.fileURL)
        XCTAssertNil(store.fileIssue)
      }
    }

    func testASuiteWhoseNameHoldsANULIsInMemoryOnly() throws {
      for isSaved in [true, false] {
        let recorder = recordIssues()
        let folder = try TemporaryFolder()
        let name = folder.path + "/a\0b"
        let store = isSaved ? .saved(suiteName: name) : try XCTUnwrap(UserDefaults(suiteName: name))
        let volume = "volume" as UserDefaults.Key<Int>
        store.set(7, for: volume)
        XCTAssertEqual(store.value(for: volume), 7)
        XCTAssertNil(store.fileURL)
        for _ in 0..<2 {
          XCTAssertThrowsError(try store.flush()) {
            XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .saveFailed)
          }
          XCTAssertThrowsError(try store.exclusively {})
        }
        XCTAssertEqual(store.value(for: volume), 7)
        XCTAssertEqual(
          recorder.take(atLeast: 1).map(\.description),
          [
            """
            The preferences are not saved in \(folder.path)/a\\0b.plist, because the name of a file holds \
            no NUL. What is assigned is kept in memory only.
            """
          ])
        XCTAssertEqual(try folder.files, [])
      }
    }

    func testADamagedFileIsAnIssueUntilItIsCorrected() throws {
      for store in [try makeSuite(), try makeSavedSuite()] {
        let recorder = recordIssues()
        let file = try XCTUnwrap(store.fileURL)
        XCTAssertNil(store.fileIssue, "It is missing.")
        store.set(7, for: "volume" as UserDefaults.Key<Int>)
        try store.flush()
        XCTAssertNil(store.fileIssue)
        XCTAssertEqual(recorder.take().map(\.kind), [])

        let contents = try Data(contentsOf: file)
        try Data("<plist>".utf8).write(to: file)
        let issue = try XCTUnwrap(store.fileIssue)
        XCTAssertEqual(issue.kind, .damagedFile)
        XCTAssertTrue(issue.description.hasPrefix("\(file.path) is damaged: "), "\(issue)")
        XCTAssertEqual(try Data(contentsOf: file), Data("<plist>".utf8))
        try contents.write(to: file)
        XCTAssertNil(store.fileIssue)
      }
    }

    func testAnIssueLetsAToolLeaveADamagedFileAlone() throws {
      let store = try makeSavedSuite()
      _ = recordIssues()
      let file = try XCTUnwrap(store.fileURL)
      try Data("<plist>".utf8).write(to: file)
      XCTAssertThrowsError(
        try store.exclusively {
          store.set(7, forKey: "volume")
          if let issue = store.fileIssue { throw issue }
        }
      ) { XCTAssertEqual(($0 as? DefaultsIssue)?.kind, .damagedFile) }
      try store.flush()
      XCTAssertEqual(try Data(contentsOf: file), Data("<plist>".utf8))
      XCTAssertNil(store.object(forKey: "volume"))
    }
  }
#endif
