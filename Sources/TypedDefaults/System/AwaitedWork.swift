internal import Foundation
internal import Synchronization

/// Work that blocks its thread, for a task to wait for. It runs on a thread of its own, because the
/// threads of the cooperative pool are few.
///
/// If the task is canceled, it stops waiting, unless the work has begun what must be waited for.
final class AwaitedWork<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result, any Error>?
    var isCanceled = false
    var mustEnd = false
  }

  private let state = Mutex(State())

  private init() {}

  /// - Parameter work: The work, which calls the function that it is given where it begins what the
  ///   task must wait for. The function throws if the task has been canceled.
  static func run(
    isolation: isolated (any Actor)?,
    _ work: @escaping @Sendable (_ begin: () throws -> Void) throws -> Result
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
          let result = Swift.Result { try work(awaited.begin) }
          awaited.take(evenIfItMustEnd: true)?.resume(with: result)
        }
      }
    } onCancel: {
      awaited.state.withLock { $0.isCanceled = true }
      awaited.take(evenIfItMustEnd: false)?.resume(throwing: CancellationError())
    }
  }

  private func begin() throws {
    let isCanceled = state.withLock { state in
      state.mustEnd = true
      return state.isCanceled
    }
    if isCanceled { throw CancellationError() }
  }

  private func take(evenIfItMustEnd: Bool) -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      guard evenIfItMustEnd || !state.mustEnd else { return nil }
      defer { state.continuation = nil }
      return state.continuation
    }
  }
}
