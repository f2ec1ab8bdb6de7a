import XCTest

@testable import TypedDefaults

/// A key's way from changed to saved.
final class PendingChangesTests: XCTestCase {
  private var changes = PendingChanges()

  private func change(_ key: String, to object: Int?) {
    changes.begin(key)
    changes.end(key, object.map { PropertyListObject($0) })
  }

  private func objects(_ values: [String: Int?]) -> PendingChanges.Objects {
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

  func testAKeyIsOwnFromItsBeginningUntilItIsSaved() {
    XCTAssertFalse(changes.isOwn("a"))
    changes.begin("a")
    XCTAssertTrue(changes.isOwn("a"))
    changes.end("a", nil)
    XCTAssertTrue(changes.isOwn("a"))
    _ = changes.take()
    XCTAssertTrue(changes.isOwn("a"))
    XCTAssertFalse(changes.isOwn("b"))
    _ = changes.take()
    XCTAssertFalse(changes.isOwn("a"))
  }

  func testAKeyThatTwoThreadsHaveBegunIsOwnUntilBothHaveEnded() {
    changes.begin("a")
    change("a", to: 1)
    _ = changes.take()
    _ = changes.take()
    XCTAssertTrue(changes.isOwn("a"))
  }

  func testTheSavingThreadIsToldOnceUntilItTakes() {
    XCTAssertTrue(changes.schedule())
    XCTAssertFalse(changes.schedule())
    _ = changes.take()
    XCTAssertTrue(changes.schedule())
  }

  func testMarkedMemoryIsChangedWhereItIsNotSavedAndWinsOverWhatWasPending() throws {
    change("removed", to: 1)
    change("same", to: 2)
    changes.begin("begun")
    let saved = try contents(["same": 1, "gone": 1, "begun": 1])
    let memory = ["same": 1, "new": 1, "begun": 2].mapValues { PropertyListObject($0) }

    changes.addMarkedMemory(memory, unlike: saved)
    XCTAssertEqual(changes.take(), objects(["removed": 1, "same": 2]), "it is not marked yet")
    changes.putBack()

    changes.markMemory()
    XCTAssertFalse(changes.isEmpty)
    changes.addMarkedMemory(memory, unlike: saved)
    XCTAssertEqual(changes.take(), objects(["gone": nil, "new": 1]))
    changes.addMarkedMemory(memory, unlike: saved)
    XCTAssertTrue(changes.isEmpty, "it is looked at once")
  }
}
