#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// Tells a child of `fork` that executes no other program. It has a copy of all memory, held locks
  /// included, but none of the threads that would release them.
  enum Fork {
    private static let hasForked = Atomic(false)

    /// Starts to watch for forks. What comes before, such as `daemon()`, does no harm.
    static let isWatched: Void = {
      hasForked.store(false, ordering: .relaxed)
      pthread_atfork(nil, nil, { hasForked.store(true, ordering: .relaxed) })
    }()

    /// Whether this process is such a child, and its parent has watched.
    static var isChild: Bool { hasForked.load(ordering: .relaxed) }
  }
#endif
