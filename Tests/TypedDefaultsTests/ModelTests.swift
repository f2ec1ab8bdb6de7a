import XCTest

/// Random operations on the library and on a naive model of it, `Tests/Probe/Model`, which are compared after
/// each. A failure names the store, the seed, and the shortest sequence of operations that fails.
final class ModelTests: XCTestCase {
  func testEveryStoreIsLikeTheModel() throws {
    let (count, length) = (Scale.rounds(100_000, long: 1_000_000), 200)
    // Shares of the operations. Stores that are files start the program anew for each sequence.
    let shares = [
      "inMemory": 0.3, "saved": 0.2, "foundation": 0.1, "subclass": 0.2, "defaultsStore": 0.2,
    ]
    let children = try shares.map { kind, share in
      let home = try TemporaryFolder()
      let sequences = max(1, Int(Double(count) * share) / length)
      // Other sequences at each run would fail where nobody has changed anything.
      let arguments = ["model", kind, "1", "\(sequences)", "\(length)", "0", "all"]
      return (home, try ChildProcess(arguments, in: home, program: Scale.staticProbe ?? "Probe"))
    }
    for (_, child) in children {
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0), output.joined(separator: "\n") + errors)
    }
  }
}
