#if os(Linux) || os(Android)
  internal import Foundation

  /// Handlers for `daemon()`, and for `fork` in a C library. The child has a copy of all memory,
  /// held locks included, but only the thread that forks.
  enum Fork {
    /// Functions that are called on the thread that forks.
    struct Handlers: Sendable {
      /// Called before any lock is taken.
      var before: @Sendable () -> Void = {}
      /// Called before the fork, and after it in both processes.
      var lock: @Sendable () -> Void = {}
      var unlock: @Sendable () -> Void = {}
      var inChild: @Sendable () -> Void = {}
    }

    static func handle(_ handlers: Handlers) {
      _ = isInstalled
      all.withLock { $0.append(handlers) }
    }

    /// Does work that a fork must wait for, on a thread of the program. In the child, no thread would
    /// finish the work and release its locks.
    static func waitingFor<R>(_ work: () throws -> R) rethrows -> R {
      try atWork.withLock { _ throws in try work() }
    }

    private static let all = Mutex<[Handlers]>([])
    private static let present = Mutex<[Handlers]>([])
    private static let atWork = Mutex(())

    private static let isInstalled: Void = {
      pthread_atfork(
        {
          for handler in all.withLock({ $0 }) { handler.before() }
          atWork.lock()
          // Asked again and again, because work that a lock waits for may add handlers.
          var handlers: [Handlers] = []
          while let handler = all.withLock({ $0.dropFirst(handlers.count).first }) {
            handler.lock()
            handlers.append(handler)
          }
          present.withLock { $0 = handlers }
        },
        { Fork.unlock() },
        { for handler in Fork.unlock() { handler.inChild() } })
    }()

    @discardableResult
    private static func unlock() -> [Handlers] {
      let handlers = present.withLock { $0 }
      for handler in handlers { handler.unlock() }
      atWork.unlock()
      return handlers
    }
  }
#endif
