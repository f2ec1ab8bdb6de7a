#if os(Linux) || os(Android)
  internal import Foundation

  /// A lock between processes, released when the value is gone. It is a lock of the directory itself,
  /// so that no lock file is left behind, or left to the wrong user.
  struct DirectoryLock: ~Copyable {
    private let locked: FileDescriptor

    init(_ directory: Path, patience: Duration = .seconds(10)) throws {
      do {
        locked = try Self.locking(
          FileDescriptor(directory, O_RDONLY | O_DIRECTORY), patience: patience)
      } catch let error as SystemError where Self.refusals.contains(error.code) {
        // NFS locks no directory (nor does it need its names to be made safe), and a directory need not
        // be readable. An error that passes leads to no lock, because processes that lock different
        // things do not wait for each other.
        locked = try Self.locking(
          FileDescriptor(
            directory + Path(".TypedDefaults.lock"), O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600),
          patience: patience)
      }
    }

    /// The errors by which a directory refuses to be locked for good.
    private static let refusals = [EACCES, EBADF, EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP]

    deinit {
      // Closing does not release it while a forked child has the descriptor too.
      flock(locked.number, LOCK_UN)
    }

    /// Makes the names of the directory's files safe from a power failure, where its file system can.
    func synchronizeDirectory() throws {
      do {
        try locked.synchronize()
      } catch let error as SystemError where error.code == EINVAL {}
    }

    struct Busy: Error, CustomStringConvertible {
      let description = "another process holds the lock of the directory"
    }

    /// A lock that is waited for in the kernel cannot be given up.
    private static func locking(
      _ descriptor: consuming FileDescriptor, patience: Duration
    ) throws -> FileDescriptor {
      let end = ContinuousClock.now + patience
      var pause: useconds_t = 100
      while flock(descriptor.number, LOCK_EX | LOCK_NB) == -1 {
        guard errno == EINTR || errno == EWOULDBLOCK else { throw SystemError() }
        if ContinuousClock.now > end { throw Busy() }
        usleep(pause)
        pause = min(pause * 2, 3000)
      }
      return descriptor
    }
  }
#endif
