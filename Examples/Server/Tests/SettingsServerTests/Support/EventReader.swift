import Foundation
import NIOCore
import NIOPosix

/// Reads an answer that does not end, such as server-sent events, as it comes.
final class EventReader {
  private let channel: any Channel
  private var lines: AsyncThrowingStream<ByteBuffer, any Error>.Iterator
  private var unread = ""

  convenience init(
    port: Int, path: String = "/settings/events", token: String? = nil,
    host: String = "localhost"
  ) async throws {
    let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    try await self.init(
      port: port, sending: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(field)\r\n")
  }

  /// - Parameter request: The bytes to send, which may be a part of a request.
  init(port: Int, sending request: String) async throws {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(continuation: continuation))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    lines = stream.makeAsyncIterator()
    try await channel.writeAndFlush(ByteBuffer(string: request))
  }

  deinit { channel.close(promise: nil) }

  /// Reads on its own no more.
  func pause() async throws {
    try await channel.setOption(.autoRead, value: false).get()
  }

  /// Returns everything up to a text. Returns `nil` if the stream ends before.
  func read(until text: String) async throws -> String? {
    while true {
      if let range = unread.firstRange(of: text) {
        defer { unread = String(unread[range.upperBound...]) }
        return String(unread[..<range.upperBound])
      }
      guard let more = try await lines.next() else { return nil }
      unread += String(buffer: more)
    }
  }

  /// Returns the size of what is left until the end of the stream.
  ///
  /// - Parameter isSlow: Whether to read as a client does whose line is slow, after a pause.
  func readToEnd(isSlow: Bool = false) async throws -> Int {
    var count = unread.utf8.count
    if isSlow { channel.read() }
    while let more = try await lines.next() {
      count += more.readableBytes
      if isSlow {
        try await Task.sleep(for: .milliseconds(2))
        channel.read()
      }
    }
    return count
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation

    init(continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation) {
      self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      continuation.finish(throwing: error)
    }
  }
}
