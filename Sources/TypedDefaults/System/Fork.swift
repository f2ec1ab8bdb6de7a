#if os(Linux) || os(Android)
  internal import Foundation

  /// What is done where the process is doubled, by `daemon()` or by `fork` in a C library: the child has
  /// all memory, but no other thread than the one that forks, and each lock stays as it was.
  enum Fork {
    /// Called on the thread that forks.
    struct Handlers: Sendable {
      /// While everything still runs.
      var before: @Sendable () -> Void = {}
      /// Around the fork, in the parent and in the child.
      var lock: @Sendable () -> Void = {}
      var unlock: @Sendable () -> Void = {}
      var inChild: @Sendable () -> Void = {}
    }

    static func handle(_ handlers: Handlers) {
      _ = isInstalled
      all.withLock { $0.append(handlers) }
    }

    /// Does what a fork must wait for, on a thread of the library's own: in the child, nobody would end
    /// it and release its locks.
    static func waitingFor<R>(_ work: () -> R) -> R {
      atWork.withLock { _ in work() }
    }

    private static let all = Mutex<[Handlers]>([])
    private static let present = Mutex<[Handlers]>([])
    private static let atWork = Mutex(())

    private static let isInstalled: Void = {
      pthread_atfork(
        {
          let handlers = all.withLock { $0 }
          for handler in handlers { handler.before() }
          atWork.lock()
          present.withLock { $0 = handlers }
          for handler in handlers { handler.lock() }
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
