import EtcdDefaults
import Foundation
import RemoteDefaults
import Synchronization
import TypedDefaults
import XCTest

/// How long a change takes to reach another store while one thing fails. Both stores use the cluster by
/// proxies of their own.
final class LatencyTests: XCTestCase {
  private var cluster: Cluster!
  private var proxies: [Proxy] = []

  override func setUpWithError() throws { cluster = try Cluster(isDivisible: true) }

  override func tearDown() {
    for proxy in proxies { proxy.close() }
    cluster?.end()
  }

  private func open() throws -> (RemoteDefaults, [Proxy]) {
    let own = try cluster.endpoints.map { try Proxy(to: $0) }
    proxies += own
    let options = EtcdOptions(endpoints: own.map(\.endpoint), prefix: "latency")
    return (try EtcdDefaults.open(options, within: .seconds(10)), own)
  }

  func testAChangeArrivesInTimeWhileOneThingFails() throws {
    nonisolated(unsafe) let writer: RemoteDefaults
    let own: [Proxy]
    (writer, own) = try open()
    let (reader, others) = try open()
    let delays = Mutex<[Int]>([])
    let clock = WrappedDefault(wrappedValue: 0, "clock", userDefaults: reader)
    let observation = clock.onChange { _, time in
      let delay = Int(DispatchTime.now().uptimeNanoseconds) - time
      delays.withLock { $0.append(delay / 1000) }
    }
    let isOver = Atomic(false)
    let setting = Thread {
      while !isOver.load(ordering: .relaxed) {
        writer.set(Int(DispatchTime.now().uptimeNanoseconds), forKey: "clock")
        usleep(20_000)
      }
    }
    setting.start()
    defer {
      isOver.store(true, ordering: .relaxed)
      observation.cancel()
    }
    /// Lets something fail for a time, and returns the worst delay until all is well again.
    func measure(
      _ name: String, limit: Double, for seconds: Double = 6, _ fail: () throws -> () throws -> Void
    ) throws {
      Thread.sleep(forTimeInterval: 1.5)
      delays.withLock { $0 = [] }
      let start = DispatchTime.now().uptimeNanoseconds
      let heal = try fail()
      Thread.sleep(forTimeInterval: seconds)
      let last = clock.wrappedValue
      let (all, silence) = (delays.withLock { $0.sorted() }, Int(start) + Int(seconds * 1e9) - last)
      let worst = Double(max(all.last ?? 0, silence / 1000)) / 1e6
      print("latency figure: \(name): median \(all[all.count / 2]) µs, worst \(worst) s")
      // On a machine that has more to do, an election alone may take that long.
      XCTAssertLessThan(worst, Scale.isFull ? limit : 3 * limit, name)
      try heal()
      try cluster.waitUntilHealthy()
    }
    func leader() throws -> Int { try XCTUnwrap(cluster.leader) }
    let cluster = cluster!
    try measure("nothing", limit: 1, for: 2) { {} }
    try measure("the leader is killed", limit: 3, for: 4) {
      let member = try leader()
      cluster.kill(member)
      return { try cluster.start(member) }
    }
    guard Scale.isFull else { return }
    try measure("the leader is cut off from the others", limit: 5) {
      let member = try leader()
      try cluster.isolate(member)
      return { try cluster.isolate(member, false) }
    }
    try measure("a follower is killed", limit: 5) {
      let member = try (leader() + 1) % 3
      cluster.kill(member)
      return { try cluster.start(member) }
    }
    for (name, step) in [("the leader", 0), ("a follower", 1), ("the other follower", 2)] {
      try measure("\(name) hangs", limit: 5) {
        let member = try (leader() + step) % 3
        cluster.pause(member)
        return { cluster.pause(member, false) }
      }
      try measure("\(name) is cut off", limit: 5) {
        let member = try (leader() + step) % 3
        try cluster.isolate(member)
        return { try cluster.isolate(member, false) }
      }
      for (who, proxies) in [("writer", own), ("reader", others)] {
        try measure("the \(who) is cut off from \(name)", limit: 5) {
          let proxy = try proxies[(leader() + step) % 3]
          proxy.pause()
          return {
            proxy.cut()
            proxy.resume()
          }
        }
      }
    }
  }
}
