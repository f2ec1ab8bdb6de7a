import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a program and a member of etcd, and may lose an answer.
final class Proxy: Sendable {
  private let losesNextAnswer = Atomic(false)
  private let channel: Mutex<(any Channel)?> = Mutex(nil)
  /// What goes to the program, by its connections.
  private let answers: Mutex<[Pipe]> = Mutex([])

  init(to target: URL) throws {
    // On one loop, so that nothing overtakes the loss of an answer.
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { [unowned self] client in
        ClientBootstrap(group: client.eventLoop)
          .connect(host: target.host()!, port: target.port!)
          .flatMapThrowing { member in
            let (toMember, toClient) = (Pipe(to: member), Pipe(to: client))
            toMember.proxy = self
            self.answers.withLock { $0.append(toClient) }
            try client.pipeline.syncOperations.addHandler(toMember)
            try member.pipeline.syncOperations.addHandler(toClient)
          }
      }
    channel.withLock { $0 = try? bootstrap.bind(host: "127.0.0.1", port: 0).wait() }
  }

  var endpoint: URL {
    URL(string: "http://127.0.0.1:\(channel.withLock { $0?.localAddress?.port ?? 0 })")!
  }

  /// Takes the next transaction to the member, and closes each connection in place of an answer, as if the
  /// member had ended.
  func loseNextAnswer() { losesNextAnswer.store(true, ordering: .relaxed) }

  func close() { channel.withLock { try? $0?.close().wait() } }

  private final class Pipe: ChannelInboundHandler, @unchecked Sendable {  // All on one event loop.
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    weak var proxy: Proxy?
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
        for answers in proxy.answers.withLock(\.self) { answers.isLost = true }
      }
      other.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
  }
}
