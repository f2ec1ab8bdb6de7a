import HTTPTypes
public import NIOCore
import NIOHTTPTypes
import Synchronization

/// Closes the oldest connection of an unknown visitor when there are too many.
///
/// A visitor is unknown until the page has let somebody in on that connection. So unknown visitors
/// never take all connections, and whoever has the token finds one. Addresses make no difference,
/// because behind a proxy all have one.
public final class UnknownVisitorLimit: Sendable {
  private struct State {
    var last = 0
    var unknown: [Int: any Channel] = [:]
  }

  private let maximum: Int
  private let path: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - maximum: How many unknown visitors may be connected.
  ///   - path: The path of the page.
  public init(_ maximum: Int, path: String) { (self.maximum, self.path) = (maximum, path) }

  /// Returns a handler of one connection, for `additionalChannelHandlers`.
  public func makeHandler() -> any RemovableChannelHandler & Sendable { Handler(self) }

  fileprivate func add(_ channel: any Channel) -> Int {
    let (number, oldest) = state.withLock { state in
      state.last += 1
      state.unknown[state.last] = channel
      let oldest = state.unknown.count > maximum ? state.unknown.keys.min() : nil
      return (state.last, oldest.flatMap { state.unknown.removeValue(forKey: $0) })
    }
    oldest?.close(promise: nil)
    return number
  }

  fileprivate func remove(_ number: Int) {
    state.withLock { _ = $0.unknown.removeValue(forKey: number) }
  }

  /// Used on the event loop of its connection only.
  private final class Handler: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let limit: UnknownVisitorLimit
    private var number: Int?
    private var isForPage = false

    init(_ limit: UnknownVisitorLimit) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) { number = limit.add(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
      leave()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if number != nil, case .head(let head) = unwrapInboundIn(data) {
        let path = (head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
        isForPage =
          path.starts(with: limit.path.utf8)
          && [nil, UInt8(ascii: "/")].contains(path.dropFirst(limit.path.utf8.count).first)
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if isForPage, case .head(let head) = unwrapOutboundIn(data),
        ![.unauthorized, .forbidden].contains(head.status)
      {
        leave()
      }
      context.write(data, promise: promise)
    }

    private func leave() {
      if let number { limit.remove(number) }
      number = nil
    }
  }
}
