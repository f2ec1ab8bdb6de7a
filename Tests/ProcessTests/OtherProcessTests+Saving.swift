#if !TYPED_DEFAULTS_PLATFORM_SAVES
  import Foundation
  import Synchronization
  import XCTest

  @testable import TestSupport

  extension OtherProcessTests {
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
        // The disk may take long, for which listening is not to blame, and so may a busy processor.
        XCTAssertLessThan(latencies.map(\.sinceSave).sorted()[39], 100_000, what)
      }
      for peer in [listener, reader, writer] { try peer.end() }
    }

    // MARK: Many at once

    func testTenProcessesThatWriteAtOnceEndWithTheSameValues() throws {
      let seconds = Scale.rounds(1, long: 10)
      let folder = try TemporaryFolder()
      // One key stays: the first one to save may be a removal of the other.
      try edit("optional=0,constant=1", folder) { try folder.write($0) }
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
        let figures = peer.figures(of: "stopped \(name)", skipping: "not saved")
        guard figures.count == 2 else { return }
        own[name] = figures[0] > 0 ? figures[0] : nil
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

  /// A reader that parses a file again and again.
  private final class Parsing: Sendable {
    private let counts = TestMutex((parsed: 0, unparsed: 0))
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of folder: TemporaryFolder) {
      Thread { [self] in
        while !isOver.load(ordering: .relaxed) {
          let isParsed = (try? folder.contents())?["constant"] as? Int == 1
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
