import EtcdDefaults
import Foundation
import RemoteDefaults
import TypedDefaults
import XCTest

/// Four machines change settings without a pause while the cluster and the network fail.
///
/// `FLEET_SOAK=300 swift test --filter SoakTests` runs each kind of fault for 300 seconds.
final class SoakTests: XCTestCase {
  private static let seconds = ProcessInfo.processInfo.environment["FLEET_SOAK"].flatMap(Int.init)

  /// As in the probe.
  private struct Counts: Decodable {
    var confirmed: [String: Int]
    var failed: [String: Int]
    var tokens: [String]
    var failedTokens: [String]
    var lastSet: Int
    var lastConfirmed: Int
    var back: Int
    var twice: Int
    var delays: [Int]
    var issues: [String: Int]
  }

  private struct Worker {
    let name: String
    let proxies: [Proxy]
    let machine: Machine
  }

  private var cluster: Cluster!
  private var workers: [Worker] = []
  private var end = ContinuousClock.now

  func testKills() throws { try soak("kills", kill) }

  func testPauses() throws { try soak("pauses", pause) }

  func testPartitionsOfMembers() throws { try soak("partitions of members", isolate) }

  func testPartitionsOfClients() throws { try soak("partitions of clients", cutOff) }

  func testLostQuorum() throws { try soak("lost quorum", loseQuorum) }

  func testMixed() throws {
    try soak("mixed", isShort: true) {
      try [kill, pause, isolate, cutOff, loseQuorum].randomElement()!()
    }
  }

  // MARK: Faults

  private func wait(_ seconds: ClosedRange<Double>) {
    usleep(UInt32(min(.random(in: seconds), max(0, (end - .now) / .seconds(1))) * 1e6))
  }

  private var anyMember: Int { .random(in: 0..<cluster.count) }

  private func kill() throws {
    let member = anyMember
    cluster.kill(member)
    wait(0.5...2)
    try cluster.start(member)
    try cluster.waitUntilHealthy()
  }

  private func pause() throws {
    let member = anyMember
    cluster.pause(member)
    wait(0.5...5)
    cluster.pause(member, false)
  }

  private func isolate() throws {
    let member = anyMember
    try cluster.isolate(member)
    wait(1...6)
    try cluster.isolate(member, false)
  }

  private func cutOff() throws {
    let proxies = workers.randomElement()!.proxies
    // From one member, or from all.
    let cut = Bool.random() ? proxies : [proxies.randomElement()!]
    for proxy in cut { proxy.pause() }
    wait(0.5...8)
    // The connections end, or what has waited arrives late.
    if Bool.random() { for proxy in cut { proxy.cut() } }
    for proxy in cut { proxy.resume() }
  }

  private func loseQuorum() throws {
    let kept = anyMember
    let others = (0..<cluster.count).filter { $0 != kept }
    let isKill = Bool.random()
    for member in others { isKill ? cluster.kill(member) : cluster.pause(member) }
    wait(2...8)
    for member in others {
      if isKill { try cluster.start(member) } else { cluster.pause(member, false) }
    }
    try cluster.waitUntilHealthy()
  }

  // MARK: The run

  private func soak(_ name: String, isShort: Bool = false, _ fault: () throws -> Void) throws {
    guard let seconds = Self.seconds ?? (isShort ? 8 : nil) else {
      throw XCTSkip("FLEET_SOAK=300 runs it for 300 seconds")
    }
    cluster = try Cluster(isDivisible: true)
    defer { cluster.end() }
    let names = (0..<4).map { "m\($0)" }
    workers = try names.map { name in
      let proxies = try cluster.endpoints.map { try Proxy(to: $0) }
      let urls = proxies.map(\.endpoint.absoluteString).joined(separator: ",")
      let machine = try Machine([urls, "soak", "soak", name, names.joined(separator: ",")])
      return Worker(name: name, proxies: proxies, machine: machine)
    }
    defer {
      for worker in workers { for proxy in worker.proxies { proxy.close() } }
      workers = []
    }
    for worker in workers { XCTAssertEqual(worker.machine.line(), "ready") }
    end = .now + .seconds(seconds)
    var faults = 0
    while .now < end {
      try fault()
      faults += 1
      wait(0.5...3)
    }
    try cluster.waitUntilHealthy()
    for worker in workers { try worker.machine.send("stop") }
    let all = try workers.map { worker in
      let line = try XCTUnwrap(worker.machine.line())
      return try JSONDecoder().decode(Counts.self, from: Data(line.utf8))
    }
    let store = try EtcdDefaults.open(
      EtcdOptions(endpoints: cluster.endpoints, prefix: "soak"), within: .seconds(20))
    let objects = store.dictionaryRepresentation()
    print("\(name), \(seconds) s, \(faults) faults:")
    check(all, objects)
  }

  /// Compares what machines were told with what etcd holds.
  private func check(_ all: [Counts], _ objects: [String: Any]) {
    func sum(_ kind: String) -> (confirmed: Int, failed: Int) {
      (
        all.reduce(0) { $0 + ($1.confirmed[kind] ?? 0) },
        all.reduce(0) { $0 + ($1.failed[kind] ?? 0) }
      )
    }
    for (kind, key) in [("increment", "count"), ("append", "appended"), ("exchange", "left")] {
      let (confirmed, failed) = sum(kind)
      let stored = objects[key] as? Int ?? 0
      print("  \(kind): \(confirmed) confirmed, \(failed) not, etcd holds \(stored)")
      XCTAssertGreaterThanOrEqual(stored, confirmed, "lost \(kind)")
      XCTAssertLessThanOrEqual(stored, confirmed + failed, "doubled \(kind)")
      XCTAssertGreaterThan(confirmed, 0)
    }
    XCTAssertEqual(objects["right"] as? Int ?? 0, -(objects["left"] as? Int ?? 0))
    let lists = objects.filter { $0.key.hasPrefix("list.") }.flatMap { $1 as? [String] ?? [] }
    XCTAssertEqual(Set(lists).count, lists.count, "doubled token")
    let (confirmed, failed) = (Set(all.flatMap(\.tokens)), Set(all.flatMap(\.failedTokens)))
    XCTAssertEqual(confirmed.subtracting(lists), [], "lost tokens")
    XCTAssertEqual(Set(lists).subtracting(confirmed).subtracting(failed), [])
    XCTAssertEqual(lists.count, objects["appended"] as? Int ?? 0)
    for (index, counts) in all.enumerated() {
      let last = (objects["w.m\(index)"] as? [Int])?.first
      XCTAssertEqual(last, counts.lastSet, "lost value")
      XCTAssertEqual(counts.back, 0, "values that went back")
      XCTAssertEqual(counts.twice, 0, "values that came twice")
    }
    let delays = all.flatMap(\.delays).sorted()
    let sets = all.reduce(0) { $0 + $1.lastSet }
    let issues = all.map(\.issues).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    print(
      """
        \(sets) values set, \(delays.count) heard: median \(delays[delays.count / 2] / 1000) ms, \
      99 % \(delays[delays.count * 99 / 100] / 1000) ms, worst \(delays.last! / 1000) ms
        issues: \(issues)
      """)
  }
}
