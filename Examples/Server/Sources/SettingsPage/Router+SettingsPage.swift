public import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
import ServiceLifecycle
@_exported public import SettingsPageCore
public import TypedDefaults

extension RouterMethods {
  /// Puts a page for settings under a path, with its JSON and its events.
  ///
  /// ```swift
  /// let page = router.addSettingsPage(at: "/settings", [settings])
  /// let app = Application(router: router, onServerRunning: { channel in
  ///   print(page.address(host: "127.0.0.1", port: channel.localAddress!.port!))
  ///   fflush(nil)  // Output to a file would wait in a buffer.
  /// })
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path as browsers see it.
  ///   - groups: The groups, each of which is a section. No two settings have one key.
  ///   - title: The heading of the page.
  ///   - store: The store whose unknown keys people may remove, if there is one group.
  ///   - names: The names of the server besides `localhost` and addresses in digits.
  ///   - theme: The colors of the page.
  ///   - authorize: Decides who may see and change settings. By default, everybody who has the token of
  ///     ``SettingsPageCore/PageToken/ofThisStart(_:warn:)``.
  ///   - logger: Where the page logs.
  ///   - onChange: Is called after each change by a visitor, for an audit log.
  /// - Returns: The page, which knows its address.
  @discardableResult
  public func addSettingsPage(
    at path: String, _ groups: [any SettingsGroup], title: String = "Settings",
    store: UserDefaults? = nil, names: [String] = [],
    theme: @escaping @Sendable () -> PageTheme = { .system },
    authorize: PageAuthorization? = nil, logger: Logger = Logger(label: "SettingsPage"),
    onChange: (@Sendable (MountedSettings.Change) -> Void)? = nil
  ) -> MountedSettings {
    let page = MountedSettings(
      at: path, groups, title: title, store: store, names: names, theme: theme,
      authorization: authorize ?? .token(.ofThisStart { logger.warning("\($0)") }),
      logger: logger, onChange: onChange)
    mount(page) { _, _ in nil }
    return page
  }

  /// Puts a page for settings under a path, for those whom a function lets in.
  ///
  /// The function has the request and its context, so that it finds the service's own sessions.
  /// It returns `nil` to refuse. All else is as in
  /// ``addSettingsPage(at:_:title:store:names:theme:authorize:logger:onChange:)``.
  @discardableResult
  public func addSettingsPage(
    at path: String, _ groups: [any SettingsGroup], title: String = "Settings",
    store: UserDefaults? = nil, names: [String] = [],
    theme: @escaping @Sendable () -> PageTheme = { .system }, isBehindTLS: Bool = false,
    logger: Logger = Logger(label: "SettingsPage"),
    onChange: (@Sendable (MountedSettings.Change) -> Void)? = nil,
    authorize: @escaping @Sendable (Request, Context) async throws -> PageVisitor?
  ) -> MountedSettings {
    let page = MountedSettings(
      at: path, groups, title: title, store: store, names: names, theme: theme,
      authorization: .by(isBehindTLS: isBehindTLS) { _ in nil }, logger: logger, onChange: onChange)
    mount(page) { request, context in { try await authorize(request, context) } }
    return page
  }

  private func mount(
    _ page: MountedSettings,
    visitor: @escaping @Sendable (Request, Context) -> (@Sendable () async throws -> PageVisitor?)?
  ) {
    for path in [page.path, page.path + "/*"] {
      // Also the methods that the page does not know, so that it says so.
      for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options] {
        on(RouterPath(path), method: method) { request, context in
          let answer = await page.answer(to: PageRequest(request, visitor(request, context)))
          return Response(answer, to: request)
        }
      }
    }
  }
}

extension PageRequest {
  fileprivate init(
    _ request: Request, _ visitor: (@Sendable () async throws -> PageVisitor?)?
  ) {
    self.init(head: request.head, visitor: visitor) { limit in
      do {
        let body = try await request.body.collect(upTo: limit)
        return Data(body.readableBytesView)
      } catch is NIOTooManyBytesError {
        throw BodyTooLarge()
      }
    }
  }
}

extension Response {
  fileprivate init(_ answer: PageAnswer, to request: Request) {
    switch answer.body {
    case .data(let data):
      self.init(
        status: answer.status, headers: answer.headers,
        body: .init(byteBuffer: ByteBuffer(bytes: data)))
    case .events(let stream):
      let body = ResponseBody { writer in
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await withGracefulShutdownHandler {
            for await data in stream { try await writer.write(ByteBuffer(bytes: data)) }
          } onGracefulShutdown: {
            stream.finish()
          }
        }
        try await writer.finish(nil)
      }
      self.init(status: answer.status, headers: answer.headers, body: body)
    }
  }
}

/// Saves the last changes once the services after it have ended.
public struct SettingsFlush: Service {
  private let groups: [any SettingsGroup]

  /// - Parameter groups: The groups whose stores are saved.
  public init(_ groups: [any SettingsGroup]) { self.groups = groups }

  public func run() async throws {
    try? await gracefulShutdown()
    for group in groups { try await group.flush() }
  }
}
