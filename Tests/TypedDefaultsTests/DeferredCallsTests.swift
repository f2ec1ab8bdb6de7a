import Synchronization
import XCTest

@testable import TypedDefaults

final class DeferredCallsTests: XCTestCase {
  private final class Owner: Sendable {}

  private final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    var all: [Int] { entries.withLock { $0 } }
  }

  func testCallsWaitForTheOutermostBody() {
    let log = Log()
    DeferredCalls.collecting {
      DeferredCalls.collecting {
        DeferredCalls.perform { log.add(2) }
        DeferredCalls.perform { log.add(3) }
      }
      log.add(1)
    }
    XCTAssertEqual(log.all, [1, 2, 3])
  }

  func testWhatACallLeadsToWaitsUntilItHasReturned() {
    let log = Log()
    DeferredCalls.perform {
      DeferredCalls.perform { log.add(2) }
      log.add(1)
    }
    XCTAssertEqual(log.all, [1, 2])
  }

  func testOneCallIsMadeForAnOwner() {
    let log = Log()
    let owners = [Owner(), Owner()]
    DeferredCalls.collecting {
      for i in 0..<10 { DeferredCalls.perform(onceFor: owners[i % 2]) { log.add(i) } }
    }
    XCTAssertEqual(log.all, [0, 1])
  }

  func testAnOwnerIsCalledAgainForWhatHappensDuringItsCall() {
    let log = Log()
    let owner = Owner()
    DeferredCalls.perform(onceFor: owner) {
      log.add(1)
      for i in 2...3 { DeferredCalls.perform(onceFor: owner) { log.add(i) } }
    }
    XCTAssertEqual(log.all, [1, 2])
  }

  /// As many as make a square of them seen: 1,600 took a hundredth of it.
  func testCollectingManyCallsIsLinear() {
    let log = Log()
    let owners = (0..<16_000).map { _ in Owner() }
    let start = ContinuousClock.now
    DeferredCalls.collecting {
      for owner in owners { DeferredCalls.perform(onceFor: owner) { log.add(0) } }
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(1))
    XCTAssertEqual(log.all.count, owners.count)
  }
}
