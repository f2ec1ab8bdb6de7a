import Foundation
import XCTest

/// Members of etcd on ports of their own, with a folder of their own. All end with it.
final class Cluster: @unchecked Sendable {  // Only ever used by one test at a time.
  private struct Member {
    let name: String
    let client: URL
    let peer: URL
    /// Stands before the member's address for its peers.
    var proxy: Proxy?
    var process: Process?

    var advertised: URL { proxy?.endpoint ?? peer }
  }

  private var members: [Member]
  private let folder: URL
  private let isTLS: Bool
  private var knownIdentifiers: [String: String] = [:]

  /// - Parameters:
  ///   - isTLS: Whether clients must connect by TLS, with a certificate signed for the cluster.
  ///   - isDivisible: Whether the members can be cut off from each other.
  init(members count: Int = 3, isTLS: Bool = false, isDivisible: Bool = false) throws {
    self.isTLS = isTLS
    folder = FileManager.default.temporaryDirectory.appending(path: "EtcdDefaultsTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let ports = Self.freePorts(2 * count)
    members = (0..<count).map { index in
      Member(
        name: "m\(index)",
        client: URL(string: "\(isTLS ? "https" : "http")://127.0.0.1:\(ports[2 * index])")!,
        peer: URL(string: "http://127.0.0.1:\(ports[2 * index + 1])")!)
    }
    if isDivisible {
      for index in members.indices { members[index].proxy = try Proxy(to: members[index].peer) }
    }
    if isTLS { try makeCertificates() }
    for index in members.indices { try start(index) }
    try waitUntilHealthy()
  }

  deinit { end() }

  /// Kills all members, and removes their folder.
  func end() {
    for index in members.indices {
      kill(index)
      members[index].proxy?.close()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  var endpoints: [URL] { members.map(\.client) }

  var count: Int { members.count }

  func start(_ index: Int) throws {
    let member = members[index]
    let process = Process()
    process.executableURL = try Self.program("etcd")
    process.arguments = [
      "--name", member.name, "--data-dir", folder.appending(path: member.name).path,
      "--listen-client-urls", member.client.absoluteString,
      "--advertise-client-urls", member.client.absoluteString,
      "--listen-peer-urls", member.peer.absoluteString,
      "--initial-advertise-peer-urls", member.advertised.absoluteString,
      "--initial-cluster",
      members.map { "\($0.name)=\($0.advertised.absoluteString)" }.joined(separator: ","),
    ]
    if isTLS {
      process.arguments! += [
        "--cert-file", path("server.pem"), "--key-file", path("server.key"),
        "--trusted-ca-file", path("ca.pem"), "--client-cert-auth",
      ]
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    members[index].process = process
  }

  /// Replaces the only member by one with the contents of a snapshot.
  func restore(_ snapshot: String) throws {
    kill(0)
    let member = members[0]
    try FileManager.default.removeItem(at: folder.appending(path: member.name))
    try control(
      "snapshot", "restore", snapshot, "--name", member.name, "--data-dir", path(member.name),
      "--initial-cluster", "\(member.name)=\(member.advertised.absoluteString)",
      "--initial-advertise-peer-urls", member.advertised.absoluteString)
    try start(0)
    try waitUntilHealthy()
  }

  func kill(_ index: Int) {
    guard let process = members[index].process else { return }
    members[index].process = nil
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Stops a member, which keeps its connections; or lets it go on.
  func pause(_ index: Int, _ isPaused: Bool = true) {
    guard let process = members[index].process else { return }
    Foundation.kill(process.processIdentifier, isPaused ? SIGSTOP : SIGCONT)
  }

  /// Cuts a member off from the others, or connects it again.
  func isolate(_ index: Int, _ isIsolated: Bool = true) throws {
    let identifier = try identifiers()[members[index].name]
    for (other, member) in members.enumerated() {
      if other == index {
        isIsolated ? member.proxy?.pause() : member.proxy?.resume()
      } else if let identifier {
        isIsolated ? member.proxy?.pause(from: identifier) : member.proxy?.resume(from: identifier)
      }
    }
  }

  /// The identifiers of the members by their names.
  private func identifiers() throws -> [String: String] {
    if !knownIdentifiers.isEmpty { return knownIdentifiers }
    for line in try control("member", "list").split(separator: "\n") {
      let words = line.split(separator: ", ").map(String.init)
      knownIdentifiers[words[2]] = words[0]
    }
    return knownIdentifiers
  }

  func path(_ file: String) -> String { folder.appending(path: file).path }

  /// The member that leads the others.
  var leader: Int? {
    members.indices.first { index in
      guard members[index].process != nil,
        let status = try? control("endpoint", "status", "-w", "json", at: index),
        let json = try? JSONSerialization.jsonObject(with: Data(status.utf8)),
        let entry = (json as? [[String: Any]])?.first?["Status"] as? [String: Any],
        let header = entry["header"] as? [String: Any]
      else { return false }
      return "\(entry["leader"] ?? "")" == "\(header["member_id"] ?? 0)"
    }
  }

  /// Runs `etcdctl`.
  @discardableResult
  func control(_ arguments: String..., at index: Int? = nil) throws -> String {
    let process = Process()
    let output = Pipe()
    let urls = index.map { [endpoints[$0]] } ?? endpoints
    process.executableURL = try Self.program("etcdctl")
    process.environment = ["ETCDCTL_API": "3"]
    process.arguments =
      ["--endpoints", urls.map(\.absoluteString).joined(separator: ",")]
      + (isTLS
        ? ["--cacert", path("ca.pem"), "--cert", path("client.pem"), "--key", path("client.key")]
        : []) + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "etcdctl \(arguments) has failed")
    }
    return String(decoding: data, as: UTF8.self)
  }

  func waitUntilHealthy() throws {
    let deadline = Date() + 120
    while Date() < deadline {
      if (try? control("endpoint", "health")) != nil { return }
      usleep(50_000)
    }
    throw Failure(description: "the members do not answer")
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: What the members need

  static func program(_ name: String) throws -> URL {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
    }
    throw XCTSkip("\(name) is needed: apt-get install etcd-server etcd-client")
  }

  /// Ports of the loopback address that nobody listens at.
  private static func freePorts(_ count: Int) -> [UInt16] {
    let sockets = (0..<count).map { _ in
      #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        socket(AF_INET, SOCK_STREAM, 0)
      #endif
    }
    defer { for socket in sockets { close(socket) } }
    return sockets.map { socket in
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(socket, $0, length)
          _ = getsockname(socket, $0, &length)
        }
      }
      return UInt16(bigEndian: address.sin_port)
    }
  }

  /// An authority, and certificates of it for the members and for a client.
  private func makeCertificates() throws {
    try openSSL(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority",
      "-keyout", path("ca.key"), "-out", path("ca.pem"))
    for name in ["server", "client"] { try makeCertificate(name) }
  }

  /// Makes a certificate, which has expired if the days are negative.
  func makeCertificate(_ name: String, days: Int = 2, for host: String = "IP:127.0.0.1") throws {
    let extensions = "subjectAltName=\(host)\nextendedKeyUsage=serverAuth,clientAuth\n"
    try Data(extensions.utf8).write(to: folder.appending(path: "extensions"))
    try openSSL(
      "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)",
      "-keyout", path("\(name).key"), "-out", path("\(name).csr"))
    try openSSL(
      "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
      "-CAcreateserial", "-days", "\(days)", "-extfile", path("extensions"),
      "-out", path("\(name).pem"))
  }

  private func openSSL(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = try Self.program("openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "openssl \(arguments) has failed")
    }
  }
}
