internal import Foundation
internal import RemoteDefaults
internal import RemoteHTTP
internal import Synchronization

/// etcd's v3 JSON gateway: https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/
final class EtcdClient: Sendable {
  static let advice = "Check the members: etcdctl endpoint health."

  let members: HTTPMembers
  private let credentials: (user: String, password: String)?
  private let token = Mutex<String?>(nil)

  init(_ options: EtcdOptions) {
    members = HTTPMembers(options.endpoints, tls: options.tls, advice: Self.advice)
    credentials = options.credentials
  }

  var headers: [(String, String)] {
    // A member that is cut off from the others ends its watches.
    let leader = [("Grpc-Metadata-hasleader", "true")]
    return token.withLock { $0.map { [("Authorization", $0)] } ?? [] } + leader
  }

  /// - Returns: The answer, and whether another member may still get the same request.
  func call(
    _ path: String, _ request: [String: Any], isLong: Bool = false
  ) async throws -> (EtcdJSON, isRepeated: Bool) {
    do {
      if token.withLock({ $0 == nil }) { try await authenticate() }
      return try await ask(path, request, isLong)
    } catch let error as ServerError where error.kind == .denied && credentials != nil {
      // A member forgets all tokens when it restarts, and when users change.
      try await authenticate()
      return try await ask(path, request, isLong)
    }
  }

  private func ask(
    _ path: String, _ request: [String: Any], _ isLong: Bool = false
  ) async throws -> (EtcdJSON, isRepeated: Bool) {
    let body = try JSONSerialization.data(withJSONObject: request)
    return try await members.call("v3/" + path, body, headers: headers, isLong: isLong) {
      try EtcdJSON($1, isRight: $0)
    }
  }

  private func authenticate() async throws {
    guard let (user, password) = credentials else { return }
    token.withLock { $0 = nil }
    let answer = try await ask("auth/authenticate", ["name": user, "password": password]).0
    token.withLock { $0 = answer["token"].text }
  }
}
