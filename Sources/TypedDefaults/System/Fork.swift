#if os(Linux) || os(Android)
  internal import Foundation

  /// Tells a child of `fork` that executes no other program. It has a copy of all memory, held locks
  /// included, but none of the threads that would release them.
  enum Fork {
    /// The process of the first use: what comes before, such as `daemon()`, does no harm.
    static let parent = getpid()

    static var isChild: Bool { getpid() != parent }
  }
#endif
