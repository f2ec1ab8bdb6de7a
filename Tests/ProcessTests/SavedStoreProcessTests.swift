#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  // What holds for Foundation's stores holds for the saved ones, for raw calls too. A class that had no
  // test of its own would not be found with those that it inherits.

  final class SavedStoreSavingTests: SavingTests {
    override class var usesSavedStores: Bool { true }

    func testRawSetsAreSavedWhenTheProgramEnds() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("raw-set:a=1", "raw-set:b=2", "raw-remove:a", in: folder)
      XCTAssertEqual(
        try ChildProcess.save("foundation", "raw-get:a", "raw-get:b", in: folder), ["nil", "2"])
    }

    func testRawSetsAreSavedInTheBackgroundBeforeAKill() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        ["saving", "raw-write:", "raw-set:a=1", "print:set", "wait"], in: folder)
      XCTAssertEqual(child.line(), "set")
      folder.waitForContents { $0.count == 201 }
      child.kill(SIGKILL)
      XCTAssertEqual(try child.wait().end, .signal(SIGKILL))
      XCTAssertEqual(
        try ChildProcess.save("foundation", "raw-get:a", "raw-get:199", in: folder), ["1", "199"])
    }

    func testEightProcessesThatMakeRawSetsLoseNothing() throws {
      let folder = try TemporaryFolder()
      let children = try (0..<8).map {
        try ChildProcess(["saving", "raw-write:\($0).", "flush-until-saved"], in: folder)
      }
      for child in children { XCTAssertEqual(try child.wait().end, .exit(0)) }
      let expected = (0..<8).flatMap { process in (0..<200).map { ("\(process).\($0)", $0) } }
      XCTAssertEqual(
        try folder.contents() as? [String: Int], Dictionary(uniqueKeysWithValues: expected))
    }

    func testTheStandardStoreAndTheSavedOneAreToEachOtherAsTwoProcesses() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(
        try ChildProcess.save(
          "saved", "raw-set:a=1", "foundation", "wait-for:a=1", "set:b=2", "saved", "wait-for:b=2",
          in: folder),
        ["1", "2"])
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2"])
    }
  }

  final class SavedStoreSavingFailureTests: SavingFailureTests {
    override class var usesSavedStores: Bool { true }

    func testSynchronizeSaysThatItCouldNotSave() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(
        try ChildProcess(
          [
            "saving", "print-issues", "raw-set:a=1", "print-synchronize", "limit-file-size:0",
            "raw-set:a=2", "print-synchronize",
          ], in: folder
        ).wait().output.filter { !$0.hasPrefix("The preferences ") }, ["true", "false"])
    }
  }

  final class SavedStoreSavingKillTests: SavingKillTests {
    override class var usesSavedStores: Bool { true }

    func testAKillAtAnyMomentLosesNoRawSetThatSynchronizeConfirmed() throws {
      try killAtAnyMoment("synchronize-forever")
    }
  }

  final class SavedStoreOtherProcessTests: OtherProcessTests {
    override class var usesSavedStores: Bool { true }

    func testRawSetsAreHeardInThisProcessAndInOthers() throws {
      let folder = try TemporaryFolder()
      let peers = try (0..<2).map { _ in try startListener(to: ["optional"], in: folder) }
      for value in ["1", "2", "nil", "3"] {
        try peers[0].tell(
          value == "nil" ? "raw-remove optional" : "raw-set optional \(value)")
        for peer in peers { peer.expect("heard optional \(value)", "observed optional \(value)") }
      }
      for peer in peers { try peer.end() }
    }
  }

  final class SavedStoreForkTests: ForkTests {
    override class var usesSavedStores: Bool { true }

    func testADaemonSavesRawSets() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("daemon", "raw-set:a=1", "raw-set:b=2", in: folder)
      XCTAssertEqual(try folder.contents() as? [String: String], ["a": "1", "b": "2"])
    }
  }

  final class SavedStoreSavingExclusivelyTests: SavingExclusivelyTests {
    override class var usesSavedStores: Bool { true }

    func testRawSetsInsideAreSavedAsOneStepOrUndone() throws {
      let folder = try TemporaryFolder()
      XCTAssertEqual(
        try ChildProcess.save("raw-set:inside=old", "exclusively:1", in: folder), ["1"])
      XCTAssertEqual(
        try folder.contents() as? [String: String], ["before": "1", "inside": "1", "nested": "1"])
    }
  }

  final class SavedStoreAdministratorTests: AdministratorTests {
    override class var usesSavedStores: Bool { true }

    func testARawSetBeneathAManagedValueIsStored() throws {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      try write(["optional": 1], "Probe.managed", in: directory)
      let peer = try Peer(in: folder, environment: ["XDG_CONFIG_DIRS": directory.path])
      try peer.tell("listen optional")
      peer.expect("heard optional 1")
      try peer.tell("raw-set optional 2")
      try peer.tell("flush")
      peer.expect("flushed")
      XCTAssertEqual(try folder.contents() as? [String: Int], ["optional": 2])
      try FileManager.default.removeItem(atPath: directory.plist("Probe.managed"))
      peer.expect("heard optional 2")
      try peer.end()
    }
  }
#endif
