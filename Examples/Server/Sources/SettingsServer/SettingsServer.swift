public import Foundation
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOHTTPTypes
public import SettingsPage
import TypedDefaults

/// The server: files, and the page of its settings.
public enum SettingsServer {
  /// Makes a service for a `ServiceGroup`. It tells its port and the page once it listens.
  public static func make(
    _ settings: ServerSettings, in store: UserDefaults, options: ServerOptions, logger: Logger,
    authorize: PageAuthorization? = nil,
    onPort: @escaping @Sendable (Int, MountedSettings) async -> Void = { _, _ in }
  ) -> some ApplicationProtocol {
    let router = Router(context: ServerContext.self, options: [.autoGenerateHeadEndpoints])
    router.add(middleware: LogRequestsMiddleware(.debug))
    let page = router.addSettingsPage(
      at: "/settings", [settings], title: "Server settings", store: store,
      names: options.names + [options.host], theme: { settings.theme },
      authorize: authorize
        ?? .token(.ofThisStart { logger.warning("\($0)") }, isBehindTLS: options.isBehindTLS),
      logger: logger)
    let site = Site(settings, besides: store.fileURL?.deletingLastPathComponent())
    router.get("/") { _, _ in try site.greeting() }
    router.get("**") { try await site.file($0, $1) }

    let limit = UnknownVisitorLimit(500, path: page.path)
    return Application(
      router: router,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [limit.makeHandler()], idleTimeout: .seconds(15),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 100))),
      configuration: .init(
        address: .hostname(options.host, port: options.port),
        availableConnectionsDelegate: MaximumAvailableConnections(1_000)),
      onServerRunning: { await onPort($0.localAddress?.port ?? 0, page) },
      logger: logger)
  }
}

/// The context of a request, with its connection.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  /// Waits until the socket has taken all that was written, because a server that stops closes a
  /// connection right after its answer.
  func flush() async throws {
    try await channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer())).get()
  }
}
