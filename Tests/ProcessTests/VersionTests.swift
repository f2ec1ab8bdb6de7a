import Foundation
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
    let deadline = DispatchWorkItem { follower.stop() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: deadline)
    defer { deadline.cancel() }
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

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
