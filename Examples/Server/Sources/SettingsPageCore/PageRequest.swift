public import Foundation
public import HTTPTypes

/// The parts of a request that the page needs, whatever the framework.
public struct PageRequest: Sendable {
  /// The method, path, authority and fields.
  public let head: HTTPRequest

  let body: @Sendable (_ limit: Int) async throws -> Data
  let visitor: (@Sendable () async throws -> PageVisitor?)?
  private let timeout: Duration

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - head: The method, path, authority and fields.
  ///   - visitor: Decides who asks, in place of the page's ``PageAuthorization``.
  ///   - timeout: The time in which the body must come.
  ///   - body: Returns the whole body. It throws ``BodyTooLarge`` if that is longer than its limit.
  public init(
    head: HTTPRequest, visitor: (@Sendable () async throws -> PageVisitor?)? = nil,
    timeout: Duration = .seconds(10),
    body: @escaping @Sendable (_ limit: Int) async throws -> Data
  ) {
    (self.head, self.visitor, self.timeout, self.body) = (head, visitor, timeout, body)
  }

  /// A body that is longer than the limit.
  public struct BodyTooLarge: Error {
    public init() {}
  }

  static let maximumBytes = 1_048_576

  /// Returns the body within the limits of its size and time.
  func readBody() async throws -> Data {
    let tooLarge = Refusal(.contentTooLarge, "A request has at most 1 MB.")
    let length = head.headerFields[.contentLength].flatMap(Int.init) ?? 0
    guard length <= Self.maximumBytes else { throw tooLarge }
    return try await withThrowingTaskGroup(of: Data.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do {
          return try await body(Self.maximumBytes)
        } catch is BodyTooLarge {
          throw tooLarge
        }
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        throw Refusal(
          .requestTimeout, "The request took too long.", headers: [.connection: "close"])
      }
      return try await group.next()!
    }
  }

  /// The type of the body without its parameters, in lower case.
  var contentType: String {
    let field = head.headerFields[.contentType] ?? ""
    let type = field.utf8.prefix(100).prefix { $0 != UInt8(ascii: ";") }
    return String(decoding: type, as: UTF8.self).lowercased().trimmingCharacters(in: .whitespaces)
  }

  func accepts(_ type: String) -> Bool {
    (head.headerFields[.accept] ?? "").utf8.count <= 1_024
      && (head.headerFields[.accept] ?? "").contains(type)
  }
}

/// The answer to a request.
public struct PageAnswer: Sendable {
  public enum Body: Sendable {
    case data(Data)
    /// Bytes without an end, to be sent as they come.
    case events(EventStream)
  }

  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: Body

  init(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:], _ body: Body = .data(Data())) {
    (self.status, self.headers, self.body) = (status, headers, body)
    self.headers[.cacheControl] = "no-store"
    self.headers[.xContentTypeOptions] = "nosniff"
    self.headers[HTTPField.Name("Cross-Origin-Resource-Policy")!] = "same-origin"
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  static func json(
    _ value: some Encodable, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]
  ) throws -> PageAnswer {
    var headers = headers
    headers[.contentType] = "application/json"
    return PageAnswer(status, headers, .data(try encoder.encode(value)))
  }

  static func html(
    _ html: HTML, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:]
  ) -> PageAnswer {
    var headers = headers
    headers[.contentType] = "text/html; charset=utf-8"
    return PageAnswer(status, headers, .data(Data(html.text.utf8)))
  }
}

/// An error that the client is told.
struct Refusal: Error {
  let status: HTTPResponse.Status
  let reason: String
  var headers: HTTPFields = [:]
  var conflict: Conflict?

  /// The two texts between which a person must decide.
  struct Conflict: Encodable {
    let error: String
    let text: String?
    let current: SettingRow
  }

  init(_ status: HTTPResponse.Status, _ reason: String, headers: HTTPFields = [:]) {
    (self.status, self.reason, self.headers) = (status, reason, headers)
  }

  /// - Parameter methods: Those that the path knows.
  static func method(_ methods: String) -> Self {
    Self(
      .methodNotAllowed, "This path knows only these methods: \(methods).",
      headers: [.allow: methods])
  }

  static let notFound = Refusal(.notFound, "There is no such setting.")

  func answer() throws -> PageAnswer {
    if let conflict { return try .json(conflict, status, headers) }
    return try .json(["error": reason], status, headers)
  }
}
