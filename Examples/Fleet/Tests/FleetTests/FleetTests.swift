import XCTest

/// The program `fleet`.
final class FleetTests: XCTestCase {
  func testItsCommands() throws {
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    func fleet(_ command: String...) throws -> (status: Int32, output: [String]) {
      let place = ["--etcd", cluster.endpoints[0].absoluteString, "--prefix", "fleet"]
      return try Machine(place + command, program: "fleet").end()
    }
    XCTAssertEqual(try fleet("set", "logLevel", "debug").output, ["logLevel = debug"])
    XCTAssertEqual(
      try cluster.control("get", "--print-value-only", "fleet/logLevel"), "\"debug\"\n")
    XCTAssertEqual(try fleet("set", "logLevel", "purple").status, 1)
    let exported = try fleet("export").output.joined(separator: "\n")
    let file = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(exported.utf8).write(to: file)
    XCTAssertEqual(try fleet("reset", "logLevel").output, ["logLevel = info"])
    XCTAssertEqual(try fleet("set", "maintenance", "yes").output, ["maintenance = true"])
    let list = try fleet("import", file.path).output
    XCTAssertTrue(list.contains { $0.contains(/^\*  logLevel +debug +info$/) }, "\(list)")
    XCTAssertTrue(list.contains { $0.contains(/^   maintenance +false +false$/) }, "\(list)")
  }

  func testSetPrintsOnlyWhatEtcdHasConfirmed() throws {
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    let proxy = try Proxy(to: cluster.endpoints[0])
    defer { proxy.close() }
    func fleet(_ command: String...) throws -> (status: Int32, output: [String]) {
      let place = ["--etcd", proxy.endpoint.absoluteString, "--prefix", "fleet"]
      return try Machine(place + command, program: "fleet").end()
    }
    XCTAssertEqual(try fleet("health").status, 0)
    proxy.loseNextAnswer()
    XCTAssertEqual(try fleet("set", "maxConnections", "7").output, ["maxConnections = 7"])
    XCTAssertEqual(
      try cluster.control("get", "--print-value-only", "fleet/maxConnections"), "7\n")
    cluster.kill(0)
    let failed = try fleet("set", "maxConnections", "8")
    XCTAssertEqual(failed.status, 1)
    XCTAssertEqual(failed.output, [])
    XCTAssertEqual(try fleet("health").status, 1)
  }
}
