#if os(Linux) && !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import XCTest

  @testable import TestSupport

  /// What an administrator decides for the programs of a machine.
  class AdministratorTests: SavingTestCase {
    private static let keys = ["withDefault", "optional", "typed"]

    private func unset(_ key: String) -> String { key == "withDefault" ? "-1" : "nil" }

    /// Writes a file as an administrator's tools do: in one step.
    func write(_ objects: [String: Any], _ name: String, in folder: TemporaryFolder) throws {
      let data = try PropertyListSerialization.data(
        fromPropertyList: objects, format: .xml, options: 0)
      try data.write(to: URL(filePath: folder.plist(name)), options: .atomic)
    }

    private func startListener(
      suite: String? = nil, in folder: TemporaryFolder, directories: String
    ) throws -> Peer {
      let peer = try Peer(
        suite: suite, in: folder, environment: ["XDG_CONFIG_DIRS": directories])
      for key in Self.keys {
        try peer.tell("listen \(key)")
        try peer.tell("observe \(key)")
        peer.expect("heard \(key) \(unset(key))", "observing \(key) \(unset(key))")
      }
      return peer
    }

    // MARK: The layers

    /// The lines of `Probe administrator`, where each key lies in the layer of its name and in all
    /// beneath.
    private func table(inMemory: Bool = false) throws -> [String] {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      let keys = ["managed", "argument", "environment", "stored", "system"]
      func objects(_ count: Int, _ object: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: keys.prefix(count).map { ($0, object) })
      }
      try write(objects(1, 6), "Probe.managed", in: directory)
      try write(objects(4, 3), "Probe", in: folder)
      try write(objects(5, 2), "Probe", in: directory)
      var environment = ["XDG_CONFIG_DIRS": directory.path]
      for key in keys.prefix(3) { environment["PROBE_\(key.uppercased())"] = "4" }
      let arguments = inMemory ? [] : ["-managed", "5", "-argument", "5"]
      let (end, output, errors) = try ChildProcess(
        ["administrator", inMemory ? "memory" : "file"] + arguments, in: folder,
        environment: environment
      ).wait()
      XCTAssertEqual(end, .exit(0))
      XCTAssertEqual(errors, "")
      XCTAssertEqual(try directory.files, ["Probe.managed.plist", "Probe.plist"])
      XCTAssertEqual(
        try directory.contents(ofPlist: "Probe.managed") as? [String: Int], ["managed": 6])
      return output
    }

    /// The columns: as read; after `withLock { $0 += 10 }`; after 9 is assigned; after a transaction
    /// that throws; after a reset. Each: the source, the setting, the typed key, raw, exported.
    func testTheLayersOfASetting() throws {
      let ofFoundation = """
        managed | managed 6 6 5 3 | managed 6 6 5 13 | managed 6 6 5 9 | managed 6 6 5 9 | managed 6 6 5 -
        argument | launch argument 5 5 5 3 | launch argument 5 5 5 13 | launch argument 5 5 5 9 | \
        launch argument 5 5 5 9 | launch argument 5 5 5 -
        environment | environment 4 3 3 3 | environment 4 13 13 13 | environment 4 9 9 9 | \
        environment 4 9 9 9 | environment 4 2 1 -
        stored | stored 3 3 3 3 | stored 13 13 13 13 | stored 9 9 9 9 | stored 9 9 9 9 | system 2 2 1 -
        system | system 2 2 1 - | stored 12 12 12 12 | stored 9 9 9 9 | stored 9 9 9 9 | system 2 2 1 -
        registered | default 1 1 1 - | stored 11 11 11 11 | stored 9 9 9 9 | stored 9 9 9 9 | default 1 1 1 -
        """
      // Its raw accessors see an administrator's objects, too.
      let saved = ofFoundation.replacing("managed 6 6 5", with: "managed 6 6 6")
        .replacing("system 2 2 1", with: "system 2 2 2")
        .replacing("environment 4 2 1", with: "environment 4 2 2")
      let expected = Self.usesSavedStores ? saved : ofFoundation
      XCTAssertEqual(try table(), expected.components(separatedBy: "\n"))
    }

    func testAStoreInMemoryHasNoneOfTheirLayers() throws {
      let argument = """
        launch argument 5 5 5 3 | launch argument 5 5 5 13 | launch argument 5 5 5 9 | \
        launch argument 5 5 5 9 | launch argument 5 5 5 -
        """
      let stored = """
        stored 3 3 3 3 | stored 13 13 13 13 | stored 9 9 9 9 | stored 9 9 9 9 | default 1 1 1 -
        """
      let registered = """
        default 1 1 1 - | stored 11 11 11 11 | stored 9 9 9 9 | stored 9 9 9 9 | default 1 1 1 -
        """
      XCTAssertEqual(
        try table(inMemory: true),
        [
          "managed | \(argument)", "argument | \(argument)", "environment | \(stored)",
          "stored | \(stored)", "system | \(registered)", "registered | \(registered)",
        ])
    }

    func testASystemValueCountsAfterARawRemovalOfAValueThatEqualsTheDefault() throws {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      try write(["withDefault": 2], "Probe", in: directory)
      let peer = try Peer(in: folder, environment: ["XDG_CONFIG_DIRS": directory.path])
      try peer.tell("set withDefault -1")
      try peer.tell("poll withDefault -1")
      peer.expect("read withDefault -1")
      try peer.tell("raw-remove withDefault")
      try peer.tell("poll withDefault 2")
      peer.expect("read withDefault 2")
      peer.kill()
    }

    // MARK: What is heard

    func testChangesOfTheirFilesAreHeardByListenersOfAllKinds() throws {
      for suite in [nil, "suite"] {
        let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
        let name = suite ?? "Probe"
        let peer = try startListener(suite: suite, in: folder, directories: directory.path)
        func expectAll(_ value: Int?) -> [Int] {
          peer.expectUnordered(
            Self.keys.flatMap { key in
              let value = value.map(String.init) ?? unset(key)
              return ["heard \(key) \(value)", "observed \(key) \(value)"]
            })
        }
        func writeAll(_ value: Int, _ name: String) throws {
          try write(
            Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, value) }), name, in: directory)
        }
        /// An observer may be told, and late, that something beneath has changed.
        func expectOptional(_ value: Int) {
          var missing: Set = ["heard optional \(value)", "observed optional \(value)"]
          while !missing.isEmpty, let line = peer.line() {
            let told = line.split(separator: " ").prefix(3).joined(separator: " ")
            XCTAssertTrue(missing.remove(told) != nil || told.hasPrefix("observed optional"), line)
          }
          XCTAssertEqual(missing, [])
        }
        var delays: [Int] = []
        for value in 1...5 {
          let start = Peer.now()
          try writeAll(value, "\(name).managed")
          delays.append(expectAll(value).max()! - start)
        }
        // A machine under load may delay any of them.
        XCTAssertLessThan(delays.min()!, 100_000, "\(delays)")
        try FileManager.default.removeItem(atPath: directory.plist("\(name).managed"))
        _ = expectAll(nil)
        try writeAll(6, name)
        _ = expectAll(6)
        try peer.tell("set optional 7")
        peer.expect("heard optional 7", "observed optional 7")
        try writeAll(8, "\(name).managed")
        _ = expectAll(8)
        // Stored beneath, and heard by nobody.
        try peer.tell("set optional 9")
        try peer.tell("flush")
        while let line = peer.line(), line != "flushed" {
          XCTAssertTrue(line.hasPrefix("observed optional 8"), line)
        }
        XCTAssertEqual(try folder.contents(ofPlist: name) as? [String: Int], ["optional": 9])
        try write(["withDefault": 8, "typed": 8], "\(name).managed", in: directory)
        expectOptional(9)
        try peer.tell("remove optional")
        expectOptional(6)
        try peer.end()
      }
    }

    func testADirectoryMayAppear() throws {
      let (folder, parent) = (try TemporaryFolder(), try TemporaryFolder())
      let directory = parent.path + "/not/yet"
      let peer = try startListener(in: folder, directories: directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let text =
        "<plist version=\"1.0\"><dict><key>optional</key><integer>1</integer></dict></plist>"
      try Data(text.utf8).write(to: URL(filePath: directory + "/Probe.plist"))
      peer.expect("heard optional 1", "observed optional 1")
      try peer.end()
    }

    // MARK: Two directories

    func testTheFirstDirectoryCountsAndABadValueInItGivesWayToTheNext() throws {
      let folder = try TemporaryFolder()
      let directories = try (0..<2).map { _ in try TemporaryFolder() }
      try write(["optional": "many"], "Probe.managed", in: directories[0])
      try write(["optional": 2, "typed": "none"], "Probe.managed", in: directories[1])
      try write(["typed": 3, "withDefault": 4], "Probe", in: directories[0])
      try write(["typed": 5, "withDefault": 6], "Probe", in: directories[1])
      // A path that is not absolute does not count.
      let peer = try Peer(
        in: folder,
        environment: [
          "XDG_CONFIG_DIRS": "relative:" + directories.map(\.path).joined(separator: ":")
        ])
      try peer.tell("listen optional")
      peer.expectUnordered([
        """
        The managed value of "optional" in \(directories[0].plist("Probe.managed")) cannot be read as \
        Int: it is the string "many"; expected an integer. The setting returns the number 2 \
        (managed). An administrator can correct the value.
        """, "heard optional 2",
      ])
      try peer.tell("listen typed")
      peer.expectUnordered([
        """
        The managed value of "typed" in \(directories[1].plist("Probe.managed")) cannot be read as \
        Int: it is the string "none"; expected an integer. The setting returns the number 3 \
        (system). An administrator can correct the value.
        """, "heard typed 3",
      ])
      try peer.tell("listen withDefault")
      peer.expect("heard withDefault 4")
      try FileManager.default.removeItem(atPath: directories[0].plist())
      peer.expectUnordered(["heard typed 5", "heard withDefault 6"])
      try peer.end()
    }

    // MARK: Files that cannot be read

    func testADamagedFileIsReportedOnceAndItsLastGoodContentsHold() throws {
      let (folder, directory) = (try TemporaryFolder(), try TemporaryFolder())
      let path = directory.plist("Probe.managed")
      try directory.write(Data("<damaged".utf8), toPlist: "Probe.managed")
      let peer = try Peer(
        in: folder, environment: ["XDG_CONFIG_DIRS": directory.path])
      try peer.tell("listen optional")
      peer.expectUnordered(["damaged", "heard optional nil"])
      try write(["optional": 1], "Probe.managed", in: directory)
      peer.expect("heard optional 1")
      for text in ["<damaged", "<damaged again"] {
        try directory.write(Data(text.utf8), toPlist: "Probe.managed")
        if text == "<damaged" { peer.expect("damaged") }
      }
      try peer.tell("collect optional 1")
      peer.expect("collecting", "collected 1")
      XCTAssertEqual(try directory.files, ["Probe.managed.plist"])
      XCTAssertEqual(
        try String(contentsOf: URL(filePath: path), encoding: .utf8), "<damaged again")
      try write(["optional": 2], "Probe.managed", in: directory)
      peer.expect("heard optional 2")
      try peer.end()
    }

    func testAFileThatMayNotBeReadIsReported() throws {
      let folder = try TemporaryFolder(isForAllUsers: true)
      let directory = try TemporaryFolder(isForAllUsers: true)
      try FileManager.default.createDirectory(
        atPath: directory.plist("Probe.managed"), withIntermediateDirectories: false)
      try write(["optional": 1], "Probe", in: directory)
      XCTAssertEqual(chmod(directory.plist(), 0), 0)
      XCTAssertEqual(chmod(folder.path, 0o777), 0)
      let other = try TemporaryFolder(isForAllUsers: true)
      try other.write(Data("<damaged".utf8), toPlist: "Probe.managed")
      let user = geteuid() == 0 ? 65534 : Int(geteuid())
      let child = try ChildProcess(
        ["administrator", "file"], in: folder,
        startedBy: geteuid() == 0
          ? ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : [],
        environment: ["XDG_CONFIG_DIRS": "\(directory.path):\(other.path)"])
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0), errors)
      let damaged = output.filter { $0.hasPrefix("\(other.plist("Probe.managed")) is damaged: ") }
      XCTAssertEqual(damaged.count, 1, "\(output)")
      XCTAssertTrue(
        damaged.allSatisfy { $0.hasSuffix(". The library uses none of its values.") }, "\(damaged)")
      for issue in [
        "\(directory.plist("Probe.managed")) cannot be read: it is a directory. The library uses none of its values.",
        "\(directory.plist()) cannot be read: Permission denied. The library uses none of its values.",
      ] {
        XCTAssertEqual(output.filter { $0 == issue }.count, 1, "\(output) \(errors)")
      }
    }

    func testTheHandlerMayUseTheSettingsWhoseLoadingIsReported() throws {
      let directory = try TemporaryFolder()
      for name in ["Probe.managed", "suite"] {
        try directory.write(Data("<damaged".utf8), toPlist: name)
      }
      let names = [
        "saved", "saved suite", "standard", "suite", "shared in saved", "shared in saved suite",
        "shared in standard", "shared in suite",
      ]
      let folder = try TemporaryFolder()
      let children = try names.map { name in
        (
          name,
          try ChildProcess(
            ["handler", name], in: folder, environment: ["XDG_CONFIG_DIRS": directory.path])
        )
      }
      for (name, child) in children {
        let (_, output, errors) = try child.wait()
        XCTAssertEqual(
          Set(output), ["used 4", "handled damage 4", "reported"], "\(name): \(errors)")
      }
    }
  }
#endif
