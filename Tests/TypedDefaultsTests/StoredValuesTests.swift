import Foundation
import XCTest

@testable import TypedDefaults

/// A key's way from changed to saved.
final class StoredValuesTests: XCTestCase {
  private var changes = StoredValues()

  private func change(_ key: String, to object: Int?) {
    changes.begin(key)
    changes.end(key, object.map { PropertyListObject($0) })
  }

  private func objects(_ values: [String: Int?]) -> StoredValues.Objects {
    values.mapValues { $0.map { PropertyListObject($0) } }
  }

  private func contents(_ values: [String: Int]) throws -> PreferencesContents {
    var contents = PreferencesContents()
    for (key, value) in values { try contents.set(PropertyListObject(value), for: key) }
    return contents
  }

  func testTheLatestChangeOfEachKeyIsTakenOnce() {
    XCTAssertTrue(changes.isEmpty)
    change("a", to: 1)
    change("a", to: 2)
    change("b", to: nil)
    XCTAssertFalse(changes.isEmpty)
    XCTAssertEqual(changes.take(), objects(["a": 2, "b": nil]))
    XCTAssertTrue(changes.isEmpty)
    changes.settle()
    XCTAssertEqual(changes.take(), [:])
  }

  func testWhatCouldNotBeSavedIsPutBackBeneathNewerChanges() {
    change("a", to: 1)
    change("b", to: 1)
    _ = changes.take()
    change("b", to: 2)
    changes.putBack()
    XCTAssertEqual(changes.take(), objects(["a": 1, "b": 2]))
  }

  private func isOwn(_ key: String) -> Bool { changes.admit(objects([key: 9])).isEmpty }

  func testAKeyIsOwnFromItsBeginningUntilItIsSaved() {
    XCTAssertFalse(isOwn("a"))
    changes.begin("a")
    XCTAssertTrue(isOwn("a"))
    changes.end("a", nil)
    XCTAssertTrue(isOwn("a"))
    _ = changes.take()
    XCTAssertTrue(isOwn("a"))
    XCTAssertFalse(isOwn("b"))
    changes.settle()
    XCTAssertFalse(isOwn("a"))
  }

  func testAKeyThatTwoThreadsHaveBegunIsOwnUntilBothHaveEnded() {
    changes.begin("a")
    change("a", to: 1)
    _ = changes.take()
    changes.settle()
    XCTAssertTrue(isOwn("a"))
  }

  func testOnlyRemovalsOfWhatIsNotThereAreSaved() throws {
    changes.saved = try contents(["a": 1])
    XCTAssertTrue(changes.areSaved)
    change("b", to: nil)
    XCTAssertTrue(changes.areSaved)
    change("a", to: nil)
    XCTAssertFalse(changes.areSaved)
    XCTAssertTrue(changes.areRemovals)
    changes.saved = .init()
    XCTAssertTrue(changes.areSaved)
    changes.markMemory()
    XCTAssertFalse(changes.areSaved)
    XCTAssertFalse(changes.areRemovals)
  }

  // MARK: Held back

  private let (token, other) = (NSObject(), NSObject())

  private func change(_ key: String, to object: Int?, heldBy token: NSObject) {
    changes.begin(key)
    changes.end(key, object.map { PropertyListObject($0) }, heldBy: ObjectIdentifier(token))
  }

  func testAHeldChangeWaitsForItsTokenAndIsOwnMeanwhile() {
    change("a", to: 1, heldBy: token)
    change("b", to: 1, heldBy: other)
    XCTAssertTrue(changes.isEmpty)
    XCTAssertEqual(changes.take(), [:])
    XCTAssertTrue(isOwn("a"))
    changes.end(ObjectIdentifier(token))
    XCTAssertEqual(changes.take(), objects(["a": 1]))
  }

  func testAHeldChangeIsTakenWithItsTokenAndStaysHeldUntilItIsSaved() {
    change("a", to: 1)
    change("a", to: 2, heldBy: token)
    change("b", to: 2, heldBy: token)
    XCTAssertEqual(changes.take(with: ObjectIdentifier(token)), objects(["a": 2, "b": 2]))
    changes.putBack()
    XCTAssertEqual(changes.drop(ObjectIdentifier(token)), [:])
    XCTAssertEqual(changes.take(), objects(["a": 1]), "the change before it is kept")
    changes.settle()
    XCTAssertFalse(isOwn("b"))
  }

  func testWhatIsDroppedGivesWayToWhatOthersHaveSavedMeanwhile() {
    change("a", to: 1, heldBy: token)
    change("b", to: 1, heldBy: token)
    XCTAssertEqual(changes.admit(objects(["a": 2, "c": 2])), objects(["c": 2]))
    XCTAssertEqual(changes.drop(ObjectIdentifier(token)), objects(["a": 2]))
    XCTAssertFalse(isOwn("a"))
  }

  func testAnotherThreadsLaterChangeIsNotDropped() {
    change("a", to: 1, heldBy: token)
    change("a", to: 2)
    XCTAssertEqual(changes.drop(ObjectIdentifier(token)), [:])
    XCTAssertEqual(changes.take(with: ObjectIdentifier(token)), objects(["a": 2]))
  }

  func testMarkedMemoryIsChangedWhereItIsNotSavedAndWinsOverWhatWasPending() throws {
    change("removed", to: 1)
    change("same", to: 2)
    changes.begin("begun")
    changes.saved = try contents(["same": 1, "gone": 1, "begun": 1])
    let memory = ["same": 1, "new": 1, "begun": 2].mapValues { PropertyListObject($0) }

    changes.addMarkedMemory(memory)
    XCTAssertEqual(changes.take(), objects(["removed": 1, "same": 2]), "it is not marked yet")
    changes.putBack()

    changes.markMemory()
    XCTAssertFalse(changes.isEmpty)
    changes.addMarkedMemory(memory)
    XCTAssertEqual(changes.take(), objects(["gone": nil, "new": 1]))
    changes.addMarkedMemory(memory)
    XCTAssertTrue(changes.isEmpty, "it is looked at once")
  }
}
