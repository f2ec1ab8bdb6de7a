import Dispatch
import Foundation
import Synchronization
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// The parts of which each platform's source of changes is made.
final class ChangeSourceTests: XCTestCase {
  func testALookThatReturnsLateHidesNoChange() {
    let latest = LatestLook<PropertyListObject?>()
    let (old, new) = (PropertyListObject(1), PropertyListObject(2))
    XCTAssertTrue(latest.changes { old })
    XCTAssertFalse(latest.changes { old })
    let late = latest.changes {
      // Meanwhile another thread changes the object and looks, too.
      XCTAssertTrue(latest.changes { new })
      return old
    }
    XCTAssertFalse(late)
    XCTAssertFalse(latest.changes { new })
    XCTAssertTrue(latest.changes { old })
    XCTAssertTrue(latest.changes { nil })
  }

  func testEachThreadHasAVariableForItself() {
    final class Thing: Sendable {}
    let variable = ThreadVariable<Thing>()
    let thing = Thing()
    variable.object = thing
    let ended = expectation(description: "the thread has ended")
    Thread {
      XCTAssertNil(variable.object)
      let own = Thing()
      variable.object = own
      XCTAssertTrue(variable.object === own)
      ended.fulfill()
    }.start()
    wait(for: [ended], timeout: 60)
    XCTAssertTrue(variable.object === thing)
    variable.object = nil
    XCTAssertNil(variable.object)
  }

  func testAMessageTellsABooleanFromANumber() throws {
    for store in try makeStores() {
      let texts = [true, false, 1, 0, 2].map { (object: Any) in
        store.set(object, forKey: "key")
        return store.object(forKey: "key").map { "\(PropertyListObject($0))" }
      }
      XCTAssertEqual(
        texts,
        ["the Boolean true", "the Boolean false", "the number 1", "the number 0", "the number 2"])
    }
  }
}
