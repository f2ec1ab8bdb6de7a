internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore

/// An endless answer of lines.
final class LineStream: HTTPClientResponseDelegate, @unchecked Sendable {  // Only used on one loop.
  private let handle: @Sendable (Data) throws -> Void
  private let fail: @Sendable (any Error) -> Void
  private var unread = ByteBuffer()
  private(set) var isAlive = false
  private var isCancelled = false
  var task: HTTPClient.Task<Void>?

  init(
    _ handle: @escaping @Sendable (Data) throws -> Void,
    _ fail: @escaping @Sendable (any Error) -> Void
  ) {
    self.handle = handle
    self.fail = fail
  }

  func cancel() {
    isCancelled = true
    task?.cancel()
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void>
  {
    unread.writeImmutableBuffer(part)
    // Only the new bytes can end a line.
    if part.readableBytesView.contains(UInt8(ascii: "\n")) {
      while let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
        take(unread.readBytes(length: end - unread.readerIndex + 1))
      }
      unread.discardReadBytes()
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  private func take(_ line: [UInt8]?) {
    guard !isCancelled, let line, !line.isEmpty else { return }
    do {
      try handle(Data(line))
      isAlive = true
    } catch {
      fail(error)
    }
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
    if !isCancelled { fail(error) }
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {
    take(unread.readBytes(length: unread.readableBytes))
    if !isCancelled { fail(HTTPClientError.remoteConnectionClosed) }
  }
}
