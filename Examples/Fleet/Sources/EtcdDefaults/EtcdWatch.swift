internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// A watch, which is an endless answer of lines.
///
/// It passes the lines to a waiting thread, so that no listener runs on the network's thread.
final class EtcdWatch: HTTPClientResponseDelegate, @unchecked Sendable {  // `condition` locks all.
  private let condition = NSCondition()
  private var unread = Data()
  private var lines: [Data] = []
  private var end: EtcdError?
  private var task: HTTPClient.Task<Void>?
  private let renew: @Sendable () -> Void

  init(renew: @escaping @Sendable () -> Void) {
    self.renew = renew
  }

  func start(_ task: HTTPClient.Task<Void>) {
    condition.withLock { self.task = task }
  }

  /// Waits for the next line; returns nil if none has come before the deadline.
  ///
  /// - Throws: An `EtcdError` if the watch has ended. The next watch asks another member.
  func next(until deadline: Date) throws -> EtcdWatchLine.Result? {
    let line: Data? = try condition.withLock {
      while lines.isEmpty {
        if let end { throw end }
        guard condition.wait(until: deadline) else { return nil }
      }
      return lines.removeFirst()
    }
    guard let line else { return nil }
    let answer: EtcdWatchLine = try decodeAnswer(line)
    if let failure = answer.error { throw EtcdClient.Failure(failure).error }
    if answer.result?.canceled == true {
      if answer.result?.compactRevision.map({ $0 != "0" }) ?? false { throw EtcdError.compacted }
      throw EtcdError.unavailable(answer.result?.cancelReason ?? "the watch was cancelled")
    }
    return answer.result
  }

  func cancel() {
    condition.withLock { task }?.cancel()
  }

  // MARK: Called by the network's thread

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer)
    -> EventLoopFuture<Void>
  {
    condition.withLock {
      unread += buffer.readableBytesView
      while let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(Data(unread[..<newline]))
        unread = Data(unread[(newline + 1)...])
      }
      condition.signal()
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
    finish(EtcdClient.describe(error))
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {
    finish("the watch has ended")
  }

  private func finish(_ cause: String) {
    renew()
    condition.withLock {
      end = .unavailable(cause)
      condition.signal()
    }
  }
}
