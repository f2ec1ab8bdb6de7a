import XCTest

@testable import TestSupport

/// What one process writes, another reads back equal.
final class RoundTripTests: XCTestCase {
  func testTheExtremeValuesOfEveryTypeAreReadBackEqualByAnotherProcess() throws {
    let home = try TemporaryFolder()
    let written = try ChildProcess.run("samples", "write", "extremes", in: home)
    XCTAssertEqual(written.errors, "")
    let count = try XCTUnwrap(written.output.last?.split(separator: " ").first.flatMap { Int($0) })
    XCTAssertGreaterThan(count, 200)

    let read = try ChildProcess.run("samples", "read", "extremes", in: home)
    XCTAssertEqual(read.errors, "")
    XCTAssertEqual(read.output, ["\(count) equal"])
  }

  func testRandomValuesOfEveryTypeAreReadBackEqualByAnotherProcess() throws {
    let home = try TemporaryFolder()
    let count = Scale.rounds(500, long: 10_000)
    let seed = UInt64.random(in: 0...9999)  // Named by a failure, to be repeated.
    let written = try ChildProcess.run(
      "samples", "write", "random", "\(seed)", "\(count)", in: home)
    XCTAssertEqual(written.output, ["\(count) written"], "seed \(seed): \(written.errors)")
    let read = try ChildProcess.run("samples", "read", "random", "\(seed)", "\(count)", in: home)
    XCTAssertEqual(read.output, ["\(count) equal"], "seed \(seed): \(read.errors)")
  }

  #if os(Linux) || os(Android)
    /// Parts of Foundation that nobody names are not in such a program.
    func testAProgramThatIsLinkedStaticallyReadsAndWritesTheSame() throws {
      guard let probe = Scale.staticProbe else { throw XCTSkip("it needs such a program") }
      let home = try TemporaryFolder()
      let written = try ChildProcess.run("samples", "write", "extremes", in: home, program: probe)
      XCTAssertEqual(written.end, .exit(0), written.errors)
      let count = try XCTUnwrap(written.output.last?.split(separator: " ").first)

      let read = try ChildProcess.run("samples", "read", "extremes", in: home)
      XCTAssertEqual(read.output, ["\(count) equal"])
      let readByItself = try ChildProcess.run(
        "samples", "read", "extremes", in: home, program: probe)
      XCTAssertEqual(readByItself.output, ["\(count) equal"], readByItself.errors)
    }
  #endif

  func testTheCheckItselfFindsWhatIsNotEqual() throws {
    let home = try TemporaryFolder()
    _ = try ChildProcess.run("samples", "write", "random", "1", "340", in: home)
    let read = try ChildProcess.run("samples", "read", "random", "2", "340", in: home)
    XCTAssertGreaterThan(read.output.count, 100)
  }
}
