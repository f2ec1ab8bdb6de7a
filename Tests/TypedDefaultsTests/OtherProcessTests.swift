#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  /// What one process changes, the others hear and read, with no call of theirs.
  class OtherProcessTests: SavingTestCase {
    static let keys = ["withDefault", "optional", "typed"]

    private func unset(_ key: String) -> String { key == "withDefault" ? "-1" : "nil" }

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
    private func startReader(
      of key: String, showing value: String? = nil, until last: String, suite: String? = nil,
      in folder: TemporaryFolder, home: String? = nil
    ) throws -> Peer {
      let peer = try Peer(suite: suite, in: folder, home: home)
      try peer.tell("poll \(key) \(last)")
      peer.expect("read \(key) \(value ?? unset(key))")
      return peer
    }

    /// Edits the file, as a person does.
    private func edit(_ text: String, _ folder: TemporaryFolder, by write: (Data) throws -> Void)
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
        XCTAssertLessThan(times.max()! - start, 400_000)
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
        XCTAssertLessThan(time - start, 500_000, "microseconds")
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
      try reader.tell("collect optional 2")
      reader.expect("collecting")
      let writer = try Peer(in: folder)
      for value in Array(repeating: ["1", "nil"], count: 50).joined() + ["2"] {
        try writer.tell("save optional \(value)")
        writer.expect("saved")
      }
      reader.expect("collected 1,2,nil")
      for peer in [reader, writer] { try peer.end() }
    }

    func testTheFirstReadsSeeWhatIsSavedWhileAnotherProcessSaves() throws {
      let folder = try TemporaryFolder()
      _ = try ChildProcess.save("set:first=here", in: folder)
      let writer = try Peer(in: folder)
      try writer.tell("save-forever")
      for _ in part(of: 0..<60) {
        // Two at a time.
        let children = try (0..<2).map { _ in
          try ChildProcess(["saving", "read-at-once:here"], in: folder)
        }
        for child in children { XCTAssertEqual(try child.wait().output, []) }
      }
      writer.kill()
    }

    // MARK: When

    func testChangesAreHeardAndReadWithin100Milliseconds() throws {
      let folder = try TemporaryFolder()
      let listener = try Peer(in: folder)
      try listener.tell("listen typed")
      listener.expect("heard typed nil")
      let reader = try startReader(of: "typed", until: "50", in: folder)
      let writer = try Peer(in: folder)
      var latencies: [String: [(sinceWrite: Int, sinceSave: Int)]] = [:]
      for value in 1...50 {
        try writer.tell("save typed \(value)")
        let times = writer.figures(of: "saved")
        guard times.count == 2 else { return }
        for (what, peer) in [("heard", listener), ("read", reader)] {
          let time = peer.expect("\(what) typed \(value)")[0]
          latencies[what, default: []].append((time - times[0], time - times[1]))
        }
      }
      for (what, latencies) in latencies {
        let times = latencies.map(\.sinceWrite).sorted().map { Double($0) / 1000 }
        print(
          "A write of another process is \(what) after \(times[25]) ms, at worst \(times[49]) ms.")
        // The disk may take long, for which listening is not to blame.
        XCTAssertLessThan(latencies.map(\.sinceSave).max()!, 100_000, what)
      }
      for peer in [listener, reader, writer] { try peer.end() }
    }

    // MARK: Many at once

    func testTenProcessesThatWriteAtOnceEndWithTheSameValues() throws {
      let seconds = Scale.rounds(2, long: 10)
      let folder = try TemporaryFolder()
      try edit("optional=0", folder) { try folder.write($0) }
      let parsing = Parsing(of: folder)
      defer { parsing.stop() }
      let names = (0..<10).map { "own\($0)" }
      let peers = try names.map { name in
        let peer = try Peer(in: folder)
        try peer.tell("churn \(name) \(seconds) \(names.joined(separator: " "))")
        return peer
      }
      var own: [String: Int] = [:]
      for (name, peer) in zip(names, peers) {
        // What it has saved, and with it the file, is final once all have stopped. A process may wait
        // in vain for the others where the disk takes seconds for a save; it tries again.
        let figures = peer.figures(of: "stopped \(name)", skipping: "not saved", within: 30)
        guard figures.count == 2 else { return }
        own[name] = figures[0]
        XCTAssertEqual(figures[1], 0, "\(name) was overwritten with an older value")
      }
      let (parsed, unparsed) = parsing.end()
      XCTAssertGreaterThan(parsed, 50 * seconds)
      XCTAssertEqual(unparsed, 0)

      let contents = try XCTUnwrap(folder.contents())
      for (name, last) in own { XCTAssertEqual(contents[name] as? Int, last, "\(name) is lost") }
      func state(_ keys: [String], _ contents: [String: Any]) -> String {
        keys.sorted().map { "\($0)=\((contents[$0] as? Int).map(String.init) ?? unset($0))" }
          .joined(separator: ",")
      }
      let keys = names + ["withDefault", "optional", "shared1", "shared2"]
      let expected = state(keys, contents)
      for peer in peers { try peer.tell("settle \(expected)") }
      for peer in peers { peer.expect("state \(expected) \(expected)") }

      // That is not only a moment's state: it is the same after a further change has come through.
      for peer in peers.dropFirst() { try peer.tell("listen typed") }
      for peer in peers.dropFirst() { peer.expect("heard typed nil") }
      try peers[0].tell("set typed 1")
      let after = state(keys + ["typed"], contents.merging(["typed": 1]) { $1 })
      for peer in peers.dropFirst() {
        peer.expect("heard typed 1")
        try peer.tell("state")
        peer.expect("state \(after) \(after)")
      }
      for peer in peers { try peer.end() }
      XCTAssertEqual(try folder.files, ["Probe.plist"])
      let writes = own.values.reduce(0, +)
      print("Ten processes made \(writes) changes of their own keys; \(parsed) readings parsed.")
    }

    // MARK: Own changes

    func testOwnChangesAreHeardOnceAndTheirSavesWakeNobody() throws {
      let folder = try TemporaryFolder()
      let peer = try startListener(to: Self.keys + ["barrier"], in: folder)
      let other = try Peer(in: folder)
      for (round, key) in Self.keys.enumerated() {
        for value in ["1", "2", unset(key), "3"] {
          try peer.tell(value == unset(key) ? "remove \(key)" : "set \(key) \(value)")
          peer.expect("heard \(key) \(value)", "observed \(key) \(value)")
          try peer.tell("flush")
          peer.expect("flushed")
        }
        // What comes after the save has been looked at. Anything else would have come before.
        try other.tell("set barrier \(round)")
        peer.expect("heard barrier \(round)", "observed barrier \(round)")
      }
      try other.end()
      try peer.end()
    }

    func testOwnSavesOfValuesOfAnyTypeWakeNobody() throws {
      let folder = try TemporaryFolder()
      let peer = try startListener(to: ["barrier"], in: folder)
      try peer.tell("observe-samples")
      XCTAssertGreaterThan(peer.expect("observing")[0], 200)
      let other = try Peer(in: folder)
      for round in 1...2 {
        try other.tell("set barrier \(round)")
        peer.expect("heard barrier \(round)", "observed barrier \(round)")
      }
      try other.end()
      try peer.end()
    }

    // MARK: Costs

    func testListeningCostsNothingAtRest() throws {
      let folder = try TemporaryFolder()
      let peer = try startListener(in: folder)
      let other = try Peer(in: folder)
      try other.tell("set optional 1")
      peer.expect("heard optional 1", "observed optional 1")
      try other.end()
      try peer.tell("set typed 1")
      peer.expect("heard typed 1", "observed typed 1")
      try peer.tell("flush")
      peer.expect("flushed")
      // The first half second is for what is still to be done after the last save.
      try peer.tell("rest 0.5")
      peer.expect("rested")
      try peer.tell("rest 2")
      let figures = peer.figures(of: "rested")
      guard figures.count == 2 else { return }
      print("In two seconds at rest: \(figures[0]) µs of CPU time, \(figures[1]) switches.")
      // A look at the file each half a second would be too many; to fall asleep is one or two.
      XCTAssertLessThan(figures[0], 5000, "microseconds of CPU time")
      XCTAssertLessThanOrEqual(figures[1], 4, "times that a thread fell asleep")
      try peer.end()
    }

    // MARK: Conflicts

    func testWhatIsNotSavedYetWinsOverWhatAnotherProcessHasSaved() throws {
      let folder = try TemporaryFolder()
      let peer = try startListener(in: folder)
      let other = try startListener(in: folder)
      try peer.tell("limit-file-size 0")
      try peer.tell("set optional 1")
      // The issue comes from another thread.
      peer.expectUnordered(["heard optional 1", "observed optional 1", "not saved"])
      for (key, value) in [("optional", 2), ("typed", 2)] {
        try other.tell("set \(key) \(value)")
        other.expect("heard \(key) \(value)", "observed \(key) \(value)")
      }
      // It has seen what the other saved, and not taken what it has changed itself.
      peer.expect("heard typed 2", "observed typed 2")
      try peer.tell("poll optional 1")
      peer.expect("read optional 1")
      XCTAssertEqual(try folder.contents() as? [String: Int], ["optional": 2, "typed": 2])

      try peer.tell("limit-file-size -1")
      try peer.tell("flush")
      peer.expectUnordered(["flushed", "saved again"])
      other.expect("heard optional 1", "observed optional 1")
      XCTAssertEqual(try folder.contents() as? [String: Int], ["optional": 1, "typed": 2])

      // Nothing of that is kept: the next change is the other's again.
      try other.tell("set optional 3")
      for peer in [peer, other] { peer.expect("heard optional 3", "observed optional 3") }
      try other.end()
      try peer.end()
    }
  }

  /// A `Probe listening`, and what it should print.
  final class Peer {
    private let child: ChildProcess

    init(
      suite: String? = nil, in folder: TemporaryFolder, home: String? = nil,
      environment: [String: String] = [:]
    ) throws {
      child = try ChildProcess(
        ["listening"] + (suite.map { [$0] } ?? []), in: folder,
        environment: environment.merging(home.map { ["XDG_CONFIG_HOME": $0] } ?? [:]) { $1 })
    }

    static func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
    }

    func tell(_ line: String) throws { try child.send(line) }

    /// The next line; nil, and the end of the process, if it does not come.
    func line(within seconds: Double) -> String? {
      let identifier = pid_t(child.identifier)
      let deadline = DispatchWorkItem { Foundation.kill(identifier, SIGKILL) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: deadline)
      defer { deadline.cancel() }
      return child.line()
    }

    func kill() { child.stop() }

    /// Reads a line, and returns the figures with which it goes on.
    func figures(
      of expected: String, skipping skipped: String? = nil, within seconds: Double = 10,
      file: StaticString = #filePath, line: UInt = #line
    ) -> [Int] {
      var printed: String?
      repeat { printed = self.line(within: seconds) } while printed != nil && printed == skipped
      guard let printed, printed.hasPrefix(expected + " ") else {
        XCTFail("\(printed ?? "nothing"), not \(expected)", file: file, line: line)
        return []
      }
      return printed.dropFirst(expected.count).split(separator: " ").compactMap { Int($0) }
    }

    /// Reads as many lines as are expected; in any order, because what listens and what observes are
    /// different threads.
    ///
    /// - Returns: The figure with which each line goes on, if it does.
    @discardableResult
    func expect(
      _ expected: String..., within seconds: Double = 10, file: StaticString = #filePath,
      line: UInt = #line
    ) -> [Int] {
      expectUnordered(expected, within: seconds, file: file, line: line)
    }

    @discardableResult
    func expectUnordered(
      _ expected: [String], within seconds: Double = 10, file: StaticString = #filePath,
      line: UInt = #line
    ) -> [Int] {
      var figures = Array(repeating: Int.max / 2, count: expected.count)
      var missing = Set(expected.indices)
      for _ in expected {
        guard let printed = self.line(within: seconds) else {
          XCTFail("none of \(missing.map { expected[$0] })", file: file, line: line)
          break
        }
        let index = missing.first {
          printed == expected[$0] || printed.hasPrefix(expected[$0] + " ")
        }
        guard let index else {
          XCTFail("\(printed), not \(missing.map { expected[$0] })", file: file, line: line)
          continue
        }
        missing.remove(index)
        let figure = printed.dropFirst(expected[index].count + 1).split(separator: " ").first
        figures[index] = figure.flatMap { Int($0) } ?? 0
      }
      return figures
    }

    /// Ends it, and sees that it has heard nothing more.
    func end(file: StaticString = #filePath, line: UInt = #line) throws {
      let (end, output, errors) = try child.wait()
      XCTAssertEqual(end, .exit(0), file: file, line: line)
      XCTAssertEqual(output, [], file: file, line: line)
      XCTAssertEqual(errors, "", file: file, line: line)
    }
  }

  /// A reader that parses a file again and again.
  private final class Parsing: Sendable {
    private let counts = Mutex((parsed: 0, unparsed: 0))
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of folder: TemporaryFolder) {
      Thread { [self] in
        while !isOver.load(ordering: .relaxed) {
          let isParsed = (try? folder.contents())?.isEmpty == false
          counts.withLock { $0 = (isParsed ? ($0.0 + 1, $0.1) : ($0.0, $0.1 + 1)) }
          usleep(2000)
        }
        hasEnded.signal()
      }.start()
    }

    func stop() { isOver.store(true, ordering: .relaxed) }

    func end() -> (parsed: Int, unparsed: Int) {
      stop()
      hasEnded.wait()
      return counts.withLock { $0 }
    }
  }
#endif
