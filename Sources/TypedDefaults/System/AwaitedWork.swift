internal import Foundation
internal import Synchronization

/// Work for whose end a task waits, without blocking a thread. If the task is canceled, it stops waiting,
/// and the work goes on.
final class AwaitedWork: Sendable {
  private enum State {
    case begun
    case awaited(CheckedContinuation<Void, any Error>)
    case over
  }

  private let state = Mutex(State.begun)

  private init() {}

  /// Waits for work that blocks its thread. It gets a thread of its own, because those of tasks are few. Where
  /// the system gives none, it blocks the caller's.
  static func wait(
    isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    let work = AwaitedWork()
    let run = { @Sendable in work.end(Result(catching: body)) }
    try await withTaskCancellationHandler {
      _ = isolation  // Else the closure runs in another thread, which there may not be.
      try await withCheckedThrowingContinuation { continuation in
        let isCanceled = work.state.withLock { state in
          if case .over = state { return true }
          state = .awaited(continuation)
          return false
        }
        if isCanceled { return continuation.resume(throwing: CancellationError()) }
        #if os(Linux) || os(Android)
          if !ServiceThread.launch(run) { run() }
        #else
          Thread.detachNewThread(run)
        #endif
      }
    } onCancel: {
      work.end(.failure(CancellationError()))
    }
  }

  /// Lets the task go on, unless it already has.
  private func end(_ result: Result<Void, any Error>) {
    var last = State.over
    state.withLock { swap(&$0, &last) }
    if case .awaited(let continuation) = last { continuation.resume(with: result) }
  }
}
