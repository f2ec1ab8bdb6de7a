internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import RemoteDefaults
internal import Synchronization

/// etcd's v3 JSON gateway, at whichever member answers.
final class EtcdClient: Sendable {
  /// The shortest wait for one member: during an election, a member may keep a request and never
  /// answer. The wait grows where answers are slow.
  private static let shortest = Int64(500)

  private let http: HTTPClient
  private let options: EtcdOptions
  /// Not the program's event loops, which may wait for this client.
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let state: Mutex<(member: Int, token: String?, milliseconds: Int64)>

  init(_ options: EtcdOptions) {
    self.options = options
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = options.tls
    if [.tlsv1, .tlsv11].contains(options.tls.minimumTLSVersion) {
      configuration.tlsConfiguration?.minimumTLSVersion = .tlsv12
    }
    configuration.httpVersion = .http1Only
    configuration.timeout = .init(connect: .seconds(1), read: .seconds(4))
    // The client asks another member instead.
    configuration.connectionPool.retryConnectionEstablishment = false
    http = HTTPClient(eventLoopGroup: group, configuration: configuration)
    // Random, so that the machines spread over the members.
    state = Mutex((Int.random(in: 0..<max(1, options.endpoints.count)), nil, Self.shortest))
  }

  func close() async {
    try? await http.shutdown()
    try? await group.shutdownGracefully()
  }

  /// Asks the members in turn, and stays with the one that answers.
  ///
  /// - Parameter isLong: Whether the answer may take longer, while bytes keep coming.
  /// - Returns: The answer, and whether another member may still get the same request.
  func call<Answer: Decodable>(
    _ path: String, _ body: [String: Any], isLong: Bool = false
  ) async throws -> (Answer, isRepeated: Bool) {
    let body = try JSONSerialization.data(withJSONObject: body)
    var failure: ServerError?
    for index in options.endpoints.indices {
      let (member, limit) = state.withLock { ($0.member, $0.milliseconds) }
      do {
        let start = NIODeadline.now()
        let data = try await send(path, body, member, isLong ? nil : .milliseconds(limit))
        let took = (NIODeadline.now() - start).nanoseconds / 1_000_000
        if !isLong { state.withLock { $0.milliseconds = max(Self.shortest, 4 * took) } }
        return (try decode(data), index > 0)
      } catch let error as ServerError where error.kind != .unavailable {
        throw error
      } catch {
        // A request that is cut short tells less.
        if error as? HTTPClientError != .deadlineExceeded { failure = explain(error) }
        if failure?.cause.hasSuffix(Self.badCertificate) ?? false {
          failure?.cause = "TLS failed, \(await certificateFault(member))"
        }
        leave(member)
      }
    }
    state.withLock { $0.milliseconds = min($0.milliseconds * 2, 5000) }
    throw failure ?? Self.error(14, "no member has answered in time")
  }

  private func send(
    _ path: String, _ body: Data, _ member: Int, _ limit: TimeAmount?
  ) async throws -> Data {
    let deadline = limit.map { .now() + $0 } ?? NIODeadline.distantFuture
    if options.credentials != nil, state.withLock({ $0.token }) == nil {
      try await authenticate(member, deadline)
    }
    do {
      return try await post(path, body, member, deadline)
    } catch let error as ServerError where error.kind == .denied && options.credentials != nil {
      // A member forgets all tokens when it restarts, and when users change.
      try await authenticate(member, deadline)
      return try await post(path, body, member, deadline)
    }
  }

  private func authenticate(_ member: Int, _ deadline: NIODeadline) async throws {
    struct Answer: Decodable { let token: String }
    let (user, password) = options.credentials!
    state.withLock { $0.token = nil }
    let body = try JSONSerialization.data(withJSONObject: ["name": user, "password": password])
    let answer: Answer = try decode(try await post("auth/authenticate", body, member, deadline))
    state.withLock { $0.token = answer.token }
  }

  private func post(
    _ path: String, _ body: Data, _ member: Int, _ deadline: NIODeadline
  ) async throws -> Data {
    let response = try await http.execute(request: request(path, body, member), deadline: deadline)
      .get()
    let data = Data((response.body ?? ByteBuffer()).readableBytesView)
    guard response.status == .ok else {
      throw (try? decode(data) as EtcdFailure)?.reason ?? Self.error(14, "\(response.status)")
    }
    return data
  }

  private func request(_ path: String, _ body: Data, _ member: Int) throws -> HTTPClient.Request {
    let url = options.endpoints[member].appending(path: "v3").appending(path: path)
    // A member that is cut off from the others ends its watches.
    var request = try HTTPClient.Request(
      url: url, method: .POST, headers: ["Grpc-Metadata-hasleader": "true"])
    request.body = .bytes(body)
    if let token = state.withLock({ $0.token }) {
      request.headers.add(name: "Authorization", value: token)
    }
    return request
  }

  /// Asks another member from now on.
  private func leave(_ member: Int) {
    state.withLock { if $0.member == member { $0.member = (member + 1) % options.endpoints.count } }
  }

  // MARK: Watching

  /// Begins a watch, at the member that has answered last, every one and a half seconds. The end of
  /// one ends them all, and so does one that does not answer.
  ///
  /// - Parameter body: Returns the request.
  func watch(
    _ body: @escaping @Sendable () -> Data, _ handle: @escaping @Sendable (Data) throws -> Void,
    end: @escaping @Sendable (any Error) -> Void
  ) -> @Sendable () -> Void {
    let loop = group.next()
    let member = state.withLock { $0.member }
    let watches = Mutex<[EtcdWatch]>([])
    @Sendable func fail(_ error: any Error) {
      leave(member)
      end(explain(error))
    }
    let renewal = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1500)) { _ in
      guard watches.withLock({ $0.last?.isAlive ?? true }) else {
        return fail(Self.error(14, "a member does not answer"))
      }
      do {
        let watch = EtcdWatch(handle, fail)
        watch.task = self.http.execute(
          request: try self.request("watch", body(), member), delegate: watch,
          eventLoop: .delegateAndChannel(on: loop))
        // The one before the last ends: the last one may still be catching up.
        watches.withLock { watches in
          watches.append(watch)
          if watches.count > 2 { watches.removeFirst().cancel() }
        }
      } catch {
        fail(error)
      }
    }
    return {
      renewal.cancel()
      loop.execute { for watch in watches.withLock({ $0 }) { watch.cancel() } }
    }
  }

  // MARK: Failures

  /// An error with etcd's code, which is gRPC's.
  static func error(_ code: Int, _ message: String) -> ServerError {
    let kind: ServerError.Kind =
      switch code {
      case 11: .compacted
      case 9, 16: .denied
      case 3
      where ["user name is empty", "auth store is old", "invalid user"].contains(
        where: message.contains):
        .denied
      case 3, 7: .refused
      case 8 where message.contains("larger than max"): .refused
      default: .unavailable
      }
    let advice: KeyValuePairs = [
      "permission denied":
        "Grant the user both ranges of the prefix: etcdctl role grant-permission.",
      "user name is empty": "Give EtcdOptions the credentials of a user.",
      "invalid user ID or password": "Correct the credentials in EtcdOptions.",
      "too large": "Store a smaller value, or raise etcd's --max-request-bytes.",
      "larger than max": "Store a smaller value, or raise etcd's --max-request-bytes.",
      "too many operations": "Raise etcd's --max-txn-ops to 128.",
      "database space exceeded": "Compact and defragment etcd, then run etcdctl alarm disarm.",
    ]
    return ServerError(
      kind, message,
      advice: advice.first { message.contains($0.key) }?.value
        ?? "Check the members: etcdctl endpoint health.")
  }

  private static let badCertificate = "CERTIFICATE_VERIFY_FAILED"

  private func explain(_ error: any Error) -> ServerError {
    switch error {
    case let error as ServerError: return error
    case let error as NIOConnectionError:
      return explain(
        error.connectionErrors.first?.error ?? IOError(errnoCode: EHOSTUNREACH, reason: ""))
    case let error as IOError: return Self.error(14, String(cString: strerror(error.errnoCode)))
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      // Without the paths of the machine that has built the package.
      let name = "\(error)".firstMatch(of: /OPENSSL_internal:(\w+)/)?.1 ?? "\(error)"
      let isOther = name.hasPrefix("NIOSSLExtraError.failedToValidateHostname")
      return ServerError(
        .misconfigured,
        "TLS failed, \(isOther ? "the certificate is for another host" : name)",
        advice: "Check the certificates in EtcdOptions.")
    default: return Self.error(14, "\(error)")
    }
  }

  /// Looks at the certificates that a member shows: the error does not tell why they are refused.
  private func certificateFault(_ member: Int) async -> String {
    let loop = group.next()
    let shown = loop.makePromise(of: [NIOSSLCertificate].self)
    let url = options.endpoints[member]
    _ = ClientBootstrap(group: loop).channelInitializer { [tls = options.tls] channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil) {
            shown.succeed($0)
            $1.succeed(NIOSSLVerificationResult.failed)
          })
      }
    }.connect(host: url.host()!, port: url.port ?? 443)
    loop.scheduleTask(in: .seconds(1)) { shown.succeed([]) }
    let certificates = (try? await shown.futureResult.get()) ?? []
    return certificates.contains { $0.notValidAfter < time(nil) }
      ? "the certificate has expired" : "the authority of the certificate is unknown"
  }
}
