import Hummingbird

/// Refuses what is too much of one client, and during maintenance all but the settings page.
struct Admission: RouterMiddleware {
  typealias Context = ServerContext

  let values: any SiteValues
  let requests = RateLimiter()

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let rate = Double(values.requestsPerSecond)
    guard requests.admits(context.client, perSecond: rate, burst: rate) else {
      throw Refusal(.tooManyRequests, "Too many requests.", headers: [.retryAfter: "1"])
    }
    let path = request.uri.path
    guard !values.maintenance || path == "/settings" || path.hasPrefix("/settings/") else {
      throw Refusal(
        .serviceUnavailable, "The server is being maintained.", headers: [.retryAfter: "60"])
    }
    return try await next(request, context)
  }
}
