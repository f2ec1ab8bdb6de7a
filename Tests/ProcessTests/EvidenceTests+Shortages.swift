#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import XCTest

  @testable import TestSupport

  extension EvidenceTests {
    // MARK: What a shortage hides

    /// Its registered default shows in its place.
    func testAListWhoseFileBecomesUnreadableIsNotItsDefault() throws {
      try assertSteps(
        "as-user set-list:l=5 get-list:l flush other-domain unreadable other-domain set:a=5 get-list:l "
          + "readable flush get-list:l get:a",
        print: ["[5]", "flushed", "[5]", "flushed", "[5]", "5"],
        leave: ["a": 5, "b": 2, "c": 3])
    }

    func testWhatIsSetInAShortageAfterACallForADomainIsNotRemoved() throws {
      try assertSteps(
        "set:b=20 get:a flush descriptors:0 other-domain get:a set:a=1 get:a descriptors:all set:c=4 "
          + "get:a get:b flush",
        print: ["1", "flushed", "1", "1", "1", "20", "flushed"],
        leave: ["a": 1, "b": 20, "c": 4])
    }

    func testWhatIsSetBeneathAnArgumentBeforeANotificationIsNotRemoved() throws {
      for sign in ["post", "other-domain"] {
        try assertSteps(
          "get:a flush argument:d=7 descriptors:0 set:d=5 \(sign) no-argument get:d descriptors:all "
            + "flush get:d",
          print: ["1", "flushed", "5", "flushed", "5"], leave: ["d": 5].merging(start) { $1 })
      }
    }

    func testTheDefaultThatIsSetAfterAnUndoneChangeIsStored() throws {
      for (shortage, end) in [("descriptors:0", "descriptors:all"), ("unreadable", "readable")] {
        try assertSteps(
          "get:a flush \(shortage) throw:d=5 set:d=0 get:d \(end) flush stored:d get:d stored:d",
          print: ["1", "flushed", "0", "flushed", "true", "0", "true"], leave: start)
      }
      try assertSteps(
        "as-user get:a flush unreadable throw:d=5 readable descriptors:0 set:d=0 stored:d "
          + "descriptors:all flush get:d stored:d",
        print: ["1", "flushed", "true", "flushed", "0", "true"], leave: start)
    }

    // MARK: What Foundation takes back

    func testAReadThatMakesFoundationForgetAValueDoesNotShowIt() throws {
      try assertSteps(
        "get:a flush descriptors:0 remove:a descriptors:all stored:a get:a flush",
        print: ["1", "flushed", "false", "0", "flushed"], leave: ["b": 2, "c": 3])
    }

    /// Of an empty domain, Foundation removes the file.
    func testAFileThatFoundationRemovesInAShortageIsSavedAgain() throws {
      try assertSteps(
        "get:a flush descriptors:0 set:d=1 remove:d other-domain get:a descriptors:all flush get:a get:b",
        print: ["1", "flushed", "1", "flushed", "1", "2"], leave: start)
    }
  }
#endif
