#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport

  /// What one process changes, the others hear and read, with no call of theirs.
  class OtherProcessTests: SavingTestCase {
    static let keys = ["withDefault", "optional", "typed"]

    func unset(_ key: String) -> String { key == "withDefault" ? "-1" : "nil" }

    /// A process that listens to the keys and observes them, and has been shown what they are.
    func startListener(
      to keys: [String] = keys, showing value: String? = nil, suite: String? = nil,
      in folder: TemporaryFolder, home: String? = nil
    ) throws -> Peer {
      let peer = try Peer(suite: suite, in: folder, home: home)
      for key in keys {
        let value = value ?? unset(key)
        try peer.tell("listen \(key)")
        try peer.tell("observe \(key)")
        peer.expect("heard \(key) \(value)", "observing \(key) \(value)")
      }
      return peer
    }

    /// A process that does nothing but read the key, until it has a value.
    func startReader(
      of key: String, showing value: String? = nil, until last: String, suite: String? = nil,
      in folder: TemporaryFolder, home: String? = nil
    ) throws -> Peer {
      let peer = try Peer(suite: suite, in: folder, home: home)
      try peer.tell("poll \(key) \(last)")
      peer.expect("read \(key) \(value ?? unset(key))")
      return peer
    }

    /// Edits the file, as a person does.
    func edit(_ text: String, _ folder: TemporaryFolder, by write: (Data) throws -> Void)
      throws
    {
      let dictionary = text.split(separator: ",").map { $0.split(separator: "=") }
        .map { "<key>\($0[0])</key><integer>\($0[1])</integer>" }.joined()
      try write(Data("<plist version=\"1.0\"><dict>\(dictionary)</dict></plist>".utf8))
    }

    // MARK: What is heard

    func testChangesOfEachKindOfSettingAreHeardAndRead() throws {
      for suite in [nil, "suite"] {
        let folder = try TemporaryFolder()
        let listener = try startListener(suite: suite, in: folder)
        let readers = try Self.keys.map {
          try startReader(of: $0, until: "3", suite: suite, in: folder)
        }
        let writer = try Peer(suite: suite, in: folder)
        for (key, reader) in zip(Self.keys, readers) {
          for value in ["1", "2", unset(key), "3"] {
            try writer.tell(value == unset(key) ? "remove \(key)" : "set \(key) \(value)")
            listener.expect("heard \(key) \(value)", "observed \(key) \(value)")
            reader.expect("read \(key) \(value)")
          }
        }
        for peer in [listener, writer] + readers { try peer.end() }
      }
    }

    func testADirectoryThatDoesNotExistYetOrNoLonger() throws {
      let folder = try TemporaryFolder()
      let home = folder.path + "/not/yet"
      let listener = try startListener(in: folder, home: home)
      let reader = try startReader(of: "optional", until: "2", in: folder, home: home)
      let writer = try Peer(in: folder, home: home)
      try writer.tell("save optional 1")
      writer.expect("saved")
      listener.expect("heard optional 1", "observed optional 1")
      reader.expect("read optional 1")
      // As one step, file and directories.
      XCTAssertEqual(rename(folder.path + "/not", folder.path + "/away"), 0)
      listener.expect("heard optional nil", "observed optional nil")
      reader.expect("read optional nil")
      XCTAssertEqual(try folder.files, ["away"], "who only reads makes no directory")
      try writer.tell("set optional 2")
      listener.expect("heard optional 2", "observed optional 2")
      reader.expect("read optional 2")
      for peer in [listener, reader, writer] { try peer.end() }
    }

    func testAFileThatIsDeletedShowsTheDefaultsAndThenWhatItIsCreatedWith() throws {
      let folder = try TemporaryFolder()
      let text = Self.keys.map { "\($0)=1" }.joined(separator: ",")
      try edit(text, folder) { try folder.write($0) }
      let listener = try startListener(showing: "1", in: folder)
      let readers = try Self.keys.map {
        try startReader(of: $0, showing: "1", until: "2", in: folder)
      }
      try FileManager.default.removeItem(atPath: folder.plist())
      listener.expectUnordered(
        Self.keys.flatMap { ["heard \($0) \(unset($0))", "observed \($0) \(unset($0))"] })
      for (key, reader) in zip(Self.keys, readers) { reader.expect("read \(key) \(unset(key))") }
      try edit(text.replacing("=1", with: "=2"), folder) { try folder.write($0) }
      listener.expectUnordered(Self.keys.flatMap { ["heard \($0) 2", "observed \($0) 2"] })
      for (key, reader) in zip(Self.keys, readers) { reader.expect("read \(key) 2") }
      for peer in [listener] + readers { try peer.end() }
    }

    /// Each reads on its own that the file is missing, so all of them hear of it at the same time.
    func testTheDeletionIsHeardByManyAtOnce() throws {
      let folder = try TemporaryFolder()
      try edit("optional=1", folder) { try folder.write($0) }
      let peers = try (0..<8).map { _ in
        try startListener(to: ["optional"], showing: "1", in: folder)
      }
      let start = Peer.now()
      try FileManager.default.removeItem(atPath: folder.plist())
      for peer in peers {
        let times = peer.expect("heard optional nil", "observed optional nil")
        // Each waits for about 100 ms for the file to come back.
        XCTAssertLessThan(times.max()! - start, 2_000_000)
      }
      for peer in peers { try peer.end() }
    }

    func testEditorsThatReplaceTheFileOrWriteInPlace() throws {
      let folder = try TemporaryFolder()
      let file = folder.plist()
      try edit("optional=0,withDefault=1", folder) { try folder.write($0) }
      let listener = try startListener(to: ["optional"], showing: "0", in: folder)
      let observer = try startListener(to: ["withDefault"], showing: "1", in: folder)
      let reader = try startReader(of: "optional", showing: "0", until: "40", in: folder)
      func write(_ data: Data, _ path: String) throws {
        try data.write(to: URL(filePath: path))
      }
      for round in 0..<10 {
        let ways: [(Data) throws -> Void] = [
          { data in  // A temporary file, renamed over it.
            try write(data, file + "~")
            rename(file + "~", file)
          },
          { data in  // In place, which takes a moment.
            truncate(file, 0)
            usleep(5000)
            try write(data, file)
          },
          { data in  // The old one moved out of the way first.
            rename(file, file + "~")
            usleep(5000)
            try write(data, file)
          },
          { data in  // The old one deleted first, and the new one not there at once, nor whole.
            unlink(file)
            usleep(5000)
            try write(data.prefix(data.count / 2), file)
            usleep(5000)
            try write(data, file)
          },
        ]
        for (index, way) in ways.enumerated() {
          let value = round * ways.count + index + 1
          try edit("optional=\(value),withDefault=1", folder, by: way)
          // Nothing in between, so no defaults either.
          listener.expect("heard optional \(value)", "observed optional \(value)")
          reader.expect("read optional \(value)")
        }
      }
      // It has heard nothing, because its setting was there all the time.
      try edit("optional=40,withDefault=2", folder) { try write($0, file) }
      observer.expect("heard withDefault 2", "observed withDefault 2")
      for peer in [listener, observer, reader] { try peer.end() }
      XCTAssertEqual(try folder.files.filter { $0.contains("damaged") }, [])
    }

    func testEditsWhileSavesAreUnderWayAreKept() throws {
      let folder = try TemporaryFolder()
      let file = folder.plist()
      let writer = try Peer(in: folder)
      try writer.tell("save optional 1")
      writer.expect("saved")
      try writer.tell("save-forever")
      defer { writer.kill() }
      func settings() throws -> [String: Any] {
        while true {
          // An editor that reads what is being written in place would be to blame itself.
          if let settings = try folder.contents(), settings["optional"] != nil { return settings }
        }
      }
      for edit in part(of: 1...100) {
        var edited = try settings()
        edited["edit"] = edit
        let data = try PropertyListSerialization.data(
          fromPropertyList: edited, format: .xml, options: 0)
        if edit.isMultiple(of: 2) {
          try data.write(to: URL(filePath: file))
        } else {
          try data.write(to: URL(filePath: file + "~"))
          rename(file + "~", file)
        }
        // Of the saves that have been seen, one at least began after the edit.
        var saved: Set<Int> = []
        while saved.count < 3 { (try settings()["typed"] as? Int).map { _ = saved.insert($0) } }
        XCTAssertEqual(try settings()["edit"] as? Int, edit)
      }
    }

    func testAnEditorThatIsHeldUpByABusyDiskIsWaitedFor() throws {
      let folder = try TemporaryFolder()
      let file = URL(filePath: folder.plist())
      try edit("optional=1", folder) { try $0.write(to: file) }
      let listener = try startListener(to: ["optional"], showing: "1", in: folder)
      try edit("optional=2", folder) { data in
        try data.prefix(data.count / 2).write(to: file)
        usleep(200_000)
        try data.write(to: file)
      }
      listener.expect("heard optional 2", "observed optional 2")
      // That is damaged, though only until it is whole.
      var start = 0
      try edit("optional=3", folder) { data in
        try data.prefix(data.count / 2).write(to: file)
        start = Peer.now()
        let time = listener.expect("damaged")[0]
        XCTAssertLessThan(time - start, 1_500_000, "microseconds")
        try data.write(to: file)
      }
      listener.expect("heard optional 3", "observed optional 3")
      try listener.end()
      XCTAssertEqual(try folder.files, ["Probe.plist"])
    }

    func testARemovalDoesNotShowTheDefaultOfAnotherDeclaration() throws {
      let folder = try TemporaryFolder()
      let reader = try Peer(in: folder)
      try reader.tell("declare optional 999")
      let writer = try Peer(in: folder)
      for value in Array(repeating: ["1", "nil"], count: 25).joined() {
        // It reads without a pause from before the change until it has read the new value.
        try reader.tell("collect optional \(value)")
        reader.expect("collecting")
        try writer.tell("save optional \(value)")
        writer.expect("saved")
        let collected = reader.line() ?? ""
        XCTAssertTrue(["collected 1,nil", "collected \(value)"].contains(collected), collected)
      }
      for peer in [reader, writer] { try peer.end() }
    }

    func testTheFirstReadsSeeWhatIsSavedWhileAnotherProcessSaves() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:first=here", in: folder)
      let writer = try Peer(in: folder)
      try writer.tell("save-forever")
      for _ in part(of: 0..<Scale.rounds(20, long: 60)) {
        // Two at a time.
        let children = try (0..<2).map { _ in
          try ChildProcess(["saving", "read-at-once:here"], in: folder)
        }
        for child in children { XCTAssertEqual(try child.wait().output, []) }
      }
      writer.kill()
    }
  }
#endif
