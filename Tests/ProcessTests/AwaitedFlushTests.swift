#if os(Linux)
  import Foundation
  import XCTest

  @testable import TestSupport

  /// A task that awaits a flush goes on, where the system gives no thread too.
  class AwaitedFlushTests: SavingTestCase {
    /// Runs steps of the probe, and ends it if it waits for ever.
    private func run(_ steps: String...) throws -> (output: [String], contents: [String: String]?) {
      let folder = try TemporaryFolder(isForAllUsers: true)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      let child = try ChildProcess(["saving"] + steps, in: folder)
      let (end, output, errors) = try child.wait(until: .now() + 30)
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(errors, "")
      return (output, (try? folder.contents()) as? [String: String])
    }

    func testTheCallerSavesWhereTheSystemGivesNoFurtherThread() throws {
      let (output, contents) = try run(
        "without-privileges", "set:a=1", "flush", "limit-threads", "set:a=2", "await-flush")
      XCTAssertEqual(output, ["flushed", "flushed"])
      XCTAssertEqual(contents, ["a": "2"])
    }

    func testTheCallerSavesWhereTheSystemGivesNoThreadAtAll() throws {
      let (output, contents) = try run("limit-threads", "set:a=1", "await-flush")
      XCTAssertEqual(output, ["flushed"])
      XCTAssertEqual(contents, ["a": "1"])
    }

    func testTheCallerWaitsForAStoreThatSavesInAnotherWay() throws {
      let (output, _) = try run("subclass", "await-flush", "limit-threads", "await-flush")
      XCTAssertEqual(output, ["flushed", "flushed"])
    }
  }
#endif
