import Foundation
import XCTest

@testable import TestSupport
@testable import TypedDefaults

/// A value's way from changed to saved.
final class StoredValuesTests: XCTestCase {
  private typealias Token = StoredValues.Token

  private var values = StoredValues()
  private let (first, second) = (NSObject(), NSObject())
  private var token: Token { Token(first) }
  private var other: Token { Token(second) }

  private func set(_ key: String, to object: Int?, heldBy token: Token? = nil) {
    values.set(key, to: object.map { PropertyListObject($0) }, heldBy: token)
  }

  private func objects(_ values: [String: Int?]) -> StoredValues.Objects {
    values.mapValues { $0.map { PropertyListObject($0) } }
  }

  private func contents(_ objects: [String: Any]) throws -> PreferencesContents {
    var contents = PreferencesContents()
    for (key, object) in objects { try contents.set(PropertyListObject(object), for: key) }
    return contents
  }

  private func shown(_ key: String) -> Int? { values[key]?.object as? Int }

  // MARK: Showing

  func testTheLatestChangeShowsAndHidesTheFile() throws {
    XCTAssertEqual(values.adopt(try contents(["a": 1])), ["a"])
    XCTAssertEqual(shown("a"), 1)
    XCTAssertTrue(values.set("a", to: PropertyListObject(2)))
    XCTAssertFalse(values.set("a", to: PropertyListObject(2)))
    XCTAssertEqual(values.adopt(try contents(["a": 3, "b": 3])), ["b"])
    XCTAssertEqual([shown("a"), shown("b")], [2, 3])
    set("b", to: nil)
    XCTAssertEqual(values.objects, objects(["a": 2]).compactMapValues(\.self))
  }

  func testWhatComesByNoCallOfTheLibraryShowsUntilTheNextChangeAndIsNotSaved() throws {
    set("a", to: 1)
    values.show(PropertyListObject(2), for: "a")
    XCTAssertEqual(shown("a"), 2)
    XCTAssertEqual(values.take(), objects(["a": 1]))
    values.settle(try contents(["a": 1]))
    XCTAssertEqual(shown("a"), 2)
    XCTAssertEqual(values.adopt(try contents(["a": 3])), ["a"])
    XCTAssertEqual(shown("a"), 3)
    values.show(PropertyListObject(4), for: "a")
    set("a", to: 5)
    XCTAssertEqual(shown("a"), 5)
  }

  func testWhatIsWrittenOfOldIsDueAgainUnlessARawCallHasRemovedIt() throws {
    _ = values.adopt(try contents(["a": 1, "b": 1]))
    values.show(PropertyListObject(3), for: "a")
    values.show(nil, for: "b")
    _ = values.adopt(try contents(["a": 2, "b": 2]), stale: ["a", "b"])
    XCTAssertEqual([shown("a"), shown("b")], [3, 2])
    XCTAssertEqual(values.take(), objects(["a": 3]))
  }

  // MARK: Saving

  func testTheLatestChangeOfEachKeyIsTakenOnce() throws {
    set("a", to: 1)
    set("a", to: 2)
    set("b", to: nil)
    XCTAssertTrue(values.isDue)
    XCTAssertEqual(values.take(), objects(["a": 2, "b": nil]))
    XCTAssertFalse(values.isDue)
    values.settle(try contents(["a": 2]))
    XCTAssertEqual(values.take(), [:])
    XCTAssertEqual(shown("a"), 2)
  }

  func testWhatCouldNotBeSavedIsPutBackBeneathNewerChanges() {
    set("a", to: 1)
    set("b", to: 1)
    _ = values.take()
    set("b", to: 2)
    values.putBack()
    XCTAssertEqual(values.take(), objects(["a": 1, "b": 2]))
  }

  func testAChangeHidesAnotherProcessesUntilItIsSaved() throws {
    set("a", to: 1)
    XCTAssertEqual(values.adopt(try contents(["a": 9])), [])
    _ = values.take()
    XCTAssertEqual(values.adopt(try contents(["a": 8])), [])
    XCTAssertEqual(shown("a"), 1)
    values.settle(try contents(["a": 1]))
    XCTAssertEqual(values.adopt(try contents(["a": 9])), ["a"])
    XCTAssertEqual(shown("a"), 9)
  }

  func testWhatTheFileCannotHoldGoesOnToShow() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    values.set("date", to: PropertyListObject(date))
    set("refused", to: 1)
    _ = values.take()
    values.settle(try contents(["date": date, "refused": 0]))
    XCTAssertEqual(values["date"]?.object as? Date, date)
    XCTAssertEqual(shown("refused"), 1)
    XCTAssertFalse(values.isDue)
  }

  func testOnlyRemovalsOfWhatIsNotThereAreSaved() throws {
    _ = values.adopt(try contents(["a": 1]))
    XCTAssertTrue(values.areSaved)
    set("b", to: nil)
    XCTAssertTrue(values.areSaved)
    set("a", to: nil)
    XCTAssertFalse(values.areSaved)
    XCTAssertTrue(values.areRemovals)
    _ = values.adopt(.init())
    XCTAssertTrue(values.areSaved)
  }

  func testWhereNoFileKeepsThemChangesAreSettledAtOnce() {
    set("a", to: 1)
    set("b", to: nil)
    set("held", to: 1, heldBy: token)
    values.settle()
    XCTAssertFalse(values.isDue)
    XCTAssertEqual(values.objects, objects(["a": 1, "held": 1]).compactMapValues(\.self))
    XCTAssertEqual(values.drop(token), ["held"])
    XCTAssertEqual(values.objects, objects(["a": 1]).compactMapValues(\.self))
  }

  // MARK: Held back

  func testAHeldChangeShowsAndWaitsForItsToken() {
    set("a", to: 1, heldBy: token)
    set("b", to: 1, heldBy: other)
    XCTAssertFalse(values.isDue)
    XCTAssertEqual(values.take(), [:])
    XCTAssertEqual([shown("a"), shown("b")], [1, 1])
    values.end(token)
    XCTAssertEqual(values.take(), objects(["a": 1]))
    XCTAssertEqual(values.holders, [other])
  }

  func testAHeldChangeIsTakenWithItsTokenAndStaysHeldUntilItIsSaved() throws {
    set("a", to: 1)
    set("a", to: 2, heldBy: token)
    set("b", to: 2, heldBy: token)
    XCTAssertEqual(values.take(with: token), objects(["a": 2, "b": 2]))
    values.putBack()
    XCTAssertEqual(values.drop(token).sorted(), ["a", "b"])
    XCTAssertEqual(values.take(), objects(["a": 1]), "the change before it is kept")
    set("a", to: 3, heldBy: token)
    XCTAssertEqual(values.take(with: token), objects(["a": 3]))
    values.settle(try contents(["a": 3]), with: token)
    XCTAssertEqual(values.drop(token), [])
    XCTAssertEqual(shown("a"), 3)
  }

  func testWhatIsDroppedGivesWayToWhatOthersHaveSavedMeanwhile() throws {
    set("a", to: 1, heldBy: token)
    XCTAssertEqual(values.adopt(try contents(["a": 2, "c": 2])), ["c"])
    XCTAssertEqual(shown("a"), 1)
    XCTAssertEqual(values.drop(token), ["a"])
    XCTAssertEqual(shown("a"), 2)
  }

  func testAnotherThreadsLaterChangeIsNotDropped() {
    set("a", to: 1, heldBy: token)
    set("a", to: 2)
    XCTAssertEqual(values.drop(token), [])
    XCTAssertEqual(values.take(with: token), objects(["a": 2]))
  }

  func testAnInnerTokensChangesBecomeTheOuterOnesOrShowItsAgain() {
    set("a", to: 1, heldBy: token)
    set("a", to: 2, heldBy: other)
    XCTAssertEqual(values.drop(other), ["a"])
    XCTAssertEqual(shown("a"), 1)
    set("a", to: 3, heldBy: other)
    values.end(other, into: token)
    XCTAssertEqual(values.holders, [token])
    values.end(token)
    XCTAssertEqual(values.take(), objects(["a": 3]))
  }

  // MARK: Every order of calls

  /// Two transactions, a save and another process, in every order, against a list of what each has done.
  func testEveryOrderOfCallsShowsTheLatestChangeThatIsNotDropped() throws {
    enum Step: CaseIterable {
      case set, setHeld, setOther, end, drop, endOther, dropOther, adopt, take, settle, putBack
    }
    /// One change that a reader may see, by whom.
    struct Change: Equatable {
      enum Owner { case due, taken, token, other }
      var number: Int
      var owner: Owner
    }
    func check(_ steps: [Step]) throws {
      values = StoredValues()
      var file = 0
      // The latest last; whoever ends or is saved loses what came before it.
      var changes: [Change] = []
      var isTaken = false
      for (number, step) in zip(1..., steps) {
        func end(_ owner: Change.Owner) {
          guard let index = changes.firstIndex(where: { $0.owner == owner }) else { return }
          changes[index].owner = .due
          changes = changes[..<index].filter { $0.owner == .taken } + changes[index...]
        }
        func set(_ owner: Change.Owner) {
          changes.removeAll {
            $0.owner == owner || owner == .due && $0.owner != .taken
          }
          changes.append(Change(number: number, owner: owner))
        }
        switch step {
        case .set:
          self.set("a", to: number)
          set(.due)
        case .setHeld:
          self.set("a", to: number, heldBy: token)
          set(.token)
        case .setOther:
          self.set("a", to: number, heldBy: other)
          set(.other)
        case .end:
          values.end(token)
          end(.token)
        case .endOther:
          values.end(other)
          end(.other)
        case .drop:
          _ = values.drop(token)
          changes.removeAll { $0.owner == .token }
        case .dropOther:
          _ = values.drop(other)
          changes.removeAll { $0.owner == .other }
        case .adopt:
          _ = values.adopt(try contents(["a": number]))
          file = number
        case .take:
          // One save at a time.
          guard !isTaken else { continue }
          isTaken = true
          let taken = values.take()
          let due = changes.firstIndex { $0.owner == .due }
          XCTAssertEqual(taken["a"]??.object as? Int, due.map { changes[$0].number }, "\(steps)")
          due.map { changes[$0].owner = .taken }
        case .settle:
          guard isTaken else { continue }
          isTaken = false
          let taken = changes.first { $0.owner == .taken }
          if let taken { file = taken.number }
          values.settle(try contents(["a": file]))
          changes.removeAll { $0.owner == .taken }
        case .putBack:
          guard isTaken else { continue }
          isTaken = false
          values.putBack()
          if changes.contains(where: { $0.owner == .due }) {
            changes.removeAll { $0.owner == .taken }
          } else if let index = changes.firstIndex(where: { $0.owner == .taken }) {
            changes[index].owner = .due
          }
        }
        XCTAssertEqual(shown("a") ?? 0, changes.last?.number ?? file, "\(steps.prefix(number))")
      }
    }
    func each(_ steps: [Step], _ length: Int) throws {
      if length == 0 { return try check(steps) }
      for step in Step.allCases { try each(steps + [step], length - 1) }
    }
    try each([], 4)
    var generator = SeededGenerator()
    for _ in 0..<5000 {
      try check((0..<12).map { _ in Step.allCases.randomElement(using: &generator)! })
    }
  }
}
