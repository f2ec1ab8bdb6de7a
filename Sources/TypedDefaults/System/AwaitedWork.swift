internal import Foundation

/// Work for whose end a task waits, without blocking a thread.
enum AwaitedWork {
  /// Waits for work that blocks its thread. It gets a thread of its own, because those of tasks are few. Where
  /// the system gives none, it blocks the caller's.
  static func wait(
    isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    _ = isolation  // Else the closure runs in another thread, which there may not be.
    try await withCheckedThrowingContinuation { continuation in
      let run = { @Sendable in continuation.resume(with: Result(catching: body)) }
      #if os(Linux) || os(Android)
        if !ServiceThread.launch(run) { run() }
      #else
        Thread.detachNewThread(run)
      #endif
    }
  }
}
