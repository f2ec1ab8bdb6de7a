import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a program and a member of etcd, and may lose an answer.
final class Proxy: Sendable {
  private let losesNextAnswer = Atomic(false)
  private let channel: Mutex<(any Channel)?> = Mutex(nil)

  init(to target: URL) throws {
    let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { [unowned self] client in
        ClientBootstrap(group: client.eventLoop)
          .connect(host: target.host()!, port: target.port!)
          .flatMapThrowing { member in
            let (toMember, toClient) = (Pipe(to: member), Pipe(to: client))
            toMember.proxy = self
            toMember.answers = toClient
            try client.pipeline.syncOperations.addHandler(toMember)
            try member.pipeline.syncOperations.addHandler(toClient)
          }
      }
    channel.withLock { $0 = try? bootstrap.bind(host: "127.0.0.1", port: 0).wait() }
  }

  var endpoint: URL {
    URL(string: "http://127.0.0.1:\(channel.withLock { $0?.localAddress?.port ?? 0 })")!
  }

  /// Closes the connection of the next transaction in place of its answer.
  func loseNextAnswer() { losesNextAnswer.store(true, ordering: .relaxed) }

  func close() { channel.withLock { try? $0?.close().wait() } }

  private final class Pipe: ChannelInboundHandler, @unchecked Sendable {  // All on one event loop.
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    weak var proxy: Proxy?
    weak var answers: Pipe?
    private var isLost = false

    init(to other: any Channel) {
      self.other = other
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data)
      if isLost { return context.close(promise: nil) }
      if let proxy, String(buffer: bytes).contains("kv/txn"),
        proxy.losesNextAnswer.exchange(false, ordering: .relaxed)
      {
        answers?.isLost = true
      }
      other.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
  }
}
