import Hummingbird
import NIOCore

/// Refuses requests that were meant for another server, or that a page of another server has made.
///
/// A name of an attacker can be made to lead here (DNS rebinding); an address in digits cannot.
struct Gate: RouterMiddleware {
  typealias Context = ServerContext

  private let names: Set<String>

  init(names: [String]) {
    self.names = Set((names + ["localhost"]).map { $0.lowercased() })
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let authority = request.head.authority, admits(authority) else {
      throw Refusal(
        .misdirectedRequest, "This server has another name. Start it with --name to add a name.")
    }
    if let origin = request.headers[.origin],
      !["http://", "https://"].contains(where: { $0 + authority == origin })
    {
      throw Refusal(.forbidden, "This request comes from a page of another server.")
    }
    return try await next(request, context)
  }

  private func admits(_ authority: String) -> Bool {
    let name = Self.host(of: authority)
    return names.contains(name.lowercased())
      || (try? SocketAddress(ipAddress: name, port: 0)) != nil
  }

  /// The authority without its port, and without the brackets around an IPv6 address.
  static func host(of authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[authority.index(after: authority.startIndex)..<end])
    }
    return String(authority.prefix { $0 != ":" })
  }
}
