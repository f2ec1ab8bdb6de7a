import NIOSSL
import RemoteDefaults
import TypedDefaults
import XCTest

@testable import EtcdDefaults

/// What etcd refuses, and what the store does without it.
final class EtcdRefusalTests: EtcdTestCase {
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
    options.patience = .milliseconds(500)
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
    try cluster.control("role", "add", "app")
    try cluster.control("role", "grant-permission", "app", "readwrite", "--prefix", "public/")
    try cluster.control(
      "role", "grant-permission", "app", "readwrite", "--prefix", "public.fences/")
    try cluster.control("user", "add", "writer:pen")
    try cluster.control("user", "grant-role", "writer", "app")
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
    let writer = try open("writer", "pen", "public")
    writer.set(4, for: "count")
    try writer.flush()
    WrappedDefault(wrappedValue: 0, "count", userDefaults: writer).withLock { $0 += 1 }
    waitUntil { guest.value(for: "count") == 5 }
    // The member has forgotten its tokens.
    cluster.kill(0)
    try cluster.start(0)
    root.set(3, for: "count")
    try root.flush()
    waitUntil { guest.value(for: "count") == 3 }
  }

  // MARK: What cannot heal

  func testCertificates() throws {
    let cluster = try Cluster(members: 1, isTLS: true)
    defer { cluster.end() }
    func open(
      trusting authority: String, showing name: String?
    ) throws -> RemoteDefaults {
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
      return try EtcdDefaults.open(options, within: .seconds(10))
    }
    func check(_ words: String, _ open: @autoclosure () throws -> RemoteDefaults) {
      let start = ContinuousClock.now
      XCTAssertThrowsError(try open()) { error in
        XCTAssertTrue("\(error)".contains("TLS failed, \(words)"), "\(error)")
        XCTAssertTrue("\(error)".hasSuffix(" Check the certificates."), "\(error)")
        XCTAssertFalse("\(error)".contains(".swift"), "\(error)")
        XCTAssertFalse("\(error)".contains(".cc"), "\(error)")
      }
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(5))
    }
    let store = try open(trusting: "ca.pem", showing: "client")
    store.set(1, for: "count")
    try store.flush()
    check(
      "the authority of the certificate is unknown",
      try open(trusting: "client.pem", showing: "client"))
    check("SSLV3_ALERT_BAD_CERTIFICATE", try open(trusting: "ca.pem", showing: nil))
    // A member gives its certificate anew to each connection.
    try cluster.makeCertificate("server", for: "DNS:elsewhere")
    check("the certificate is for another host", try open(trusting: "ca.pem", showing: "client"))
    try cluster.makeCertificate("server", days: -1)
    check("the certificate has expired", try open(trusting: "ca.pem", showing: "client"))
  }

  func testAWrongAddressFailsAtOnceAndNoMessageHasAPassword() throws {
    let start = ContinuousClock.now
    for address in ["ftp://me:secret@10.0.0.1:2379", "http:///path", "localhost:2379"] {
      var options = EtcdOptions(endpoints: [URL(string: address)!], prefix: prefix)
      options.credentials = ("me", "secret")
      XCTAssertThrowsError(try EtcdDefaults.open(options, within: .seconds(10))) { error in
        XCTAssertTrue("\(error)".contains("no list of addresses such as"), "\(error)")
        XCTAssertFalse("\(error)".contains("secret"), "\(error)")
      }
    }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(2))
  }

  func testWithLockAndFlushWaitNoLongerThanTheySay() throws {
    let recorder = recordIssues()
    let proxies = try cluster.endpoints.map { try Proxy(to: $0) }
    defer { for proxy in proxies { proxy.close() } }
    var options = EtcdOptions(endpoints: proxies.map(\.endpoint), prefix: prefix)
    options.patience = .seconds(1)
    let store = try EtcdDefaults.open(options, within: .seconds(10))
    let count = WrappedDefault(wrappedValue: 0, "count", userDefaults: store)
    count.withLock { $0 += 1 }
    for proxy in proxies { proxy.pause() }
    let start = ContinuousClock.now
    count.withLock { $0 += 1 }
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(2))
    XCTAssertEqual(recorder.all.count { $0.key == "count" }, 1)
    store.set(1, for: "other")
    XCTAssertThrowsError(try store.flush())
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(4))
    for proxy in proxies { proxy.resume() }
    waitUntil { (try? store.flush()) != nil }
    let now = Int(try stored("count"))!
    XCTAssertEqual(count.wrappedValue, now)
    count.withLock { $0 += 1 }
    XCTAssertEqual(try stored("count"), "\(now + 1)")
  }
}
