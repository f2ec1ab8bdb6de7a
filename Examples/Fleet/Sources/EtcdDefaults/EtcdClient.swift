internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// The reason why a request to etcd failed.
enum EtcdError: Error, CustomStringConvertible {
  /// No member answers, or none that the others agree with.
  case unavailable(String)
  /// Each member refuses this one request.
  case refused(String)
  /// Each member refuses all requests of this user.
  case denied(String)
  /// The revision is older than the history that etcd has kept.
  case compacted

  var description: String {
    switch self {
    case .unavailable(let cause), .refused(let cause), .denied(let cause): cause
    case .compacted: "the revision is compacted"
    }
  }
}

/// etcd's v3 JSON gateway, at whichever member answers.
///
/// Its methods block the calling thread, which never belongs to the concurrency runtime: a program may block all
/// threads of the runtime in calls of `withLock`.
final class EtcdClient: Sendable {
  private struct State {
    var endpoint: Int
    var token: String?
    var timeLimit = shortest
  }

  /// The shortest wait for one member: during an election, a member may keep a request and never answer. The wait
  /// grows where answers are slow.
  private static let shortest: TimeInterval = 0.5

  /// The cause where nothing more is known.
  static let silence = "no member has answered in time"

  private let http: HTTPClient
  private let options: EtcdOptions
  private let state: Mutex<State>

  init(_ options: EtcdOptions) {
    self.options = options
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = options.tls
    configuration.httpVersion = .http1Only
    configuration.timeout.connect = .seconds(1)
    // The client asks another member instead.
    configuration.connectionPool.retryConnectionEstablishment = false
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    // Random, so that the machines spread over the members.
    state = Mutex(State(endpoint: Int.random(in: 0..<max(1, options.endpoints.count))))
  }

  func close() {
    http.shutdown { _ in }
  }

  // MARK: Requests

  func range(prefix: String, until deadline: Date? = nil) throws -> EtcdRange {
    try call("kv/range", EtcdRequest.range(prefix: prefix), until: deadline)
  }

  /// Puts or deletes keys. With a condition, the client asks only one member, once: after a lost answer, a second
  /// one does not tell whose change broke the condition.
  func transaction(
    _ values: [String: Data?], condition: (key: String, revision: Int64)? = nil
  ) throws -> EtcdTransaction {
    try call(
      "kv/txn", EtcdRequest.transaction(values, condition: condition),
      tries: condition == nil ? .max : 1)
  }

  /// The number of keys. The answer also proves that the member is in touch with the others.
  func count(prefix: String) throws -> Int {
    let range: EtcdRange = try call("kv/range", EtcdRequest.range(prefix: prefix, limit: 1))
    return Int(range.count ?? "0") ?? 0
  }

  /// Watches from a revision on.
  func watch(prefix: String, from revision: Int64) throws -> EtcdWatch {
    try watch(EtcdRequest.watch(prefix: prefix, from: revision))
  }

  /// Waits for the first change of a key after a revision.
  func firstChange(of key: String, after revision: Int64) throws -> EtcdWatchLine.Event {
    let watch = try watch(EtcdRequest.watch(key: key, from: revision + 1))
    defer { watch.cancel() }
    let deadline = Date() + state.withLock(\.timeLimit)
    while let result = try watch.next(until: deadline) {
      if let event = result.events?.first { return event }
    }
    throw EtcdError.unavailable("a member does not tell of a change that etcd has made")
  }

  /// Watches at the member that has answered last.
  private func watch(_ body: [String: Any]) throws -> EtcdWatch {
    let endpoint = endpoints[0]
    let request = try request("watch", body, at: endpoint.url)
    let watch = EtcdWatch(renew: { [weak self] in self?.leave(endpoint.index) })
    watch.start(http.execute(request: request, delegate: watch))
    return watch
  }

  /// Asks the members in turn, and stays with the one that answers.
  private func call<Answer: Decodable>(
    _ path: String, _ body: [String: Any], tries: Int = .max, until deadline: Date? = nil
  ) throws -> Answer {
    var cause = Self.silence
    for endpoint in endpoints.prefix(tries) {
      let timeLimit = min(
        state.withLock(\.timeLimit), options.patience.seconds,
        deadline?.timeIntervalSinceNow ?? .infinity)
      guard timeLimit > 0 else { break }
      do {
        let start = Date()
        let data = try send(path, body, to: endpoint.url, timeLimit)
        let answer = try decodeAnswer(data) as Answer
        state.withLock { $0.timeLimit = max(Self.shortest, -4 * start.timeIntervalSinceNow) }
        return answer
      } catch let error as EtcdError {
        guard case .unavailable = error else { throw error }
        cause = "\(error)"
      } catch let error as HTTPClientError where error == .deadlineExceeded {
        // Another member, or an earlier try, may tell more.
      } catch {
        cause = Self.describe(error)
      }
      leave(endpoint.index)
    }
    state.withLock { $0.timeLimit = min($0.timeLimit * 2, options.patience.seconds) }
    throw EtcdError.unavailable(cause)
  }

  /// The members, the one to ask first at the front.
  private var endpoints: [(index: Int, url: URL)] {
    let first = state.withLock { $0.endpoint }
    let all = Array(options.endpoints.enumerated()).map { (index: $0.offset, url: $0.element) }
    return Array(all[first...] + all[..<first])
  }

  private func leave(_ endpoint: Int) {
    state.withLock { state in
      guard state.endpoint == endpoint else { return }
      state.endpoint = (endpoint + 1) % options.endpoints.count
    }
  }

  private func send(
    _ path: String, _ body: [String: Any], to endpoint: URL, _ timeLimit: TimeInterval
  ) throws -> Data {
    var isSecond = false
    while true {
      do {
        return try post(path, body, to: endpoint, timeLimit)
      } catch let failure as Failure {
        guard failure.isOldToken, options.credentials != nil, !isSecond else {
          throw failure.error
        }
        state.withLock { $0.token = nil }
        isSecond = true
      }
    }
  }

  private func post(
    _ path: String, _ body: [String: Any], to endpoint: URL, _ timeLimit: TimeInterval
  ) throws -> Data {
    let request = try request(path, body, at: endpoint)
    let deadline = NIODeadline.now() + .nanoseconds(Int64(timeLimit * 1e9))
    let response = try http.execute(request: request, deadline: deadline).wait()
    let data = Data((response.body ?? ByteBuffer()).readableBytesView)
    guard response.status == .ok else { throw Failure(data, status: response.status.code) }
    return data
  }

  private func request(_ path: String, _ body: [String: Any], at endpoint: URL) throws
    -> HTTPClient.Request
  {
    var request = try HTTPClient.Request(
      url: endpoint.appending(path: "v3").appending(path: path), method: .POST)
    request.body = .bytes(try JSONSerialization.data(withJSONObject: body))
    if let credentials = options.credentials, path != "auth/authenticate" {
      request.headers.add(
        name: "Authorization", value: try token(credentials.user, credentials.password, endpoint))
    }
    return request
  }

  private func token(_ user: String, _ password: String, _ endpoint: URL) throws -> String {
    struct Answer: Decodable { let token: String }
    if let token = state.withLock({ $0.token }) { return token }
    do {
      let data = try post(
        "auth/authenticate", ["name": user, "password": password], to: endpoint,
        options.patience.seconds)
      let token = (try decodeAnswer(data) as Answer).token
      state.withLock { $0.token = token }
      return token
    } catch let failure as Failure {
      if case .unavailable = failure.error { throw failure.error }
      throw EtcdError.denied(failure.message)
    }
  }

  // MARK: Failures

  /// An answer that reports an error.
  struct Failure: Error {
    let code: Int
    let message: String

    init(_ failure: EtcdFailure) {
      code = failure.code ?? failure.grpcCode ?? 14
      message = failure.message ?? failure.error ?? "unknown error"
    }

    init(_ data: Data, status: UInt) {
      if let failure: EtcdFailure = try? decodeAnswer(data) {
        self.init(failure)
      } else {
        self.init(EtcdFailure(message: "HTTP status \(status)"))
      }
    }

    /// A member forgets all tokens when it restarts, and when users change.
    var isOldToken: Bool { code == 16 || message.contains("revision of auth store is old") }

    var error: EtcdError {
      switch code {  // of gRPC
      case 11: .compacted
      case 9, 16: .denied(message)
      case 3 where message.contains("user name is empty"): .denied(message)
      case 3, 7: .refused(message)
      case 8 where message.contains("larger than max"): .refused(message)
      default: .unavailable(message)
      }
    }
  }

  static func describe(_ error: any Error) -> String {
    switch error {
    case let error as NIOSSLError: "TLS failed, \(error)"
    case let error as BoringSSLError: "TLS failed, \(error)"
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { describe($0.error) } ?? "\(error)"
    case let error as IOError: String(cString: strerror(error.errnoCode))
    default: "\(error)"
    }
  }
}

extension Duration {
  var seconds: TimeInterval { self / .seconds(1) }
}
