import XCTest

/// What one process writes, another reads back equal.
final class RoundTripTests: XCTestCase {
  func testTheExtremeValuesOfEveryTypeAreReadBackEqualByAnotherProcess() throws {
    let home = try makeTemporaryFolder()
    let written = try ChildProcess.run("samples", "write", "extremes", home: home)
    XCTAssertEqual(written.error, "")
    let count = try XCTUnwrap(written.lines.last?.split(separator: " ").first.flatMap { Int($0) })
    XCTAssertGreaterThan(count, 200)

    let read = try ChildProcess.run("samples", "read", "extremes", home: home)
    XCTAssertEqual(read.error, "")
    XCTAssertEqual(read.lines, ["\(count) equal"])
  }

  func testRandomValuesOfEveryTypeAreReadBackEqualByAnotherProcess() throws {
    let home = try makeTemporaryFolder()
    let seed = UInt64.random(in: 0...9999)  // Named by a failure, to be repeated.
    let written = try ChildProcess.run("samples", "write", "random", "\(seed)", "4000", home: home)
    XCTAssertEqual(written.lines, ["4000 written"], "seed \(seed): \(written.error)")
    let read = try ChildProcess.run("samples", "read", "random", "\(seed)", "4000", home: home)
    XCTAssertEqual(read.lines, ["4000 equal"], "seed \(seed): \(read.error)")
  }

  func testTheCheckItselfFindsWhatIsNotEqual() throws {
    let home = try makeTemporaryFolder()
    _ = try ChildProcess.run("samples", "write", "random", "1", "340", home: home)
    let read = try ChildProcess.run("samples", "read", "random", "2", "340", home: home)
    XCTAssertGreaterThan(read.lines.count, 100)
  }
}
