import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a program and a member of etcd, or between two members, and does what networks do.
final class Proxy: Sendable {
  private struct State {
    var port = 0
    var channel: (any Channel)?
    var pipes: [Pipe] = []
    var isPaused = false
    /// The members whose connections are paused.
    var pausedSources: Set<String> = []
    var losesNextAnswer = false
    var bytesPerSecond = Int.max
  }

  private let state = Mutex(State())
  /// One loop, so that nothing overtakes a change of state.
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  /// - Parameter port: The port to listen at; 0 for any.
  init(to target: URL, port: Int = 0) throws {
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { [weak self] client in
        guard let self else { return client.close() }
        return ClientBootstrap(group: client.eventLoop)
          .channelOption(.autoRead, value: false)
          .connect(host: target.host()!, port: target.port!)
          .flatMapThrowing { member in
            let line = Line()
            let (toMember, toClient) = (Pipe(member, self, line), Pipe(client, self, line))
            toMember.isRequest = true
            self.state.withLock { $0.pipes += [toMember, toClient] }
            try client.pipeline.syncOperations.addHandler(toMember)
            try member.pipeline.syncOperations.addHandler(toClient)
          }
      }
    let channel = try bootstrap.bind(host: "127.0.0.1", port: port).wait()
    state.withLock {
      $0.channel = channel
      $0.port = channel.localAddress?.port ?? 0
    }
  }

  var endpoint: URL { URL(string: "http://127.0.0.1:\(state.withLock { $0.port })")! }

  /// Takes the next transaction to the member, and closes each connection in place of an answer, as if the
  /// member had ended.
  func loseNextAnswer() { state.withLock { $0.losesNextAnswer = true } }

  /// Lets no byte pass any more, and closes nothing: as a cut cable does.
  ///
  /// - Parameter source: The identifier of a member, or `nil` for all sources.
  func pause(from source: String? = nil) {
    run {
      self.state.withLock { state in
        if let source { state.pausedSources.insert(source) } else { state.isPaused = true }
      }
    }
  }

  func resume(from source: String? = nil) {
    run {
      let pipes = self.state.withLock { state in
        if let source { state.pausedSources.remove(source) } else { state.isPaused = false }
        return state.pipes
      }
      for pipe in pipes { pipe.pass() }
    }
  }

  /// Closes all connections.
  func cut() {
    run {
      let pipes = self.state.withLock { state in
        defer { state.pipes = [] }
        return state.pipes
      }
      for pipe in pipes { pipe.close() }
    }
  }

  func slow(to bytesPerSecond: Int) { state.withLock { $0.bytesPerSecond = bytesPerSecond } }

  func close() {
    try? state.withLock { $0.channel }?.close().wait()
    cut()
  }

  private func run(_ body: @escaping @Sendable () -> Void) { try? loop.submit(body).wait() }

  /// What the two directions of a connection share.
  private final class Line {
    /// The identifier of the member that has opened it.
    var source: String?
    var isLost = false
  }

  private final class Pipe: ChannelInboundHandler, @unchecked Sendable {  // All on one event loop.
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private weak var proxy: Proxy?
    let line: Line
    var isRequest = false
    private var context: ChannelHandlerContext?
    private var waiting: [ByteBuffer] = []

    init(_ other: any Channel, _ proxy: Proxy, _ line: Line) {
      self.other = other
      self.proxy = proxy
      self.line = line
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      if context.channel.isActive { context.read() }
    }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data)
      if isRequest, line.source == nil {
        let from = String(buffer: bytes).firstMatch(of: /X-Server-From: (\w+)/)
        line.source = from.map { String($0.1) } ?? ""
      }
      waiting.append(bytes)
      pass()
    }

    private var isPaused: Bool {
      proxy?.state.withLock { $0.isPaused || $0.pausedSources.contains(line.source ?? "") } ?? false
    }

    func pass() {
      guard let proxy, let context, !isPaused else { return }
      for bytes in waiting {
        if line.isLost { return close() }
        proxy.state.withLock { state in
          guard state.losesNextAnswer, isRequest, String(buffer: bytes).contains("kv/txn") else {
            return
          }
          state.losesNextAnswer = false
          for pipe in state.pipes { pipe.line.isLost = true }
        }
        other.writeAndFlush(bytes, promise: nil)
        if line.isLost { break }
      }
      let rate = proxy.state.withLock { $0.bytesPerSecond }
      let nanoseconds = waiting.reduce(0) { $0 + $1.readableBytes } * 1_000_000_000 / rate
      waiting = []
      guard nanoseconds > 0 else { return context.read() }
      context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(nanoseconds))) {
        context.read()
      }
    }

    func close() {
      context?.close(promise: nil)
      other.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      self.context = nil
      proxy?.state.withLock { $0.pipes.removeAll { $0 === self } }
      // A peer does not hear of the end while the line is dead.
      if !isPaused { other.close(promise: nil) }
    }
  }
}
