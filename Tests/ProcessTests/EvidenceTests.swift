#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  /// Settings in Foundation's class while it cannot open its file, and raw calls. `Probe evidence` has the
  /// steps.
  ///
  /// A file with the values 1, 2 and 3 of `a`, `b` and `c` is there before the process starts. In the end
  /// another process reads what is in it.
  final class EvidenceTests: XCTestCase {
    let start = ["a": 1, "b": 2, "c": 3]

    // MARK: No descriptor

    func testANotificationWithTheLastDescriptorRemovesNothing() throws {
      for sign in ["post", "other-domain"] {
        // A save that is under way may take the descriptor between Foundation's reading and its writing.
        let saved = sign == "post" ? "set:b=20" : "set:b=20 try-flush"
        for steps in ["\(saved) \(sign) try-flush", "\(sign) try-flush set:b=20"] {
          try assertSteps(
            "get:a flush descriptors:1 \(steps) descriptors:all flush get:a get:b get:c",
            print: ["1", "flushed", "flushed", "1", "20", "3"], leave: ["a": 1, "b": 20, "c": 3])
        }
        try assertSteps(
          "get:a flush descriptors:1 \(sign) try-flush descriptors:all set:b=20 flush get:a get:b get:c",
          print: ["1", "flushed", "flushed", "1", "20", "3"], leave: ["a": 1, "b": 20, "c": 3])
      }
    }

    func testANotificationWithoutADescriptorRemovesNothing() throws {
      for sign in ["post", "other-domain"] {
        try assertSteps(
          "get:a flush descriptors:0 \(sign) try-flush get:a set:b=20 get:b descriptors:all flush "
            + "get:a get:b get:c",
          print: ["1", "flushed", "1", "20", "flushed", "1", "20", "3"],
          leave: ["a": 1, "b": 20, "c": 3])
      }
    }

    func testATransactionThatThrowsRemovesNothing() throws {
      try assertSteps(
        "get:a flush descriptors:0 set:b=20 throw:a=5 throw:b=30 get:a get:b descriptors:all "
          + "get:a get:b flush post flush get:a get:b",
        print: ["1", "flushed", "1", "20", "1", "20", "flushed", "flushed", "1", "20"],
        leave: ["a": 1, "b": 20, "c": 3])
    }

    func testAChangeBeneathAnArgumentSeesWhatIsStored() throws {
      try assertSteps(
        "get:c flush descriptors:0 add:a=1 stored-value:a add:b=1 get:a get:b descriptors:all "
          + "stored-value:a get:a flush stored-value:a -a 7",
        print: ["3", "flushed", "2", "7", "3", "2", "7", "flushed", "2"],
        leave: ["a": 2, "b": 3, "c": 3])
    }

    func testASnapshotAndFirstReadsHaveWhatIsStored() throws {
      try assertSteps(
        "get:a flush descriptors:0 snapshot get:b descriptors:all get:b get:c snapshot",
        print: ["1", "flushed", "1 2 3", "2", "2", "3", "1 2 3"], leave: start)
    }

    func testWhatTheFirstReadOfAllCannotFindShowsLater() throws {
      try assertSteps(
        "descriptors:0 get:a descriptors:all set:b=20 flush get:a get:b get:c",
        print: ["0", "flushed", "1", "20", "3"], leave: ["a": 1, "b": 20, "c": 3])
    }

    /// The registered default shows in its place.
    func testAnAssignmentOfTheDefaultIsNotTakenForTaken() throws {
      try assertSteps(
        "get:d flush descriptors:0 set:d=0 stored:d set:d=7 get:d descriptors:all get:d stored:d flush "
          + "get:d",
        print: ["0", "flushed", "true", "7", "7", "true", "flushed", "7"],
        leave: ["d": 7].merging(start) { $1 })
    }

    func testWhatFoundationKeepsOfBeforeDoesNotComeBack() throws {
      for (change, last) in [("set:a=7", 7), ("remove:a", 0)] {
        for flush in ["", "flush "] {
          try assertSteps(
            "set:a=5 flush descriptors:0 \(change) descriptors:all \(flush)other-domain flush",
            print: Array(repeating: "flushed", count: flush.isEmpty ? 2 : 3),
            leave: ["a": last, "b": 2, "c": 3])
          try assertSteps(
            "set:a=5 flush descriptors:0 \(change) descriptors:all \(flush)other-domain get:a flush "
              + "get:a",
            print: ["flushed"] + (flush.isEmpty ? [] : ["flushed"]) + [
              "\(last)", "flushed", "\(last)",
            ],
            leave: ["a": last, "b": 2, "c": 3])
        }
      }
    }

    func testOursIsSetThereAgain() throws {
      for change in ["get:a", "post get:a", "get:b"] {
        let read = change.hasSuffix("a") ? "5" : "2"
        try assertSteps(
          "get:a flush descriptors:0 set:a=5 \(change) descriptors:all until-raw:a=5 flush raw-get:a",
          print: ["1", "flushed", read, "5", "flushed", "5"], leave: ["a": 5, "b": 2, "c": 3])
      }
      // At the first read, if none has tried before.
      try assertSteps(
        "get:a flush descriptors:0 set:a=5 descriptors:all get:a raw-get:a flush",
        print: ["1", "flushed", "5", "5", "flushed"], leave: ["a": 5, "b": 2, "c": 3])
    }

    func testWhatFoundationReadsLateIsNoRawSet() throws {
      try assertSteps(
        "get:a flush descriptors:0 other-domain set:a=5 get:a descriptors:all other-domain get:a flush "
          + "get:a post flush get:a",
        print: ["1", "flushed", "5", "5", "flushed", "5", "flushed", "5"],
        leave: ["a": 5, "b": 2, "c": 3])
    }

    func testADescriptorThatAnotherThreadTakesLosesNothing() throws {
      for kind in ["set", "post", "lock", "domain"] {
        for (store, name) in stores {
          let folder = try makeFolder(name)
          let steps = ["get:a", "race:\(kind)", "try-flush", "flush", "get:a"]
          let child = try ChildProcess(["evidence", store, "zero"] + steps, in: folder)
          let (end, output, errors) = try child.wait(until: .now() + 60)
          XCTAssertEqual(end, .exit(0), errors)
          let words = try XCTUnwrap(output.dropFirst().first).split(separator: " ").map(String.init)
          let what = "\(store), \(kind): \(output)"
          XCTAssertEqual(
            words.dropFirst() + output.dropFirst(2), [words[0], "flushed", words[0]], what)
          // A call for a whole domain may itself write the file without what it could not read.
          let lasting = words.prefix(1) + (kind == "domain" ? [] : ["2", "3"])
          let keys = ["a", "b", "c"].prefix(lasting.count)
          XCTAssertEqual(try read(Array(keys), of: store, in: folder), Array(lasting), what)
        }
      }
    }

    // MARK: No permission

    /// As root, all of it is also done as another user, who may not read the file from the start or later.
    func testAFileThatBecomesUnreadableLosesNothing() throws {
      for user in ["", "as-user "] {
        try assertSteps(
          user + "get:a flush unreadable set:a=5 get:a get:b set:b=10 add:b=1 add:c=4 get:b get:c "
            + "readable flush get:a get:b get:c file post flush get:a get:b get:c file other-domain flush get:a",
          print: [
            "1", "flushed", "5", "2", "11", "7", "flushed", "5", "11", "7", "5 11 7", "flushed",
            "5", "11", "7",
            "5 11 7", "flushed", "5",
          ], leave: ["a": 5, "b": 11, "c": 7])
      }
    }

    func testAFileThatIsUnreadableFromTheStartLosesNothing() throws {
      for user in ["", "as-user "] {
        for sign in ["", "post ", "other-domain "] {
          try assertSteps(
            user + "unreadable get:a set:b=20 get:b \(sign)readable flush get:a get:b get:c file "
              + "post flush get:a get:c",
            print: ["0", "20", "flushed", "1", "20", "3", "1 20 3", "flushed", "1", "3"],
            leave: ["a": 1, "b": 20, "c": 3])
        }
      }
    }

    // MARK: What comes back

    /// What was set then hides all that Foundation takes later.
    func testAFirstUseInAShortageHidesNothingThatIsSetLater() throws {
      for change in [("set:a=9", 9), ("remove:a", 0)] {
        try assertSteps(
          "descriptors:0 set:a=7 descriptors:all \(change.0) get:a flush get:a other-domain get:a flush",
          print: ["\(change.1)", "flushed", "\(change.1)", "\(change.1)", "flushed"],
          leave: ["a": change.1, "b": 2, "c": 3])
      }
    }

    /// A call for a whole domain writes it then.
    func testWhatWasSetInAShortageDoesNotComeBack() throws {
      for listening in ["", "hear:c "] {
        try assertSteps(
          listening
            + "get:a flush descriptors:0 set:a=7 descriptors:all set:a=9 flush other-domain "
            + "get:a flush get:a",
          print: ["1", "flushed", "flushed", "9", "flushed", "9"],
          leave: ["a": 9, "b": 2, "c": 3])
      }
    }

    func testWhatWasSetBeneathAnArgumentInAShortageDoesNotComeBack() throws {
      try assertSteps(
        "get:a flush argument:a=7 descriptors:0 set:a=5 descriptors:all set:a=9 stored-value:a "
          + "descriptors:0 stored-value:a descriptors:all no-argument get:a flush",
        print: ["1", "flushed", "9", "9", "9", "flushed"], leave: ["a": 9, "b": 2, "c": 3])
    }

    /// It still shows all until something is set.
    func testWhatACallForADomainInAShortageHasEmptiedIsNotRemoved() throws {
      try assertSteps(
        "get:a set:b=20 flush descriptors:0 other-domain get:a descriptors:all get:b set:c=4 get:a get:b flush",
        print: ["1", "flushed", "1", "20", "1", "20", "flushed"],
        leave: ["a": 1, "b": 20, "c": 4])
    }

    // MARK: -

    let stores = [("standard", "Probe"), ("suite", "suite")]

    func makeFolder(_ name: String) throws -> TemporaryFolder {
      let folder = try TemporaryFolder(isForAllUsers: true)
      try folder.write(
        PropertyListSerialization.data(fromPropertyList: start, format: .xml, options: 0),
        toPlist: name)
      if geteuid() == 0 {
        for path in [folder.path, folder.plist(name)] {
          XCTAssertEqual(chown(path, 65534, 65534), 0)
        }
      }
      return folder
    }

    private func read(_ keys: [String], of store: String, in folder: TemporaryFolder) throws
      -> [String]
    {
      try ChildProcess.run(["evidence", store, "none"] + keys.map { "get:\($0)" }, in: folder)
        .output
    }

    /// Checks what a process prints, and what another one finds in its file; nil if that may be anything.
    func assertSteps(
      _ steps: String, of names: [String] = ["standard", "suite"], print lines: [String],
      leave contents: [String: Int]?, line: UInt = #line
    ) throws {
      for (store, name) in stores where names.contains(store) {
        for defaults in ["zero", "none"] {
          let folder = try makeFolder(name)
          let command =
            ["evidence", store, defaults] + steps.split(separator: " ").map(String.init)
          let child = try ChildProcess(command, in: folder)
          let (end, output, errors) = try child.wait(until: .now() + 60)
          let what = "\(store), defaults: \(defaults), \(steps)"
          XCTAssertEqual(end, .exit(0), what + errors, line: line)
          XCTAssertEqual(output, lines, what, line: line)
          guard let contents else { continue }
          let keys = Set(contents.keys).union(start.keys).sorted()
          XCTAssertEqual(
            try read(keys, of: store, in: folder), keys.map { "\(contents[$0] ?? 0)" },
            "\(keys) after: " + what, line: line)
        }
      }
    }
  }
#endif
