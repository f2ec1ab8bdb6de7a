#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  /// Sentences about several processes and the file.
  final class FilePromiseTests: SavingTestCase {
    func testASignalThatIsHandledByExitLosesNothing() throws {
      for number in [SIGTERM, SIGINT] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "exit-at-signals", "set:a=1", "raise:\(number)", "sleep"], in: folder)
        XCTAssertEqual(try child.wait().end, .exit(0))
        XCTAssertEqual(try ChildProcess.save("get:a", in: folder), ["1"])
      }
    }

    func testASignalThatIsNotHandledLosesOnlyTheNewestChange() throws {
      for number in [SIGTERM, SIGINT] {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
          ["saving", "set:a=1", "flush", "set:a=2", "raise:\(number)"], in: folder)
        XCTAssertEqual(try child.wait().end, .signal(number))
        let value = try ChildProcess.save("get:a", in: folder)
        XCTAssertTrue([["1"], ["2"]].contains(value), "\(value)")
      }
    }

    func testAProgramThatEndsDuringExclusivelyOfAnotherStoreGivesUpAfterThreeSeconds() throws {
      let folder = try TemporaryFolder()
      let first = try ChildProcess(["saving", "exclusively-wait:1"], in: folder)
      XCTAssertEqual(first.line(), "inside")
      let start = ContinuousClock.now
      let second = try ChildProcess(["saving", "suite:other", "set:a=1"], in: folder)
      let (end, _, errors) = try second.wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertGreaterThan(ContinuousClock.now - start, .seconds(2.9))
      XCTAssertTrue(errors.contains("within three seconds of the program's end"), errors)
      try first.goOn()
      XCTAssertEqual(try first.wait().end, .exit(0))
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    func testTwoStoresOfOneDirectoryAreTakenInOppositeOrders() throws {
      let folder = try TemporaryFolder()
      let children = try [("one", "two"), ("two", "one")].map { outer, inner in
        try ChildProcess(["saving", "suite:\(outer)", "exclusively-other:\(inner)"], in: folder)
      }
      for child in children { try child.goOn() }
      for child in children {
        let (end, output, errors) = try child.wait()
        XCTAssertEqual(end, .exit(0))
        XCTAssertEqual(output, ["inside"])
        XCTAssertEqual(errors, "")
      }
      for name in ["one", "two"] {
        XCTAssertEqual(
          try folder.contents(ofPlist: name) as? [String: String], ["outer": "1", "inner": "1"])
      }
    }

    func testADomainCallRewritesTheFilesOfAllChangedSuites() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess(
        [
          "saving", "foundation", "set:a=1", "flush", "suite:other", "set:b=1", "flush", "wait",
          "set-domain:third", "print:set", "wait",
        ], in: folder)
      XCTAssertEqual([child.line(), child.line()], ["flushed", "flushed"])
      let files = [folder.plist(), folder.plist("other")]
      func attributes(_ file: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: file)
      }
      let before = try files.map { try attributes($0)[.systemFileNumber] as? Int }
      let past = Date(timeIntervalSince1970: 0)
      for file in files {
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
      }
      try child.goOn()
      XCTAssertEqual(child.line(), "set")
      for (file, before) in zip(files, before) {
        let after = try attributes(file)
        // A save of the library would have made another file.
        XCTAssertEqual(after[.systemFileNumber] as? Int, before, file)
        XCTAssertNotEqual(after[.modificationDate] as? Date, past, file)
      }
      try child.goOn()
      XCTAssertEqual(try child.wait().end, .exit(0))
    }

    func testTheAdministratorsFileOfASuiteThatIsAPathHasItsLastComponent() throws {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      try directory.write(
        PropertyListSerialization.data(
          fromPropertyList: ["a": "system"], format: .xml, options: 0), toPlist: "suite")
      let child = try ChildProcess(
        ["saving", "saved", "suite:\(folder.path)/suite", "get:a"], in: folder,
        environment: ["XDG_CONFIG_DIRS": directory.path, "PROBE_STORE": "saved"])
      XCTAssertEqual(try child.wait().output, ["system"])
    }
  }
#endif
