#if os(Linux) || os(Android)
  internal import Foundation

  /// A lock between processes, released when the value is gone. It is a lock of the directory
  /// itself, so that no lock file is left behind, or left to the wrong user.
  struct DirectoryLock: ~Copyable {
    private let locked: FileDescriptor

    init(_ directory: Path, patience: Duration = .seconds(10)) throws {
      do {
        locked = try Self.locking(
          FileDescriptor(directory, O_RDONLY | O_DIRECTORY), patience: patience)
      } catch let error as SystemError where Self.refusals.contains(error.code) {
        // NFS cannot lock a directory (nor does it need `fsync` for its names), and a directory
        // without read permission cannot be opened. Such errors last. After an error that may pass,
        // processes would lock different things, and not wait for each other.
        locked = try Self.locking(
          FileDescriptor(
            directory + Path(".TypedDefaults.lock"), O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600),
          patience: patience)
      }
    }

    /// The errors of a directory that can never be locked.
    private static let refusals = [EACCES, EBADF, EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP]

    deinit {
      // Closing is not enough while a forked child has the descriptor, too.
      flock(locked.number, LOCK_UN)
    }

    /// Makes the names of the files survive a power failure, if the file system can do so.
    func synchronizeDirectory() throws {
      do {
        try locked.synchronize()
      } catch let error as SystemError where error.code == EINVAL {}
    }

    struct Busy: Error, CustomStringConvertible {
      let description = "another process holds the lock of the directory"
    }

    /// Asks again and again, because a wait in the kernel has no time limit.
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
