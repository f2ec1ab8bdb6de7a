import XCTest

@testable import TestSupport

/// Random operations on the library and on a naive model of it, `Tests/Probe/Model`, which are compared after
/// each. A failure names the store, the seed, and the shortest sequence of operations that fails.
///
/// The stores share four thousand operations, and 200,000 in long tests. Those that are files take three times
/// as long, because they start the program anew for each sequence.
final class ModelTests: XCTestCase {
  func testAStoreInMemoryIsLikeTheModel() throws { try assertLikeTheModel("inMemory", percent: 40) }

  func testASavedStoreIsLikeTheModel() throws { try assertLikeTheModel("saved", percent: 10) }

  func testASuiteOfFoundationIsLikeTheModel() throws {
    try assertLikeTheModel("foundation", percent: 5)
  }

  /// Root may read each file. Where the tests are root's, this is what other users see.
  func testASuiteOfFoundationOfAnotherUserIsLikeTheModel() throws {
    try XCTSkipIf(geteuid() != 0, "The other test is this user's")
    try assertLikeTheModel("foundation", percent: 5, of: "65534")
  }

  func testASubclassIsLikeTheModel() throws { try assertLikeTheModel("subclass", percent: 20) }

  func testAStoreOfOnesOwnIsLikeTheModel() throws {
    try assertLikeTheModel("defaultsStore", percent: 25)
  }

  private func assertLikeTheModel(_ kind: String, percent: Int, of user: String? = nil) throws {
    let length = 200
    let sequences = Scale.rounds(4_000, long: 200_000) * percent / 100 / length
    // Other sequences at each run would fail where nobody has changed anything.
    let folder = try TemporaryFolder(isForAllUsers: user != nil)
    #if os(Linux)
      if let user { XCTAssertEqual(chown(folder.path, uid_t(user)!, gid_t(user)!), 0) }
    #endif
    let child = try ChildProcess(
      ["model", kind, "1", "\(sequences)", "\(length)", "0", "all"], in: folder,
      program: Scale.staticProbe ?? "Probe", environment: user.map { ["PROBE_USER": $0] } ?? [:])
    let (end, output, errors) = try child.wait()
    XCTAssertEqual(end, .exit(0), output.joined(separator: "\n") + errors)
  }
}
