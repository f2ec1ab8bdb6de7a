import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

final class DeferredCallsTests: XCTestCase {
  private final class Owner: Sendable {}

  private final class Log: Sendable {
    private let entries = TestMutex<[Int]>([])
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

  /// Eight times as many take about eight times as long. What is quadratic would take 64 times as long.
  func testCollectingManyCallsIsLinear() {
    func time(_ count: Int) -> Duration {
      let log = Log()
      let owners = (0..<count).map { _ in Owner() }
      let time = threadTime {
        DeferredCalls.collecting {
          for owner in owners { DeferredCalls.perform(onceFor: owner) { log.add(0) } }
        }
      }
      XCTAssertEqual(log.all.count, count)
      return time
    }
    let (some, many) = ((1...3).map { _ in time(2_000) }.min()!, time(16_000))
    XCTAssertLessThan(many, some * 24)
  }
}
