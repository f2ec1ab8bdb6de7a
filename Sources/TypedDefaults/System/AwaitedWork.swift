internal import Foundation
internal import Synchronization

/// Work for whose end a task waits, without blocking a thread. If the task is canceled, it stops waiting,
/// and the work goes on.
final class AwaitedWork: Sendable {
  /// What lets the task go on; nil before it waits, and once it goes on.
  private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)

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
        work.continuation.withLock { $0 = continuation }
        // Before there was a continuation, perhaps.
        if Task.isCancelled { return work.end(.failure(CancellationError())) }
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
    var waiting: CheckedContinuation<Void, any Error>?
    continuation.withLock { swap(&$0, &waiting) }
    waiting?.resume(with: result)
  }
}
