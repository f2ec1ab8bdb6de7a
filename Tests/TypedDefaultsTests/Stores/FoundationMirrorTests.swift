#if !TYPED_DEFAULTS_PLATFORM_SAVES && !canImport(Darwin)
  import Foundation
  import XCTest

  @testable import TestSupport
  @testable import TypedDefaults

  /// What is believed of what Foundation's memory shows.
  final class FoundationMirrorTests: XCTestCase {
    private typealias Sight = FoundationMirror.Sight

    private var mirror = FoundationMirror()
    private var values = StoredValues()

    private func object(_ number: Int?) -> PropertyListObject? {
      number.map { PropertyListObject($0) }
    }

    private var ours: Int? { values["a"]?.object as? Int }

    private func contents(_ number: Int?) throws -> PreferencesContents {
      var contents = PreferencesContents()
      try contents.set(object(number), for: "a")
      return contents
    }

    /// Sets or removes the key.
    ///
    /// - Parameter isTaken: Whether Foundation is known to show it.
    private func set(_ number: Int?, isTaken: Bool) {
      values.set("a", to: object(number))
      if isTaken { mirror.note(object(number), "a", values) } else { mirror.compare("a", values) }
    }

    @discardableResult
    private func look(_ number: Int?, isHidden: Bool = false) -> Bool {
      let sight = number.map { Sight.object(PropertyListObject($0), isHidden: isHidden) }
      return mirror.look(at: "a", sight ?? .nothing, &values)
    }

    private func read(_ number: Int?) throws {
      _ = values.adopt(try contents(number))
      mirror.noteRead()
      mirror.compare("a", values)
    }

    // MARK: Looks

    func testWhatShowsAsBeforeIsNoRawSet() {
      set(1, isTaken: true)
      set(2, isTaken: false)
      XCTAssertEqual(mirror.behind, ["a"])
      XCTAssertFalse(look(1))
      XCTAssertEqual(ours, 2)
      XCTAssertFalse(look(2))
      XCTAssertEqual(mirror.behind, [])
    }

    func testWhatShowsAnotherObjectIsARawSet() {
      for isTaken in [true, false] {
        set(1, isTaken: isTaken)
        let raw = isTaken ? 3 : 4
        look(raw)
        XCTAssertEqual(ours, raw)
        XCTAssertEqual(mirror.behind, [])
      }
    }

    func testWhatTheFileHeldIsReadLateWhereOursIsNotTaken() throws {
      try read(1)
      set(2, isTaken: false)
      look(1)
      XCTAssertEqual([ours, mirror.shown["a"]?.object as? Int], [2, 1])
      XCTAssertEqual(mirror.behind, ["a"])
      // It is a raw set where ours was shown, and nothing hides it.
      set(2, isTaken: true)
      look(1, isHidden: true)
      XCTAssertEqual(ours, 2)
      set(2, isTaken: true)
      look(1)
      XCTAssertEqual(ours, 1)
    }

    func testWhatShowsNothingAnyMoreIsToldAndNotAdopted() {
      set(1, isTaken: true)
      XCTAssertTrue(look(nil))
      XCTAssertEqual(ours, 1)
      XCTAssertEqual(mirror.behind, ["a"])
      XCTAssertFalse(look(nil), "It showed nothing before")
      look(1)
      XCTAssertTrue(look(nil))
      mirror.adoptRemoval(of: "a", &values)
      XCTAssertNil(ours)
      XCTAssertEqual(mirror.behind, [])
    }

    func testAnUnknownSightChangesNothing() {
      set(1, isTaken: true)
      set(2, isTaken: false)
      XCTAssertFalse(mirror.look(at: "a", .unknown, &values))
      XCTAssertEqual([ours, mirror.shown["a"]?.object as? Int], [2, 1])
    }

    func testWhatIsStaleIsForgottenWhenTheFileIsReadOnceOursIsTaken() throws {
      set(1, isTaken: true)
      set(2, isTaken: false)
      XCTAssertEqual(mirror.stale, ["a": PropertyListObject(1)])
      look(2)
      XCTAssertEqual(mirror.stale, ["a": PropertyListObject(1)], "It may have been written")
      mirror.noteRead()
      XCTAssertEqual(mirror.stale, [:])
    }

    // MARK: Shortages

    func testWhatIsSetInAShortageIsNoRawSetWhenItShowsLater() throws {
      set(1, isTaken: true)
      set(2, isTaken: false)
      mirror.refuse(object(2), "a")
      set(3, isTaken: true)
      look(2)
      XCTAssertEqual(ours, 3)
      XCTAssertEqual(mirror.behind, ["a"])
      look(4)
      XCTAssertEqual(ours, 4)
    }

    func testOfWhatIsSetInAShortageAnEarlierOneMayShowLater() throws {
      set(1, isTaken: true)
      for number in [2, 3, nil] {
        set(number, isTaken: false)
        mirror.refuse(object(number), "a")
      }
      mirror.noteRead()
      XCTAssertEqual(mirror.staleKeys(of: try contents(2), values), ["a"])
      look(2)
      XCTAssertEqual(ours, nil)
      look(4)
      XCTAssertEqual(ours, 4)
    }

    func testAFileWithWhatWasSetInAShortageIsStale() throws {
      for old in [2, nil] {
        set(old, isTaken: false)
        mirror.refuse(object(old), "a")
        set(3, isTaken: true)
        mirror.noteRead()
        XCTAssertEqual(mirror.staleKeys(of: try contents(old), values), ["a"])
        XCTAssertEqual(mirror.staleKeys(of: try contents(3), values), [])
        XCTAssertEqual(mirror.staleKeys(of: try contents(4), values), [])
      }
    }

    func testWhatTheFileHeldBeforeOursWasSavedIsReadLate() throws {
      try read(1)
      set(2, isTaken: false)
      _ = mirror.staleKeys(of: try contents(1), values)
      values.take()
      values.settle(try contents(2))
      look(1)
      XCTAssertEqual(ours, 2)
      look(3)
      XCTAssertEqual(ours, 3)
    }

    func testWhatFoundationMayHaveLostIsNotRemoved() {
      set(1, isTaken: true)
      mirror.doubtAll(but: [:])
      XCTAssertFalse(look(nil))
      XCTAssertEqual(mirror.behind, ["a"])
      set(2, isTaken: false)
      look(1)
      XCTAssertEqual(ours, 2, "It has come back")
      set(2, isTaken: true)
      XCTAssertTrue(look(nil))
      // What it has is not in doubt.
      set(2, isTaken: true)
      mirror.doubtAll(but: ["a": object(2)!])
      XCTAssertTrue(look(nil))
    }

    // MARK: Every order of calls

    /// Against the sentences of the rule, which know what was shown at each look.
    func testEveryOrderOfCallsBelievesOnlyDifferences() throws {
      enum Step: CaseIterable {
        case set, setUntaken, remove, removeUntaken
        case lookSame, lookOurs, lookFile, lookFileHidden, lookOther, lookOtherHidden, lookNothing
        case lookUnknown, read, readNothing
      }
      func check(_ steps: [Step]) throws {
        (mirror, values) = (FoundationMirror(), StoredValues())
        var (ours, shown, file): (Int?, Int?, Int?) = (nil, nil, nil)
        // What Foundation may have written since the file was read.
        var stale: Int?
        for (number, step) in zip(1..., steps) {
          let what = "\(steps.prefix(number))"
          func see(_ sight: Int?, isHidden: Bool = false) {
            let isMissing = look(sight, isHidden: isHidden)
            XCTAssertEqual(isMissing, sight == nil && shown != nil && ours != nil, what)
            let isLate = (shown != ours || isHidden) && sight == file
            if let sight, sight != shown, !isLate { ours = sight }
            shown = sight
          }
          switch step {
          case .set, .setUntaken, .remove, .removeUntaken:
            let new = step == .set || step == .setUntaken ? number : nil
            let isTaken = step == .set || step == .remove
            set(new, isTaken: isTaken)
            ours = new
            if isTaken { shown = new }
          case .lookSame: see(shown)
          case .lookOurs: see(ours)
          case .lookFile: see(file)
          case .lookFileHidden: see(file, isHidden: true)
          case .lookOther: see(number)
          case .lookOtherHidden: see(number, isHidden: true)
          case .lookNothing: see(nil)
          case .lookUnknown: XCTAssertFalse(mirror.look(at: "a", .unknown, &values), what)
          case .read, .readNothing:
            let new = step == .read ? number : nil
            let isHeld = values.isDue
            if shown == ours { stale = nil }
            try read(new)
            if file != new, !isHeld { ours = new }
            file = new
          }
          if shown != ours { stale = shown }
          XCTAssertEqual(self.ours, ours, what)
          XCTAssertEqual(mirror.shown["a"]?.object as? Int, shown, what)
          XCTAssertEqual(mirror.behind, shown == ours ? [] : ["a"], what)
          XCTAssertEqual(mirror.stale["a"]??.object as? Int, stale, what)
        }
      }
      func each(_ steps: [Step], _ length: Int) throws {
        if length == 0 { return try check(steps) }
        for step in Step.allCases { try each(steps + [step], length - 1) }
      }
      try each([], 4)
      var generator = SeededGenerator()
      for _ in 0..<2000 {
        try check((0..<12).map { _ in Step.allCases.randomElement(using: &generator)! })
      }
    }

    // MARK: In a suite

    func testWhatAThreadHasFoundBeforeAnAssignmentIsNoRawSet() throws {
      let suite = try makeSuite()
      let backend = try XCTUnwrap(Store.of(suite).backend as? FileSuite)
      let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: suite)
      (count.wrappedValue, count.wrappedValue) = (1, 2)
      XCTAssertFalse(backend.isPlain(object(1), "count", isDefault: false, in: suite))
      XCTAssertEqual(backend.memory["count"], object(2))
    }
  }
#endif
