#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import XCTest

  @testable import TestSupport

  extension EvidenceTests {
    // MARK: What is told

    func testARemovalByAnotherProcessAfterARawOneIsTold() throws {
      try assertSteps(
        "hear:a get:a raw-remove:a elsewhere:a heard get:a", print: ["1", "[0]", "0"],
        leave: ["b": 2, "c": 3])
    }

    func testAChangeByAnotherProcessAfterAShortageIsTold() throws {
      try assertSteps(
        "hear:a get:a flush descriptors:0 set:a=5 descriptors:all elsewhere:a=7 heard get:a",
        print: ["1", "flushed", "[5, 7]", "7"], leave: ["a": 7, "b": 2, "c": 3])
    }

    // MARK: Raw calls

    func testARawSetAfterAShortageCounts() throws {
      for read in ["", "get:a "] {
        try assertSteps(
          "get:a flush descriptors:0 set:a=5 \(read)descriptors:all raw-set:a=9 get:a flush get:a post "
            + "flush get:a",
          print: ["1", "flushed"] + (read.isEmpty ? [] : ["5"])
            + ["9", "flushed", "9", "flushed", "9"],
          leave: ["a": 9, "b": 2, "c": 3])
      }
    }

    func testAnImportOfARawValueIsSaved() throws {
      try assertSteps(
        "get:a raw-set:d=9 import:d=9 flush", print: ["1", "flushed"],
        leave: ["d": 9].merging(start) { $1 })
      try assertSteps(
        "get:a raw-set:d=9 get:d import:d=9 flush", print: ["1", "9", "flushed"],
        leave: ["d": 9].merging(start) { $1 })
    }

    func testAValueAndWhetherItIsStoredAgreeAfterARawRemovalAboveItsRegisteredDefault() throws {
      for (store, name) in stores {
        for defaults in ["none", "zero"] {
          let (_, output, _) = try ChildProcess.run(
            "evidence", store, defaults, "set:r=5", "try-flush", "get:r", "register:r=5",
            "raw-remove:r",
            "get:r",
            "stored:r", in: makeFolder(name))
          XCTAssertTrue(
            [["5", "5", "true"], ["5", "0", "false"]].contains(output),
            "\(store) \(defaults): \(output)")
        }
      }
    }

    func testARawRemovalThatASettingHasReadCounts() throws {
      try assertSteps(
        "get:a raw-remove:a get:a stored:a flush get:a",
        print: ["1", "0", "false", "flushed", "0"],
        leave: start)
      try assertSteps(
        "get:a raw-remove:a get:a post get:a", print: ["1", "0", "0"], leave: nil)
      // Before the first look, too.
      try assertSteps("raw-get:a raw-remove:a get:a", print: ["1", "0"], leave: start)
    }

    /// A shortage may be what removes it, too.
    func testARawRemovalThatNobodyHasReadIsUndoneByANotification() throws {
      try assertSteps(
        "get:a raw-remove:a post get:a flush", print: ["1", "1", "flushed"], leave: start)
    }

    func testWhatTheDomainHadIsGoneForThoseWhoReadWhenItIsTold() throws {
      try assertSteps(
        "get:a set:b=20 get-when-posted:b remove-domain get:a get:b stored:a flush set:c=4 flush",
        print: ["1", "posted 0", "0", "0", "false", "flushed", "flushed"], leave: ["c": 4])
    }

    func testADeclarationIsNoSignOfARawChange() throws {
      try assertSteps(
        "get:a raw-remove:a declare:y=1 get:a", print: ["1", "0"], leave: start)
      try assertSteps(
        "get:a raw-set:a=9 raw-set:d=9 declare:y=1 declare:z=1 flush", print: ["1", "flushed"],
        leave: start)
    }

    func testWhatShinesThroughIsNeitherSetNorRemoved() throws {
      try assertSteps(
        "get:a argument:a=7 get:a stored-value:a post no-argument get:a flush",
        print: ["1", "7", "1", "1", "flushed"], leave: start)
      try assertSteps(
        "get:a argument:a=7 raw-remove:a get:a no-argument get:a", print: ["1", "7", "0"],
        leave: start)
      try assertSteps(
        "get:d register:d=5 get:d stored:d post flush stored:d",
        print: ["0", "0", "false", "flushed", "false"],
        leave: start)
      try assertSteps(
        "get:e add-suite:e=8 get:e post flush remove-suite get:e stored:e", of: ["standard"],
        print: ["0", "8", "flushed", "0", "false"], leave: start)
    }
  }
#endif
