internal import AsyncHTTPClient
public import Foundation
internal import NIOCore
internal import NIOPosix
public import NIOSSL
internal import RemoteDefaults
internal import Synchronization

/// The members of a cluster that answers HTTP requests with JSON, each of them in place of another.
public final class HTTPMembers: Sendable {
  /// The shortest wait for one member: during an election, a member may keep a request and never
  /// answer. The wait grows where answers are slow.
  private static let shortest = Int64(500)

  private let addresses: [URL]
  private let tls: TLSConfiguration
  private let advice: String
  private let http: HTTPClient
  /// Not the program's event loops, which may wait for this client.
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let state: Mutex<(member: Int, milliseconds: Int64)>

  /// - Parameter advice: A sentence that says what a person can do if no member answers.
  public init(_ addresses: [URL], tls: TLSConfiguration, advice: String) {
    (self.addresses, self.tls, self.advice) = (addresses, tls, advice)
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = tls
    if [.tlsv1, .tlsv11].contains(tls.minimumTLSVersion) {
      configuration.tlsConfiguration?.minimumTLSVersion = .tlsv12
    }
    configuration.httpVersion = .http1Only
    configuration.timeout = .init(connect: .seconds(1), read: .seconds(4))
    // The client asks another member instead.
    configuration.connectionPool.retryConnectionEstablishment = false
    http = HTTPClient(eventLoopGroup: group, configuration: configuration)
    // Random, so that the machines spread over the members.
    state = Mutex((Int.random(in: 0..<max(1, addresses.count)), Self.shortest))
  }

  public func close() async {
    try? await http.shutdown()
    try? await group.shutdownGracefully()
  }

  /// The addresses, without passwords.
  public var names: String {
    addresses.map { url in
      "\(url.scheme ?? "")://\(url.host() ?? "")\(url.port.map { ":\($0)" } ?? "")"
    }.joined(separator: ", ")
  }

  /// Asks the members in turn, and stays with the one that answers.
  ///
  /// - Parameters:
  ///   - isLong: Whether the answer may take longer, while bytes keep coming.
  ///   - read: Reads an answer. After ``ServerError/Kind/unavailable``, another member is asked.
  /// - Returns: The answer, and whether another member may still get the same request.
  public func call<Answer>(
    _ path: String, _ body: Data, headers: [(String, String)], isLong: Bool = false,
    _ read: (_ isRight: Bool, Data) throws -> Answer
  ) async throws -> (Answer, isRepeated: Bool) {
    var failure: ServerError?
    for index in addresses.indices {
      let (member, limit) = state.withLock { $0 }
      let start = NIODeadline.now()
      do {
        let request = try request(path, body, headers, member)
        let deadline = isLong ? NIODeadline.distantFuture : start + .milliseconds(limit)
        let response = try await http.execute(request: request, deadline: deadline).get()
        let data = Data((response.body ?? ByteBuffer()).readableBytesView)
        let answer = try read(response.status == .ok, data)
        let took = (NIODeadline.now() - start).nanoseconds / 1_000_000
        if !isLong { state.withLock { $0.milliseconds = min(max(Self.shortest, 4 * took), 5000) } }
        return (answer, index > 0)
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
    throw failure ?? unavailable("no member has answered in time")
  }

  private func request(
    _ path: String, _ body: Data, _ headers: [(String, String)], _ member: Int
  ) throws -> HTTPClient.Request {
    guard let host = addresses[member].host(), !host.isEmpty,
      ["http", "https"].contains(addresses[member].scheme)
    else {
      throw ServerError(
        .misconfigured, "\(names) is no list of addresses such as http://10.0.0.1:2379",
        advice: "Correct the addresses.")
    }
    return try HTTPClient.Request(
      url: addresses[member].appending(path: path), method: .POST, headers: .init(headers),
      body: .bytes(body))
  }

  /// Asks another member from now on.
  private func leave(_ member: Int) {
    state.withLock { if $0.member == member { $0.member = (member + 1) % addresses.count } }
  }

  // MARK: Streams of lines

  /// Begins an endless request every one and a half seconds, at the member that has answered last. The
  /// end of one ends them all, and so does one that does not answer.
  ///
  /// - Parameters:
  ///   - body: Returns the request.
  ///   - handle: Called with each line of the answers, on one thread.
  /// - Returns: A function that ends the requests.
  public func lines(
    _ path: String, headers: [(String, String)], body: @escaping @Sendable () -> Data,
    _ handle: @escaping @Sendable (Data) throws -> Void,
    end: @escaping @Sendable (any Error) -> Void
  ) -> @Sendable () -> Void {
    let loop = group.next()
    let member = state.withLock { $0.member }
    let streams = Mutex<[LineStream]>([])
    @Sendable func fail(_ error: any Error) {
      leave(member)
      end(explain(error))
    }
    let renewal = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1500)) { _ in
      guard streams.withLock({ $0.last?.isAlive ?? true }) else {
        return fail(self.unavailable("a member does not answer"))
      }
      do {
        let stream = LineStream(handle, fail)
        stream.task = self.http.execute(
          request: try self.request(path, body(), headers, member), delegate: stream,
          eventLoop: .delegateAndChannel(on: loop))
        // The one before the last ends: the last one may still be catching up.
        streams.withLock { streams in
          streams.append(stream)
          if streams.count > 2 { streams.removeFirst().cancel() }
        }
      } catch {
        fail(error)
      }
    }
    return {
      renewal.cancel()
      loop.execute { for stream in streams.withLock({ $0 }) { stream.cancel() } }
    }
  }

  // MARK: Failures

  private static let badCertificate = "CERTIFICATE_VERIFY_FAILED"

  private func unavailable(_ cause: String) -> ServerError {
    ServerError(.unavailable, cause, advice: advice)
  }

  private func explain(_ error: any Error) -> ServerError {
    switch error {
    case let error as ServerError: return error
    case let error as NIOConnectionError where !error.connectionErrors.isEmpty:
      return explain(error.connectionErrors[0].error)
    case let error as IOError: return unavailable(String(cString: strerror(error.errnoCode)))
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      // Without the paths of the machine that has built the package.
      let name = "\(error)".firstMatch(of: /OPENSSL_internal:(\w+)/)?.1 ?? "\(error)"
      let isOther = name.hasPrefix("NIOSSLExtraError.failedToValidateHostname")
      return ServerError(
        .misconfigured,
        "TLS failed, \(isOther ? "the certificate is for another host" : name)",
        advice: "Check the certificates.")
    default: return unavailable("\(error)")
    }
  }

  /// Looks at the certificates that a member shows: the error does not tell why they are refused.
  private func certificateFault(_ member: Int) async -> String {
    let loop = group.next()
    let shown = loop.makePromise(of: [NIOSSLCertificate].self)
    _ = ClientBootstrap(group: loop).channelInitializer { [tls] channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(
          NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil) {
            shown.succeed($0)
            $1.succeed(NIOSSLVerificationResult.failed)
          })
      }
    }.connect(host: addresses[member].host() ?? "", port: addresses[member].port ?? 443)
    loop.scheduleTask(in: .seconds(1)) { shown.succeed([]) }
    let certificates = (try? await shown.futureResult.get()) ?? []
    return certificates.contains { $0.notValidAfter < time(nil) }
      ? "the certificate has expired" : "the authority of the certificate is unknown"
  }
}
