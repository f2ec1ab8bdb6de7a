import Synchronization
import TypedDefaults
import XCTest

@testable import EtcdDefaults
@testable import RemoteDefaults

/// Settings on a cluster of three members. A second instance stands for a second machine.
class EtcdTestCase: XCTestCase {
  private static let cluster = Mutex<Result<Cluster, any Error>?>(nil)

  /// One for all tests, which have prefixes of their own.
  var cluster: Cluster {
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

  let prefix = "test-\(UUID())"

  func makeOptions() throws -> EtcdOptions {
    EtcdOptions(endpoints: try cluster.endpoints, prefix: prefix)
  }

  func open() throws -> RemoteDefaults {
    try EtcdDefaults.open(try makeOptions(), within: .seconds(10))
  }

  func stored(_ key: String) throws -> String {
    let text = try cluster.control("get", "--print-value-only", "\(prefix)/\(key)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func machine(_ arguments: String..., environment: [String: String] = [:]) throws -> Machine {
    let urls = try cluster.endpoints.map(\.absoluteString).joined(separator: ",")
    return try Machine([urls, prefix] + arguments, environment: environment)
  }

  /// Follows the settings from now on.
  func follow(
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
  func compact() throws {
    let status = try cluster.control("get", "none", "-w", "json")
    let json = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let header = try XCTUnwrap(json?["header"] as? [String: Any])
    try cluster.control("compact", "\(header["revision"]!)")
  }
}
