import NIOPosix
import Synchronization
import TypedDefaults
import XCTest

@testable import EtcdDefaults
@testable import RemoteDefaults

/// Lost connections, members and answers.
final class EtcdFaultTests: EtcdTestCase {
  // MARK: Lost connections

  func testAWatchThatIsCutLosesNothingAndTellsNothingTwice() throws {
    let writer = try open()
    let proxy = try Proxy(to: try cluster.endpoints[0])
    let told = Mutex<[String: Int]>([:])
    let connection = try follow([proxy.endpoint]) { keys in
      told.withLock { told in for key in keys { told[key, default: 0] += 1 } }
    }
    defer { connection.close(within: .zero) }
    let keys = (0..<Scale.cuts).flatMap { cut in (0..<10).map { "\(cut).\($0)" } }
    for (index, key) in keys.enumerated() {
      writer.set(index, forKey: key)
      try writer.flush()
      if Int.random(in: 0..<10) == 0 || index % 10 == 9 { proxy.cut() }
    }
    waitUntil { told.withLock { $0.count } == keys.count }
    XCTAssertEqual(told.withLock { $0 }, Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
  }

  func testAfterACompactionTheDifferencesAreTold() throws {
    let writer = try open()
    writer.set(1, for: "same")
    writer.set(1, for: "other")
    writer.set(1, for: "gone")
    try writer.flush()
    let proxy = try Proxy(to: try cluster.endpoints[0])
    let told = Mutex<[String]>([])
    let connection = try follow([proxy.endpoint]) { keys in told.withLock { $0 += keys } }
    defer { connection.close(within: .zero) }
    waitUntil { told.withLock { $0.sorted() } == ["gone", "other", "same"] }
    told.withLock { $0 = [] }
    proxy.pause()
    writer.set(2, for: "other")
    writer.removeObject(forKey: "gone")
    try writer.flush()
    try compact()
    proxy.cut()
    proxy.resume()
    waitUntil { told.withLock { $0.count } == 2 }
    XCTAssertEqual(told.withLock { $0.sorted() }, ["gone", "other"])
    XCTAssertEqual(connection.object("other") as? Int, 2)
    XCTAssertNil(connection.object("gone"))
    writer.set(3, for: "same")
    waitUntil { connection.object("same") as? Int == 3 }
  }

  /// Older versions do not always tell a watch of it: https://github.com/etcd-io/etcd/issues/18089
  func testADeletionThatEtcdForgetsIsTold() throws {
    let writer = try open()
    writer.set(1, for: "gone")
    try writer.flush()
    let proxy = try Proxy(to: try cluster.endpoints[0])
    let connection = try follow([proxy.endpoint]) { _ in }
    defer { connection.close(within: .zero) }
    proxy.pause()
    writer.removeObject(forKey: "gone")
    try writer.flush()
    try compact()
    proxy.cut()
    proxy.resume()
    waitUntil { connection.object("gone") == nil }
  }

  func testNoConfirmedChangeIsLostWhileMembersAreKilled() throws {
    let cluster = try cluster
    let machines = try (0..<Scale.machines).map { try machine("write", "p\($0)") }
    for machine in machines { XCTAssertEqual(machine.line(), "ready") }
    for member in 0..<cluster.count {
      for machine in machines { try machine.send("\(Scale.settings / cluster.count)") }
      cluster.kill(member)
      for machine in machines { XCTAssertEqual(machine.line(), "confirmed") }
      try cluster.start(member)
      try cluster.waitUntilHealthy()
    }
    let objects = try open().dictionaryRepresentation()
    XCTAssertEqual(objects.count, Scale.machines * Scale.settings + 1)
    for machine in 0..<Scale.machines {
      for index in 0..<Scale.settings {
        XCTAssertEqual(objects["p\(machine).\(index)"] as? String, "\(index) of p\(machine)")
      }
    }
    let expected = Self.digest(objects)
    for machine in machines { try machine.send(expected) }
    for machine in machines { XCTAssertEqual(machine.end().output, [expected]) }
  }

  private static func digest(_ objects: [String: Any]) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for key in objects.keys.sorted() {
      for byte in "\(key)=\(objects[key]!);".utf8 {
        hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
      }
    }
    return "\(objects.count) \(hash)"
  }

  func testAChangeReachesTheListenersOfOtherMachines() throws {
    let cluster = try cluster
    let writer = try open()
    let machines = try (1..<Scale.machines).map { _ in try machine("listen") }
    for machine in machines { XCTAssertEqual(machine.line(), "ready") }
    func measure(_ count: Int) throws -> [Int] {
      var delays: [Int] = []
      for _ in 0..<count {
        writer.set(Int(DispatchTime.now().uptimeNanoseconds), for: "clock")
        for machine in machines { delays.append(Int(try XCTUnwrap(machine.line())) ?? -1) }
      }
      return delays.sorted()
    }
    func say(_ name: String, _ delays: [Int]) {
      print("\(name): median \(delays[delays.count / 2]) µs, worst \(delays.last!) µs")
    }
    _ = try measure(1)
    say("To \(machines.count) machines", try measure(20))
    let leader = try XCTUnwrap(cluster.leader)
    cluster.kill(leader)
    say("During an election", try measure(1))
    say("With two members", try measure(20))
    try cluster.start(leader)
    try cluster.waitUntilHealthy()
    writer.set(0, for: "clock")
    for machine in machines { XCTAssertEqual(machine.end().status, 0) }
  }

  // MARK: Late and slow networks

  func testALateCopyOfAChangeDoesNothing() throws {
    let proxies = try cluster.endpoints.prefix(2).map { try Proxy(to: $0) }
    defer { for proxy in proxies { proxy.close() } }
    let direct = try open()
    let store = try RemoteDefaults.open(
      EtcdServer(EtcdOptions(endpoints: proxies.map(\.endpoint), prefix: prefix)),
      within: .seconds(10))
    let key = "count" as UserDefaults.Key<Int>
    let rounds = Scale.isFull ? 20 : 3
    for round in 1...rounds {
      for proxy in proxies { proxy.pause() }
      store.set(round * 10, for: key)
      // Both members are sent a copy.
      usleep(1_200_000)
      let (first, second) = round % 2 == 0 ? (proxies[0], proxies[1]) : (proxies[1], proxies[0])
      first.resume()
      waitUntil { (try? store.flush()) != nil }
      store.set(round * 10 + 1, for: key)
      try store.flush()
      second.resume()
      // By then the late copies have passed.
      _ = try cluster.control("get", "none")
      usleep(100_000)
      XCTAssertEqual(try stored("count"), "\(round * 10 + 1)")
    }
    waitUntil { direct.value(for: key) == rounds * 10 + 1 }
  }

  func testARestoredSnapshotIsLoadedAndToldOnce() throws {
    let recorder = recordIssues()
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    let options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
    let (writer, reader) = (
      try EtcdDefaults.open(options, within: .seconds(10)),
      try EtcdDefaults.open(options, within: .seconds(10))
    )
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: writer)
    count.withLock { $0 += 1 }
    try cluster.control("snapshot", "save", cluster.path("snapshot"))
    for _ in 0..<5 { count.withLock { $0 += 1 } }
    waitUntil { reader.integer(forKey: "count") == 6 }
    try cluster.restore(cluster.path("snapshot"))
    let start = ContinuousClock.now
    waitUntil { count.wrappedValue == 1 && reader.integer(forKey: "count") == 1 }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(5))
    count.withLock { $0 += 1 }
    XCTAssertEqual(try cluster.control("get", "--print-value-only", "\(prefix)/count"), "2\n")
    waitUntil { reader.integer(forKey: "count") == 2 }
    // By each of the two stores.
    XCTAssertEqual(recorder.all.count { "\($0)".contains("a snapshot was restored") }, 2)
  }

  func testALargePrefixOpensOverASlowLine() throws {
    let writer = try open()
    let text = String(repeating: "x", count: 12_000)
    let count = Scale.isFull ? 1000 : 200
    for key in 0..<count { writer.set(text, forKey: "\(key)") }
    try writer.flush()
    let proxy = try Proxy(to: try cluster.endpoints[0])
    defer { proxy.close() }
    // The gateway writes Base64.
    proxy.slow(to: 2_000_000)
    let store = try EtcdDefaults.open(
      EtcdOptions(endpoints: [proxy.endpoint], prefix: prefix), within: .seconds(30))
    XCTAssertEqual(store.dictionaryRepresentation().count, count)
    store.close()
    try cluster.control("del", "--prefix", "\(prefix)/")
  }

  // MARK: Threads

  func testEveryEventLoopOfTheProgramMayWait() throws {
    nonisolated(unsafe) let store = try open()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    let loops = MultiThreadedEventLoopGroup.singleton.makeIterator()
    let done = loops.map { loop in
      loop.submit {
        for _ in 0..<3 { count.withLock { $0 += 1 } }
        store.set(true, forKey: "\(ObjectIdentifier(loop).hashValue)")
        try store.flush()
      }
    }
    let results = Mutex<[Result<Void, any Error>]>([])
    for future in done {
      future.whenComplete { result in results.withLock { $0.append(result) } }
    }
    waitUntil { results.withLock { $0.count } == done.count }
    for result in results.withLock(\.self) { XCTAssertNoThrow(try result.get()) }
    XCTAssertEqual(try stored("count"), "\(3 * done.count)")
  }

  func testTheEndOfAProgramSendsItsChanges() throws {
    for end in ["return", "exit", "release"] {
      let machine = try machine("quit", end)
      XCTAssertEqual(machine.end().status, 0)
      let keys = try cluster.control("get", "--prefix", "--keys-only", "\(prefix)/\(end)")
      XCTAssertEqual(keys.split(separator: "\n").count, 400)
    }
  }

  func testAStepOfTheClockStopsNothing() throws {
    #if os(Linux)
      let library = try Clock.library()
      for step in [-3600, 3600] {
        let machine = try machine("clock", "\(step)", environment: ["LD_PRELOAD": library])
        XCTAssertEqual(machine.line(), "ready")
        let store = try open()
        store.set(step, for: "question")
        let start = ContinuousClock.now
        waitUntil { store.value(for: "answer" as UserDefaults.Key<Int>) == step }
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(5))
        XCTAssertEqual(machine.end().output, ["done"])
      }
    #endif
  }
}
