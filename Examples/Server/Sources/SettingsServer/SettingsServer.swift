public import Foundation
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import TypedDefaults

/// The server, and what must happen when it stops.
public enum SettingsServer {
  private static let maximumConnections = 1_000
  private static let secondsBetweenTokens = 15

  /// Makes the server.
  ///
  /// - Parameters:
  ///   - settings: The settings that the page shows.
  ///   - store: Their store.
  ///   - options: Where the server listens.
  ///   - site: What governs requests; the settings if it is `nil`.
  ///   - logger: Where the server logs.
  ///   - onPort: Receives the port once the server listens.
  /// - Returns: A service, for a `ServiceGroup`.
  public static func make(
    _ settings: ServerSettings, in store: UserDefaults, options: ServerOptions,
    site: (any SiteValues)? = nil, logger: Logger,
    onPort: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let values = site ?? settings.site
    let changes = PageChanges(of: settings.settings)
    let store = Store(store)
    let access = PageAccess(settings) {
      store.userDefaults.object(forKey: settings.$adminPassword.key) != nil
    }

    let router = Router(context: ServerContext.self, options: [.autoGenerateHeadEndpoints])
    router.add(middleware: LogRequestsMiddleware(.debug))
    router.add(middleware: Gate(names: options.names + [options.host]))
    router.add(middleware: Admission(values: values))
    SettingsController(settings: settings, access: access, changes: changes)
      .addRoutes(to: router.group("settings"))
    let site = Site(values)
    router.get("/") { _, _ in site.greeting() }
    router.get("**") { try await site.file($0, $1) }

    return Application(
      router: router,
      server: .http1(configuration: .init(additionalChannelHandlers: idleHandlers(values))),
      configuration: .init(
        address: .hostname(options.host, port: options.port),
        availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
      services: [Ticker(changes: changes)],
      onServerRunning: { await onPort($0.localAddress?.port ?? 0) },
      logger: logger)
  }

  /// Saves the last changes once the services after it have ended.
  public struct Flush: Service {
    private let store: Store

    /// - Parameter store: The store of the settings.
    public init(_ store: UserDefaults) { self.store = Store(store) }

    public func run() async throws {
      try? await gracefulShutdown()
      try await store.userDefaults.flush()
    }
  }

  /// Gives each open page a new token now and then.
  private struct Ticker: Service {
    let changes: PageChanges

    func run() async {
      try? await cancelWhenGracefulShutdown {
        while true {
          try await Task.sleep(for: .seconds(secondsBetweenTokens))
          changes.wake()
        }
      }
    }
  }

  private static func idleHandlers(_ values: any SiteValues) -> [any RemovableChannelHandler] {
    [IdleStateHandler(allTimeout: .seconds(Int64(values.limits.idleSeconds))), IdleCloser()]
  }

  private final class IdleCloser: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is IdleStateHandler.IdleStateEvent {
        context.close(promise: nil)
      } else {
        context.fireUserInboundEventTriggered(event)
      }
    }
  }
}

/// A store across threads, which is what `UserDefaults` is documented to allow.
private struct Store: @unchecked Sendable {
  let userDefaults: UserDefaults

  init(_ userDefaults: UserDefaults) { self.userDefaults = userDefaults }
}
