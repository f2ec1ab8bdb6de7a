import NIOSSL
import Observation
import Synchronization
import TypedDefaults
import XCTest

@testable import EtcdDefaults
@testable import RemoteDefaults

/// Settings on a cluster of three members. A second instance stands for a second machine.
final class EtcdDefaultsTests: XCTestCase {
  private static let cluster = Mutex<Result<Cluster, any Error>?>(nil)

  /// One for all tests, which have prefixes of their own.
  private var cluster: Cluster {
    get throws {
      try Self.cluster.withLock { cluster in
        let made = cluster ?? Result { try Cluster() }
        cluster = made
        return try made.get()
      }
    }
  }

  override class func tearDown() {
    cluster.withLock { cluster in
      try? cluster?.get().end()
      cluster = nil
    }
  }

  private let prefix = "test-\(UUID())"

  private func makeOptions() throws -> EtcdOptions {
    EtcdOptions(endpoints: try cluster.endpoints, prefix: prefix)
  }

  private func open() throws -> RemoteDefaults {
    try EtcdDefaults.open(try makeOptions(), within: .seconds(10))
  }

  private func stored(_ key: String) throws -> String {
    let text = try cluster.control("get", "--print-value-only", "\(prefix)/\(key)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func machine(_ arguments: String...) throws -> Machine {
    let urls = try cluster.endpoints.map(\.absoluteString).joined(separator: ",")
    return try Machine([urls, prefix] + arguments)
  }

  // MARK: Stored forms

  func testValuesAreTextThatAPersonReads() throws {
    let store = try open()
    store.set("dark", for: "theme")
    store.set(true, for: "flag")
    store.set(3, for: "count")
    store.set(0.1, for: "rate")
    store.set(["a", "b/c"], for: "tags")
    store.set(Date(timeIntervalSince1970: 0), for: "date")
    try store.flush()
    XCTAssertEqual(try stored("theme"), #""dark""#)
    XCTAssertEqual(try stored("flag"), "true")
    XCTAssertEqual(try stored("count"), "3")
    XCTAssertEqual(try stored("rate"), "0.1")
    XCTAssertEqual(try stored("tags"), #"["a","b/c"]"#)
    XCTAssertTrue(try stored("date").contains("<date>1970-01-01T00:00:00Z</date>"))
  }

  func testEachValueReadsBackEqualOnAnotherMachine() throws {
    func check<V: UserDefaultsSerializable & Equatable>(_ value: V, _ name: String) throws {
      let key = UserDefaults.Key<V>(name: name)
      let store = try open()
      store.set(value, for: key)
      try store.flush()
      XCTAssertEqual(try open().value(for: key), value, name)
    }
    try check(Int.max, "largest")
    try check(UInt64.max, "largest unsigned")
    try check(-1.5e300, "large")
    try check(Double.infinity, "infinity")
    try check("line\nline \u{0} \u{1F600} \"quoted\"", "string")
    try check(Data([0, 255, 1]), "data")
    try check([true, false], "Booleans")
    try check(["a b": ["c": [1, 2]]], "dictionary")
    try check(URL(string: "https://example.com/a?b=c")!, "url")
    try check(UUID(), "uuid")
  }

  func testWhatAPersonPutsIsReadAndHeard() async throws {
    let store = try open()
    var theme = store.updates(for: "theme" as UserDefaults.Key<String>).makeAsyncIterator()
    let first = await theme.next()
    XCTAssertEqual(first, .some(nil))
    try cluster.control("put", "\(prefix)/theme", "dark")
    let second = await theme.next()
    XCTAssertEqual(second, "dark")
    try cluster.control("put", "\(prefix)/theme", #""light""#)
    let third = await theme.next()
    XCTAssertEqual(third, "light")
    try cluster.control("del", "\(prefix)/theme")
    let last = await theme.next()
    XCTAssertEqual(last, .some(nil))
  }

  func testRawAccessorsReadAndWrite() throws {
    let store = try open()
    store.set(true, forKey: "flag")
    store.set(7, forKey: "count")
    store.set(0.5, forKey: "rate")
    store.register(defaults: ["name": "default", "count": 1])
    XCTAssertTrue(store.bool(forKey: "flag"))
    XCTAssertEqual(store.integer(forKey: "count"), 7)
    XCTAssertEqual(store.double(forKey: "rate"), 0.5)
    XCTAssertEqual(store.string(forKey: "name"), "default")
    store.removeObject(forKey: "count")
    XCTAssertEqual(store.integer(forKey: "count"), 1)
    XCTAssertTrue(store.synchronize())
    XCTAssertEqual(try stored("flag"), "true")
    XCTAssertEqual(try stored("count"), "")
  }

  func testAnObjectThatNoPropertyListHoldsIsReported() throws {
    let recorder = recordIssues()
    let store = try open()
    store.set(1, forKey: "key")
    store.set(UUID() as Any, forKey: "key")
    XCTAssertEqual(recorder.all.map(\.kind), [.unencodableValue])
    XCTAssertEqual(store.integer(forKey: "key"), 1)
  }

  func testADeclarationReadsItsOwnDefault() throws {
    let store = try open()
    let one = WrappedDefault(wrappedValue: 1, "count", userDefaults: store)
    store.register(defaults: ["count": 2])
    XCTAssertEqual(one.wrappedValue, 1)
    XCTAssertFalse(one.isStored)
    one.wrappedValue = 2
    XCTAssertTrue(one.isStored)
    one.reset()
    XCTAssertEqual(one.wrappedValue, 1)
  }

  // MARK: Two machines

  func testAChangeIsHeardByItsKeyAlone() async throws {
    let (one, two) = (try open(), try open())
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: two)
    let other = WrappedDefault(wrappedValue: 0, "other", userDefaults: two)
    XCTAssertEqual(count.wrappedValue + other.wrappedValue, 0)
    let changed = expectation(description: "changed")
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      changed.fulfill()
    }
    withObservationTracking {
      _ = other.wrappedValue
    } onChange: {
      XCTFail("another key")
    }
    one.set(5, for: "count")
    await fulfillment(of: [changed], timeout: 10)
    XCTAssertEqual(count.wrappedValue, 5)
  }

  func testIncrementsOfEightMachinesAreAllThere() throws {
    let machines = try (0..<8).map { _ in try machine("increment", "\(Scale.increments)") }
    for machine in machines { XCTAssertEqual(machine.end().status, 0) }
    XCTAssertEqual(try stored("count"), "\(8 * Scale.increments)")
  }

  func testNoIncrementIsLostOrMadeTwiceWhileMembersAreKilled() throws {
    let cluster = try cluster
    let machines = try (0..<4).map { _ in try machine("increment", "\(2 * Scale.increments)") }
    for member in 0..<cluster.count {
      cluster.kill(member)
      try cluster.start(member)
      try cluster.waitUntilHealthy()
    }
    for machine in machines { XCTAssertEqual(machine.end().status, 0) }
    XCTAssertEqual(try stored("count"), "\(8 * Scale.increments)")
  }

  func testAnIncrementWhoseAnswerIsLostIsMadeOnce() throws {
    let proxy = try Proxy(to: try cluster.endpoints[0])
    defer { proxy.close() }
    let store = try EtcdDefaults.open(
      EtcdOptions(endpoints: [proxy.endpoint], prefix: prefix), within: .seconds(10))
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    for expected in 1...5 {
      proxy.loseNextAnswer()
      count.withLock { $0 += 1 }
      XCTAssertEqual(try stored("count"), "\(expected)")
    }
    // By now the answer to the change is lost, and it is not the last change any more.
    let other = try open()
    proxy.loseNextAnswer()
    let waiting = Thread { count.withLock { $0 += 1 } }
    waiting.start()
    waitUntil { other.value(for: "count") == 6 }
    other.set(100, for: "count")
    try other.flush()
    waitUntil { waiting.isFinished }
    XCTAssertEqual(try stored("count"), "100")
  }

  func testIncrementsOfThreadsThatBlockTheConcurrencyRuntime() async throws {
    nonisolated(unsafe) let store = try open()
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 { group.addTask { for _ in 0..<5 { count.withLock { $0 += 1 } } } }
    }
    XCTAssertEqual(try stored("count"), "80")
  }

  func testAReaderSeesATransactionWhole() throws {
    let store = try open()
    let mover = try machine("move", "500")
    // Raw reads: the library forgets decoded values key by key.
    func value(_ key: String) -> Int { abs(store.integer(forKey: key)) }
    var seen = 0
    var last = 0
    while last < 500 {
      // Time goes on between two reads, so that the second may be the newer one.
      let (a, b) = (value("left"), value("right"))
      let (c, d) = (value("right"), value("left"))
      XCTAssertLessThanOrEqual(a, b)
      XCTAssertLessThanOrEqual(c, d)
      if d != last { seen += 1 }
      last = d
    }
    XCTAssertEqual(mover.end().status, 0)
    XCTAssertGreaterThan(seen, 10)
  }

  func testAnUndoneTransactionSendsNothing() throws {
    struct Failure: Error {}
    let (one, two) = (try open(), try open())
    one.set(1, for: "left")
    try one.flush()
    try? one.transaction {
      one.set(2, for: "left")
      one.set(2, for: "right")
      two.set(5, for: "left")
      try two.flush()
      throw Failure()
    }
    try one.flush()
    XCTAssertEqual(try stored("left"), "5")
    XCTAssertEqual(try stored("right"), "")
    waitUntil { one.value(for: "left") == 5 }
  }

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
    XCTAssertEqual(told.withLock { $0.sorted() }, ["gone", "other", "same"])
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

  /// Follows the settings from now on.
  private func follow(
    _ endpoints: [URL], _ told: @escaping @Sendable ([String]) -> Void
  ) throws -> RemoteConnection {
    let server = EtcdServer(EtcdOptions(endpoints: endpoints, prefix: prefix))
    let connection = RemoteConnection(server, patience: .seconds(5), localCopy: nil) { keys, _ in
      told(keys)
    }
    connection.start()
    try connection.wait(connection.opening(within: .seconds(10)))
    return connection
  }

  /// Makes etcd forget all but the present values.
  private func compact() throws {
    let status = try cluster.control("get", "none", "-w", "json")
    let json = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let header = try XCTUnwrap(json?["header"] as? [String: Any])
    try cluster.control("compact", "\(header["revision"]!)")
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

  // MARK: Without any member

  func testWithoutAnyMemberTheProgramGoesOn() throws {
    let recorder = recordIssues()
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    var options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
    options.patience = .milliseconds(500)
    let store = try EtcdDefaults.open(options, within: .seconds(10))
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.wrappedValue = 1
    try store.flush()
    cluster.kill(0)
    count.wrappedValue = 2
    XCTAssertThrowsError(try store.flush()) { error in
      XCTAssertEqual((error as? DefaultsIssue)?.kind, .saveFailed)
      XCTAssertEqual(
        "\(error)",
        """
        Changes cannot be sent to \(prefix)/ of etcd at \(cluster.endpoints[0]): Connection refused. \
        They are kept in memory, and sent as soon as that is possible. Check the members: etcdctl \
        endpoint health.
        """)
    }
    let start = ContinuousClock.now
    for _ in 0..<10_000 { XCTAssertEqual(count.wrappedValue, 2) }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(1))
    count.withLock { $0 += 1 }
    XCTAssertEqual(count.wrappedValue, 2)
    XCTAssertThrowsError(try store.exclusively { count.wrappedValue += 1 })
    XCTAssertEqual(count.wrappedValue, 2)
    try cluster.start(0)
    waitUntil { (try? store.flush()) != nil }
    XCTAssertEqual(try cluster.control("get", "--print-value-only", "\(prefix)/count"), "2\n")
    count.withLock { $0 += 1 }
    XCTAssertEqual(try cluster.control("get", "--print-value-only", "\(prefix)/count"), "3\n")
    // The outage, the change that was not made, and the end of the outage.
    waitUntil { recorder.all.count == 3 }
    let starts = [
      "Changes ", "The change of \"count\" under a condition is not",
      "The outage is over",
    ]
    for start in starts {
      XCTAssertEqual(recorder.all.count { "\($0)".hasPrefix(start) }, 1, "\(recorder.all)")
    }
  }

  func testOpeningThrowsInTimeIfNobodyAnswers() throws {
    let cluster = try Cluster(members: 1)
    cluster.end()
    let options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
    let start = ContinuousClock.now
    XCTAssertThrowsError(try EtcdDefaults.open(options, within: .milliseconds(500))) { error in
      XCTAssertEqual((error as? DefaultsIssue)?.kind, .saveFailed)
      XCTAssertTrue("\(error)".contains(cluster.endpoints[0].absoluteString), "\(error)")
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(2))
  }

  func testTheLastCopyServesUntilAMemberAnswers() throws {
    let recorder = recordIssues()
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    var options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
    options.localCopy = prefix
    let copy = UserDefaults.saved(suiteName: prefix)
    defer {
      copy.removePersistentDomain(forName: prefix)
      try? copy.flush()
      try? FileManager.default.removeItem(at: Self.preferences.appending(path: prefix + ".plist"))
    }
    do {
      let store = try EtcdDefaults.open(options, within: .seconds(10))
      store.set("dark", for: "theme")
      try store.flush()
    }
    cluster.kill(0)
    let store = try EtcdDefaults.open(options, within: .milliseconds(200))
    XCTAssertEqual(store.value(for: "theme"), "dark")
    waitUntil { !recorder.all.isEmpty }
    XCTAssertEqual(recorder.all.map(\.kind), [.saveFailed])
    try cluster.start(0)
    try cluster.waitUntilHealthy()
    try cluster.control("put", "\(prefix)/theme", "light")
    waitUntil { store.value(for: "theme") == "light" }
    waitUntil { copy.value(for: "theme") == "light" }
  }

  private static var preferences: URL {
    let environment = ProcessInfo.processInfo.environment
    return URL(filePath: environment["XDG_CONFIG_HOME"] ?? environment["HOME"]! + "/.config")
  }

  // MARK: What etcd refuses

  func testAChangeThatEtcdRefusesIsUndoneAndReported() throws {
    let recorder = recordIssues()
    let store = try open()
    store.set("small", for: "text")
    try store.flush()
    store.set(String(repeating: "x", count: 2_000_000), for: "text")
    store.set(1, for: "next")
    XCTAssertThrowsError(try store.flush()) { error in
      XCTAssertEqual((error as? DefaultsIssue)?.key, "text")
      XCTAssertTrue("\(error)".hasPrefix(#"The change of "text" has 2000070 bytes. "#), "\(error)")
      XCTAssertTrue(
        "\(error)".contains("at most 127 keys and 1500000 bytes. Nothing is"), "\(error)")
    }
    XCTAssertEqual(store.value(for: "text"), "small")
    XCTAssertEqual(try stored("next"), "1")
    waitUntil { recorder.all.count == 1 }
  }

  func testUserAndPassword() throws {
    let cluster = try Cluster(members: 1)
    defer { cluster.end() }
    try cluster.control("user", "add", "root:secret")
    try cluster.control("user", "grant-role", "root", "root")
    try cluster.control("role", "add", "reader")
    try cluster.control("role", "grant-permission", "reader", "read", "public/", "public0")
    try cluster.control("user", "add", "guest:guest")
    try cluster.control("user", "grant-role", "guest", "reader")
    try cluster.control("auth", "enable")
    func open(_ user: String?, _ password: String, _ prefix: String) throws -> RemoteDefaults {
      var options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
      options.credentials = user.map { ($0, password) }
      return try EtcdDefaults.open(options, within: .seconds(10))
    }
    func cause(_ user: String?, _ password: String, _ prefix: String) -> String {
      do {
        _ = try open(user, password, prefix)
        return ""
      } catch {
        return "\(error)"
      }
    }
    func notRead(_ prefix: String, _ cause: String, _ advice: String) -> String {
      "The settings of \(prefix)/ of etcd at \(cluster.endpoints[0]) cannot be read: \(cause). \(advice)"
    }
    XCTAssertEqual(
      cause(nil, "", "public"),
      notRead(
        "public", "etcdserver: user name is empty",
        "Give EtcdOptions the credentials of a user."))
    XCTAssertEqual(
      cause("guest", "wrong", "public"),
      notRead(
        "public", "etcdserver: authentication failed, invalid user ID or password",
        "Correct the credentials in EtcdOptions."))
    let ungranted = "Grant the user both ranges of the prefix: etcdctl role grant-permission."
    XCTAssertEqual(
      cause("guest", "guest", "private"),
      notRead("private", "etcdserver: permission denied", ungranted))
    let (root, guest) = (try open("root", "secret", "public"), try open("guest", "guest", "public"))
    root.set(1, for: "count")
    try root.flush()
    waitUntil { guest.value(for: "count") == 1 }
    let recorder = recordIssues()
    guest.set(2, for: "count")
    XCTAssertThrowsError(try guest.flush()) { error in
      XCTAssertEqual(
        "\(error)",
        """
        The change of "count" is undone: public/ of etcd at \(cluster.endpoints[0]) refuses it: \
        etcdserver: permission denied. \(ungranted)
        """)
    }
    XCTAssertEqual(guest.value(for: "count"), 1)
    waitUntil { recorder.all.count == 1 }
    // The member has forgotten its tokens.
    cluster.kill(0)
    try cluster.start(0)
    root.set(3, for: "count")
    try root.flush()
    waitUntil { guest.value(for: "count") == 3 }
  }

  func testCertificates() throws {
    let cluster = try Cluster(members: 1, isTLS: true)
    defer { cluster.end() }
    func open(trusting authority: String, showing name: String?) throws -> RemoteDefaults {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(cluster.path(authority))
      if let name {
        tls.certificateChain = try NIOSSLCertificate.fromPEMFile(cluster.path("\(name).pem"))
          .map { .certificate($0) }
        tls.privateKey = .privateKey(
          try NIOSSLPrivateKey(file: cluster.path("\(name).key"), format: .pem))
      }
      var options = EtcdOptions(endpoints: cluster.endpoints, prefix: prefix)
      options.tls = tls
      return try EtcdDefaults.open(options, within: .seconds(2))
    }
    let store = try open(trusting: "ca.pem", showing: "client")
    store.set(1, for: "count")
    try store.flush()
    XCTAssertThrowsError(try open(trusting: "client.pem", showing: "client")) { error in
      XCTAssertTrue("\(error)".contains("the authority of the certificate is unknown"), "\(error)")
      XCTAssertTrue("\(error)".hasSuffix(" Check the certificates in EtcdOptions."), "\(error)")
    }
    XCTAssertThrowsError(try open(trusting: "ca.pem", showing: nil)) { error in
      XCTAssertTrue("\(error)".uppercased().contains("CERTIFICATE"), "\(error)")
    }
  }
}
