internal import Foundation
internal import Synchronization

/// Work that blocks its thread, for a task to wait for. It runs on a thread of its own, because the
/// threads of the cooperative pool are few.
///
/// If the task is canceled, it stops waiting, and the work goes on.
final class AwaitedWork<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result, any Error>?
    var isCanceled = false
  }

  private let state = Mutex(State())

  private init() {}

  static func run(
    isolation: isolated (any Actor)?, _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let awaited = AwaitedWork()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCanceled = awaited.state.withLock { state in
          if !state.isCanceled { state.continuation = continuation }
          return state.isCanceled
        }
        if isCanceled { return continuation.resume(throwing: CancellationError()) }
        Thread.detachNewThread {
          let result = Swift.Result { try work() }
          awaited.take()?.resume(with: result)
        }
      }
    } onCancel: {
      awaited.state.withLock { $0.isCanceled = true }
      awaited.take()?.resume(throwing: CancellationError())
    }
  }

  private func take() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
  }
}
