#if os(Linux) || os(Android)
  internal import Foundation

  /// A lock between processes, and between threads, released when the value is gone. A thread that
  /// has it may take it again. It is a lock of the directory itself, so that no lock file is left
  /// behind, or left to the wrong user.
  struct DirectoryLock: ~Copyable {
    private let hold: Hold

    /// What the process holds of one directory.
    private final class Hold {
      let file: FileIdentity
      let thread = pthread_self()
      let descriptor: FileDescriptor
      let refusal: SystemError?
      var uses = 1

      init(_ file: FileIdentity, _ descriptor: consuming FileDescriptor, _ refusal: SystemError?) {
        self.file = file
        self.descriptor = descriptor
        self.refusal = refusal
      }

      deinit {
        // Closing is not enough while a forked child has the descriptor, too.
        flock(descriptor.number, LOCK_UN)
      }

      var isOfThisThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
    }

    private struct Held: @unchecked Sendable {  // Only ever used under the lock of `held`.
      var all: [Hold] = []
    }

    private static let held = Mutex(Held())

    /// Whether this thread has the lock of any directory.
    static var isOfThisThread: Bool { held.withLock { $0.all.contains(where: \.isOfThisThread) } }

    struct Busy: Error, CustomStringConvertible {
      let isOfThisProcess: Bool

      var description: String {
        "another \(isOfThisProcess ? "thread" : "process") holds the lock of the directory"
      }
    }

    /// Takes the lock without waiting for it.
    ///
    /// - Throws: `Busy` if somebody else has it.
    init(_ directory: String) throws {
      var status = stat()
      try SystemError.check { stat(directory, &status) }
      let file = FileIdentity(status)
      hold = try Self.held.withLock { held in
        if let hold = held.all.first(where: { $0.file == file }) {
          guard hold.isOfThisThread else { throw Busy(isOfThisProcess: true) }
          hold.uses += 1
          return hold
        }
        let hold = try Self.lock(directory, file)
        held.all.append(hold)
        return hold
      }
    }

    deinit {
      Self.held.withLock { held in
        hold.uses -= 1
        if hold.uses == 0 { held.all.removeAll { $0 === hold } }
      }
    }

    /// Why there is no lock at all, on a file system that has none.
    var refusal: SystemError? { hold.refusal }

    /// Makes the names of the files survive a power failure, if the file system can do so.
    func synchronizeDirectory() throws {
      do {
        try hold.descriptor.synchronize()
      } catch let error as SystemError where error.code == EINVAL {}
    }

    private static func lock(_ directory: String, _ file: FileIdentity) throws -> Hold {
      do {
        let descriptor = try FileDescriptor(directory, O_RDONLY | O_DIRECTORY)
        try lock(descriptor)
        return Hold(file, descriptor, nil)
      } catch let error as SystemError where ([EACCES, EBADF] + refusals).contains(error.code) {
        // NFS cannot lock a directory (nor does it need `fsync` for its names), and a directory
        // without read permission cannot be opened. Such errors last. After an error that may pass,
        // processes would lock different things, and not wait for each other.
        let path = directory + ".TypedDefaults.lock"
        let descriptor = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        do {
          try lock(descriptor)
          return Hold(file, descriptor, nil)
        } catch let error as SystemError where refusals.contains(error.code) {
          unlink(path)
          return Hold(file, descriptor, error)
        }
      }
    }

    /// The errors of a file system that has no locks.
    private static let refusals = [EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP]

    private static func lock(_ descriptor: borrowing FileDescriptor) throws {
      do {
        try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      } catch let error as SystemError where error.code == EWOULDBLOCK {
        throw Busy(isOfThisProcess: false)
      }
    }
  }

  /// What tells two files apart, whatever their names are.
  struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    init(_ status: stat) {
      (device, node) = (status.st_dev, status.st_ino)
    }
  }
#endif
