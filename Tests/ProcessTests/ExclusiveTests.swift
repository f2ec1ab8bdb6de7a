import Foundation
import TypedDefaults
import XCTest

@testable import TestSupport

/// Transactions that nobody comes between.
final class ExclusiveTests: XCTestCase {
  private struct Failure: Error {}

  func testThreadsCountTogetherInEachStore() throws {
    for made in try makeStores() {
      nonisolated(unsafe) let store = made
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<10 {
          do {
            try store.exclusively { count.wrappedValue += 1 }
          } catch {
            XCTFail("\(error)")
          }
        }
      }
      XCTAssertEqual(count.wrappedValue, 40, "\(store)")
    }
  }

  func testItsResultIsTheBodysAndItsChangesAreUndoneIfTheBodyThrows() throws {
    for store in try makeStoresAndSubclasses() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let result = try store.exclusively {
        count.wrappedValue += 1
        return "done"
      }
      XCTAssertEqual(result, "done", "\(store)")
      XCTAssertThrowsError(
        try store.exclusively {
          count.wrappedValue = 7
          throw Failure()
        })
      XCTAssertEqual(count.wrappedValue, 1, "\(store)")
    }
  }

  /// Takes two things on two threads, in opposite orders: each thread its second one, once both have
  /// their first.
  private func errorsOfTwoThreads(
    _ outer: (_ isFirst: Bool, _ inside: () throws -> Void) throws -> Void,
    _ inner: (_ isFirst: Bool) throws -> Void
  ) -> [any Error] {
    let errors = TestMutex<[any Error]>([])
    let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    withoutActuallyEscaping(outer) { outer in
      withoutActuallyEscaping(inner) { inner in
        nonisolated(unsafe) let (outer, inner) = (outer, inner)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          do {
            try outer(index == 0) {
              begun[index].signal()
              begun[1 - index].wait()
              try inner(index == 0)
            }
          } catch {
            errors.withLock { $0.append(error) }
          }
        }
      }
    }
    return errors.withLock(\.self)
  }

  func testOfTwoStoresInOppositeOrdersOneThrows() throws {
    let suites = [try makeSuiteName(), try makeSuiteName()]
    // Side by side, because each waits for seconds.
    try sideBySide([
      [UserDefaults.inMemory(), .inMemory()], suites.map { .saved(suiteName: $0) },
    ]) { made in
      nonisolated(unsafe) let stores = made
      let counts = zip(["first", "second"], made).map {
        WrappedDefault(wrappedValue: 0, .init(name: $0), userDefaults: $1)
      }
      let errors = errorsOfTwoThreads {
        try stores[$0 ? 0 : 1].exclusively($1)
      } _: { isFirst in
        let index = isFirst ? 1 : 0
        try stores[index].exclusively { counts[index].wrappedValue += 1 }
      }
      XCTAssertEqual(errors.count, 1, "\(errors)")
      XCTAssertEqual((errors.first as? DefaultsIssue)?.kind, .saveFailed)
      XCTAssertEqual(counts.map(\.wrappedValue).sorted(), [0, 1])
      XCTAssertTrue("\(errors)".contains("use two stores in the same order"), "\(errors)")
    }
  }

  func testAgainstWithLockOfAnotherStoreOneThrows() throws {
    nonisolated(unsafe) let store = UserDefaults.inMemory()
    let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: .inMemory())
    let errors = errorsOfTwoThreads { isFirst, inside in
      if isFirst { try store.exclusively(inside) } else { try other.withLock { _ in try inside() } }
    } _: { isFirst in
      if isFirst { other.withLock { $0 += 1 } } else { try store.exclusively {} }
    }
    XCTAssertEqual(errors.map { ($0 as? DefaultsIssue)?.kind }, [.saveFailed])
    XCTAssertEqual(other.wrappedValue, 1)
  }

  func testWithLockAndTransactionsWorkInside() throws {
    for store in try makeStores() {
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
      let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: store)
      try store.exclusively {
        count.withLock { $0 += 1 }
        store.transaction { other.wrappedValue = 5 }
        try? store.transaction {
          other.wrappedValue = 6
          throw Failure()
        }
        try store.exclusively { count.wrappedValue += 1 }
      }
      try store.flush()
      XCTAssertEqual([count.wrappedValue, other.wrappedValue], [2, 5], "\(store)")
    }
  }
}

#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// What one process does in `exclusively`, no other one comes between.
  class SavingExclusivelyTests: SavingTestCase {
    // MARK: Counting

    func testTwentyProcessesCountWithoutALoss() throws {
      let folder = try TemporaryFolder()
      let times = Scale.rounds(3, long: 50)
      let steps = ["saving", "count:\(times)"]
      let children = try (0..<20).map { _ in try ChildProcess(steps, in: folder) }
      var counted = 20 * times
      for child in children {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual([end == .exit(0) ? "" : "\(end)", errors], ["", ""])
        // On a busy machine one may wait in vain for the others, and says so.
        XCTAssertTrue(output.allSatisfy { $0.contains("holds the lock") }, "\(output)")
        counted -= output.count
      }
      XCTAssertEqual(try folder.contents()?["count"] as? Int, counted)
      XCTAssertEqual(try (folder.contents()?["list"] as? [Int])?.count, counted)
    }

    func testThreadsOfTwoProcessesCount() throws {
      let folder = try TemporaryFolder()
      let steps = ["saving", "count-in-threads:10"]
      let children = try (0..<2).map { _ in try ChildProcess(steps, in: folder) }
      for child in children { XCTAssertEqual(try child.wait().output, []) }
      XCTAssertEqual(try folder.contents()?["count"] as? Int, 80)
      XCTAssertEqual(try (folder.contents()?["list"] as? [Int])?.count, 80)
    }

    func testAKillAtAnyMomentLeavesEachStepWholeAndCountsNoneTwice() throws {
      for _ in part(of: 0..<20) {
        let folder = try TemporaryFolder()
        let children = try (0..<3).map { _ in
          try ChildProcess(["saving", "move-exclusively"], in: folder)
        }
        for child in children { XCTAssertEqual(child.line(), "1") }
        var returned = 0
        for child in children {
          // The moment is random, not awaited.
          usleep(.random(in: 0...20_000))
          child.kill(SIGKILL)
          let (end, output, errors) = try child.wait()
          XCTAssertEqual(end, .signal(SIGKILL))
          XCTAssertEqual(errors, "")
          returned += output.last.flatMap { Int($0) } ?? 1
        }
        let contents = try XCTUnwrap(folder.contents() as? [String: Int])
        let left = try XCTUnwrap(contents["left"])
        XCTAssertEqual(contents["right"], -left)
        // The last step of each may be saved though it had not returned.
        XCTAssertTrue((returned...returned + children.count).contains(left), "\(left), \(returned)")
      }
    }

    // MARK: Inside

    func testWhatWasChangedBeforeIsSavedWithTheBodyAndItsTransactions() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(try ChildProcess.save("exclusively:1", in: folder), ["1"])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "1", "inside": "1", "nested": "1"])
    }

    func testABodyThatThrowsChangesNothing() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:inside=old", in: folder)
      let output = try ChildProcess.save("exclusively:throw", "flush", in: folder)
      XCTAssertEqual(output, ["CancellationError()", "old", "flushed"])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "throw", "inside": "old"])
    }

    func testOtherProcessesWaitAndSeeTheChangesAfterwards() throws {
      let folder = try TemporaryFolder()
      let first = try ChildProcess(["saving", "exclusively-wait:1", "set:a=1"], in: folder)
      XCTAssertEqual(first.line(), "inside")
      let second = try ChildProcess(["saving", "exclusively-wait:2"], in: folder)
      let third = try ChildProcess(["saving", "set:third=1", "flush"], in: folder)
      usleep(300_000)
      XCTAssertEqual(try folder.files, [], "nobody saves meanwhile")
      try first.goOn()
      XCTAssertEqual(second.line(), "inside")
      XCTAssertEqual(try folder.contents()?["waited"] as? String, "1")
      try second.goOn()
      for child in [first, second, third] { XCTAssertEqual(try child.wait().errors, "") }
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["waited": "2", "a": "1", "third": "1"])
    }

    func testWhatIsNotChangedIsNotWritten() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(try ChildProcess.save("exclusively-nothing", in: folder), [])
      XCTAssertEqual(try folder.files, [])
      _ = try ChildProcess.save("set:a=1", in: folder)
      let before = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(try ChildProcess.save("exclusively-nothing", in: folder), [])
      let after = try FileManager.default.attributesOfItem(atPath: folder.plist())
      XCTAssertEqual(before[.systemFileNumber] as? Int, after[.systemFileNumber] as? Int)
    }

    func testAnExitInsideSavesNothingOfTheBody() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess(["saving", "set:a=1", "flush", "exclusively-exit"], in: folder).wait()
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1"])
    }

    func testAnExitInsideSavesAtOnceWhatIsNotTheBodys() throws {
      let folder = try TemporaryFolder()
      let (end, _, errors) = try ChildProcess(
        ["saving", "set:a=1", "exclusively-exit:beside"], in: folder
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(errors, "")
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "beside": "1"])
    }

    // MARK: When it fails

    func testASaveThatFailsThrowsAndTheChangesAreUndone() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:inside=old", in: folder)
      let output = try ChildProcess(
        ["saving", "limit-file-size:0", "exclusively:1", "limit-file-size:-1"], in: folder
      ).wait().output
      XCTAssertEqual(output.last, "old")
      XCTAssertTrue(output[0].contains("File too large"), output[0])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "1", "inside": "old"])
    }

    // MARK: Costs

    /// It makes the system calls of one save, as a change and `flush()` do.
    func testItSavesOnce() throws {
      func calls(_ steps: String...) throws -> [String: Int] {
        let folder = try TemporaryFolder()
        let trace = folder.path + "/trace"
        try ChildProcess(
          ["saving"] + steps, in: folder,
          startedBy: [
            SystemCalls.tracer(), "-f", "-qq", "-o", trace, "-e",
            "trace=flock,fsync,rename,renameat2,write",
          ]
        ).wait()
        XCTAssertEqual(try folder.contents()?["measured"] as? Int, 9)
        let names = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
          .filter { $0.contains("fsync(") || $0.contains("rename") || $0.contains("LOCK_EX") }
          .compactMap { $0.split(separator: " ").dropFirst().first?.prefix { $0 != "(" } }
        return Dictionary(names.map { (String($0), 1) }, uniquingKeysWith: +)
      }
      let flush = try calls("flush-each:10")
      XCTAssertEqual(flush["fsync"], 20, "\(flush)")
      let exclusively = try calls("exclusively-each:10")
      XCTAssertEqual(exclusively, flush)
    }
  }
#endif
