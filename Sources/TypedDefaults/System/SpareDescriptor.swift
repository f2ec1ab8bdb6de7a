#if os(Linux) || os(Android)
  internal import Foundation

  /// A file descriptor kept for when the process may open no other: some calls of Foundation open a
  /// file, and do nothing if they cannot.
  enum SpareDescriptor {
    private static let spare = Mutex(open("/dev/null", O_RDONLY | O_CLOEXEC))

    /// Runs a body that opens one file at a time.
    ///
    /// - Returns: Whether it could open files. If not, perhaps it could.
    static func provided(to body: () -> Void) -> Bool {
      let free = dup(STDERR_FILENO)
      if free != -1 || errno == EBADF {
        close(free)
        body()
        return true
      }
      spare.withLock { spare in
        close(spare)
        body()
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
      }
      return false
    }

    /// Opens it, while there are others.
    static func keep() { spare.withLock { _ in } }
  }
#endif
