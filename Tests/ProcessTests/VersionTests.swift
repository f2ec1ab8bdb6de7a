import Foundation
import Synchronization
import XCTest

@testable import TestSupport

/// Two versions of a program, each a process of its own, read what the other has stored.
final class VersionTests: XCTestCase {
  /// A setting that the two versions declare in different ways, and what each of them sees.
  private struct Row {
    let name: String
    /// What the newer version sees after the older one has assigned.
    let updated: String?
    /// What both see after the newer one has assigned as well.
    let assigned: String?
    let downgraded: String?
    /// What the newer one sees after the older one has assigned once more.
    let updatedAgain: String?

    init(
      _ name: String, _ updated: String?, _ assigned: String?, _ downgraded: String?,
      _ again: String?
    ) {
      (self.name, self.updated, self.assigned) = (name, updated, assigned)
      (self.downgraded, updatedAgain) = (downgraded, again)
    }
  }

  /// A value in an exclamation mark is a default that stands in for what cannot be read.
  private let rows = [
    Row("added", "new default", "new", nil, "new"),
    Row("removed", nil, nil, "old", nil),
    Row("changedDefault", "new default", "new default", "old default", "new default"),
    Row("assigned", "old", "new", "new", "old"),
    // The older version does not know the new key.
    Row("renamed", "old", "new", "old default", "new"),
    Row("gainedCase", "dark", "sepia", "light!", "dark"),
    Row("renamedCase", "night", "night", "dark", "night"),
    Row("removedCase", "[]!", #"["red"]"#, #"["red"]"#, "[]!"),
    Row("mappedCase", "azure", "azure", "red!", "azure"),
    Row(
      "window", "old 5 2 new default nil", "new 5 2 new default nil", "new 5 old default",
      "old 5 2 new default nil"),
    Row("windows", "[]!", #"["new"]"#, "[]!", "[]!"),
    Row("user", "old", "new", "new", "old"),
    Row("widened", "5.0", "300.0", "1!", "5.0"),
    Row("toText", "5", "new", "1!", "5"),
    Row("toEnum", "dark", "sepia", "sepia", "dark"),
    Row("toOptional", "5", "nil", "1", "5"),
    Row("toDefault", "5", "7", "7", "5"),
    Row("toSet", "[5, 6]", "[7]", "[7]", "[5, 6]"),
    Row("toOther", "[2]!", "[7]", "1!", "[2]!"),
  ]

  private func run(_ version: String, _ command: String, in folder: TemporaryFolder) throws
    -> [String]
  {
    let result = try ChildProcess.run("version", version, command, in: folder)
    XCTAssertEqual(result.end, .exit(0), result.errors)
    XCTAssertEqual(result.errors, "")
    return result.output
  }

  private func assertSees(
    _ version: String, _ values: KeyPath<Row, String?>, in folder: TemporaryFolder,
    line: UInt = #line
  ) throws {
    let output = try run(version, "show", in: folder)
    let expected = rows.compactMap { row in row[keyPath: values].map { (row.name, $0) } }
    let values = expected.map { name, value in "\(name) \(value.trimmingSuffix("!"))" }
    let issues = expected.filter { $0.1.hasSuffix("!") }.map { "cannot read \($0.0)" }
    XCTAssertEqual(output.sorted(), (values + issues).sorted(), line: line)
  }

  func testEachReadsWhatTheOtherHasStored() throws {
    let folder = try TemporaryFolder()
    _ = try run("old", "set", in: folder)
    let before = try folder.contents(ofPlist: "Probe")
    try assertSees("new", \.updated, in: folder)
    XCTAssertEqual(xml(try folder.contents(ofPlist: "Probe")), xml(before), "reads store nothing")

    _ = try run("new", "set", in: folder)
    try assertSees("new", \.assigned, in: folder)
    let after = try XCTUnwrap(folder.contents(ofPlist: "Probe"))
    XCTAssertNil(after["oldName"])
    XCTAssertEqual(after["removed"] as? String, "old")
    XCTAssertEqual(after["removedCase.undecodable"] as? [String], ["red", "blue"])
    XCTAssertEqual(after["toOther.undecodable"] as? Int, 5)
    XCTAssertEqual((after["windows.undecodable"] as? [String])?.count, 1)
    XCTAssertEqual(
      after.keys.filter { $0.hasSuffix(".undecodable") }.sorted(),
      ["removedCase", "toOther", "windows"].map { "\($0).undecodable" })

    try assertSees("old", \.downgraded, in: folder)
    _ = try run("old", "set", in: folder)
    XCTAssertEqual(
      try folder.contents(ofPlist: "Probe")?["gainedCase.undecodable"] as? String, "sepia")
    try assertSees("new", \.updatedAgain, in: folder)
  }

  func testANewerVersionHearsOfAFormerKeyThatAnOlderOneAssigns() throws {
    let folder = try TemporaryFolder()
    let follower = try ChildProcess(["version", "new", "follow"], in: folder)
    XCTAssertEqual(follower.line(), "new default")
    _ = try run("old", "set", in: folder)
    XCTAssertEqual(follower.line(), "old")
    _ = try run("new", "set", in: folder)
    XCTAssertEqual(follower.line(), "new")
    // The own key wins.
    _ = try run("old", "set", in: folder)
    XCTAssertEqual(try follower.wait().output, [])
  }
}

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

/// Settings that are read and assigned while their values move between a key and a former one.
final class MovingKeyTests: XCTestCase {
  private static let stores = ["memory", "suite", "saved"]
  private static let seconds = "\(Scale.isLong ? 60 : 0.5)"

  func testAReadDuringAMoveGivesTheOldOrTheNewValue() throws {
    try sideBySide(Self.stores) { kind in
      let folder = try TemporaryFolder()
      let (end, output, errors) = try ChildProcess(
        ["former", "threads", kind, Self.seconds], in: folder
      )
      .wait()
      XCTAssertEqual(end, .exit(0), "\(kind) \(errors)")
      XCTAssertEqual(output.last, "no wrong value", kind)
    }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    func testAReadDuringAMoveByAnotherProcessGivesTheOldOrTheNewValue() throws {
      try sideBySide(Array(Self.stores.dropFirst())) { kind in
        let folder = try TemporaryFolder()
        let mover = try ChildProcess(["former", "mover", kind], in: folder)
        XCTAssertEqual(mover.line(), "moving")
        let (end, output, errors) = try ChildProcess(
          ["former", "reader", kind, Self.seconds], in: folder
        )
        .wait()
        mover.stop()
        XCTAssertEqual(end, .exit(0), "\(kind) \(errors)")
        XCTAssertEqual(output.last, "no wrong value", kind)
      }
    }
  #endif

  func testTwoThreadsThatAssignSettingsWhichNameEachOtherReturn() throws {
    try sideBySide(Self.stores) { kind in
      let folder = try TemporaryFolder()
      let result = try ChildProcess(["former", "cycle", kind, "0.5"], in: folder).wait()
      XCTAssertEqual(result.end, .exit(0), "\(kind) \(result.errors)")
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
