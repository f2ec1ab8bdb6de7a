import Foundation
import Synchronization
import XCTest

@testable import TestSupport

/// Three versions of a program with fifty settings, each a process of its own. A group moves, one setting is
/// split into two, and one is converted.
final class MigrationTests: XCTestCase {
  private func run(
    _ release: Int, _ command: String, _ arguments: String..., in folder: TemporaryFolder
  ) throws -> [String] {
    let result = try ChildProcess.run(
      ["release", "\(release)", command] + arguments, in: folder)
    XCTAssertEqual(result.end, .exit(0), result.errors)
    XCTAssertEqual(result.errors, "")
    return result.output
  }

  /// Runs a test on Foundation's class and on the saved store.
  private func onEachStore(_ body: (TemporaryFolder) throws -> Void) throws {
    defer { ChildProcess.usesSavedStores.store(false, ordering: .relaxed) }
    for isSaved in [false, true] {
      ChildProcess.usesSavedStores.store(isSaved, ordering: .relaxed)
      try body(try TemporaryFolder())
    }
  }

  func testNoValueIsLostForwards() throws {
    try onEachStore { folder in
      _ = try run(1, "fill", in: folder)
      let values = try run(1, "show", in: folder)
      XCTAssertEqual(values.count, 52)
      XCTAssertEqual(Array(values.suffix(2)), ["server example.com 443", "milliseconds 1500"])

      // From 1 to 3 at once.
      let other = try TemporaryFolder()
      try other.write(Data(contentsOf: URL(filePath: folder.plist())))
      XCTAssertEqual(try run(3, "show", in: other), values)
      XCTAssertEqual(try run(3, "show", in: other), values)

      // One after the other. A version reads what another has moved, or has only read.
      XCTAssertEqual(try run(2, "show", in: folder), values)
      XCTAssertEqual(try run(2, "show", in: folder), values)
      XCTAssertEqual(try run(3, "show", in: folder), values)
      _ = try run(3, "fill", in: folder)
      XCTAssertEqual(try run(3, "show", in: folder), values)
      let keys = try XCTUnwrap(folder.contents(ofPlist: "Probe")).keys
      XCTAssertEqual(keys.count, 53)
      XCTAssertTrue(keys.allSatisfy { !$0.hasPrefix("second.") && !$0.hasPrefix("other.") })
      XCTAssertTrue(keys.contains("timeoutInSeconds") && !keys.contains("timeout"))
    }
  }

  func testAnOlderVersionReadsWhatHasNotMovedAndTheNewerOneLosesNothingByIt() throws {
    try onEachStore { folder in
      let defaults = try run(1, "show", in: folder)
      _ = try run(3, "fill", in: folder)
      let values = try run(3, "show", in: folder)
      // What has moved has its default in the older version.
      XCTAssertEqual(
        try run(1, "show", in: folder), Array(values.prefix(25) + defaults.dropFirst(25)))
      XCTAssertEqual(try run(3, "show", in: folder), values)
      // What the older version assigns is newer than what was migrated before.
      _ = try run(1, "serve", in: folder)
      XCTAssertEqual(
        try run(3, "show", in: folder),
        values.dropLast(2) + ["server example.org 22", "milliseconds 1500"])
      XCTAssertNil(try folder.contents(ofPlist: "Probe")?["server"])
    }
  }

  func testAMigrationTakesWhatIsStoredBeneathAnOverride() throws {
    try onEachStore { folder in
      _ = try run(1, "fill", in: folder)
      let arguments = ["-server", #"{"host":"x","port":1}"#, "-host", "y", "-timeout", "7"]
      let result = try ChildProcess.run(["release", "3", "show"] + arguments, in: folder)
      XCTAssertEqual(
        Array(result.output.suffix(2)), ["server y 443", "milliseconds 1500"], result.errors)
      XCTAssertEqual(
        Array(try run(3, "show", in: folder).suffix(2)),
        ["server example.com 443", "milliseconds 1500"])
    }
  }
}
