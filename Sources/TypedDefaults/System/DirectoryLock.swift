#if os(Linux) || os(Android)
  internal import Foundation

  /// A lock between processes, and between threads, released when the object is gone. A thread
  /// that has it may take it again. It is a lock of the directory itself, so that no lock file is left
  /// behind, or left to the wrong user.
  final class DirectoryLock {
    private let hold: Hold

    /// What the process holds of one directory, or tries to.
    private final class Hold: @unchecked Sendable {  // Only ever used under the lock of `held`.
      let file: FileIdentity
      let thread = pthread_self()
      var uses = 1
      let descriptor: FileDescriptor
      private let lockFile: String?

      init(_ file: FileIdentity, _ descriptor: FileDescriptor, lockFile: String? = nil) {
        (self.file, self.descriptor, self.lockFile) = (file, descriptor, lockFile)
      }

      deinit { unlock() }

      func unlock() {
        // Closing is not enough while a forked child has the descriptor, too.
        flock(descriptor.number, LOCK_UN)
      }

      func lock() throws {
        do {
          try SystemError.check { flock(descriptor.number, LOCK_EX | LOCK_NB) }
        } catch EWOULDBLOCK {
          throw Busy(isOfThisProcess: false)
        } catch let error as SystemError where error.lasts {
          guard let lockFile else { throw error }
          unlink(lockFile)
        }
      }

      var isOfThisThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
    }

    private static let held = Mutex<[Hold]>([])

    /// Whether this thread has the lock of any directory.
    static var isOfThisThread: Bool { held.withLock { $0.contains(where: \.isOfThisThread) } }

    /// Releases the locks of this thread, which ends the process and never comes to release them.
    static func abandon() {
      held.withLock { held in
        for hold in held where hold.isOfThisThread { hold.unlock() }
        held.removeAll(where: \.isOfThisThread)
      }
    }

    struct Busy: Error, CustomStringConvertible {
      let isOfThisProcess: Bool

      var description: String {
        "another \(isOfThisProcess ? "thread" : "process") holds the lock of the directory"
      }
    }

    /// Takes the lock.
    ///
    /// - Throws: `Busy` if somebody else has it for all of a time.
    init(_ directory: String, patience: Duration) throws {
      let file = try FileStatus(of: directory).identity
      do {
        let descriptor = try FileDescriptor(directory, O_RDONLY | O_DIRECTORY)
        hold = try Self.take(Hold(file, descriptor), patience)
      } catch let error as SystemError where error.lasts {
        let path = directory + ".TypedDefaults.lock"
        let descriptor = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        hold = try Self.take(Hold(file, descriptor, lockFile: path), patience)
      }
    }

    /// Asks again and again, because a wait in the kernel has no time limit.
    private static func take(_ hold: Hold, _ patience: Duration) throws -> Hold {
      let end = ContinuousClock.now + patience
      var pause = Duration.microseconds(100)
      while true {
        do {
          return try take(hold)
        } catch is Busy where .now < end {
          pause.sleep()
          pause = min(pause * 2, .microseconds(.random(in: 1000...3000)))
        }
      }
    }

    private static func take(_ hold: Hold) throws -> Hold {
      try held.withLock { held in
        if let other = held.first(where: { $0.file == hold.file }) {
          guard other.isOfThisThread else { throw Busy(isOfThisProcess: true) }
          other.uses += 1
          return other
        }
        try hold.lock()
        held.append(hold)
        return hold
      }
    }

    deinit {
      Self.held.withLock { held in
        hold.uses -= 1
        if hold.uses == 0 { held.removeAll { $0 === hold } }
      }
    }
  }

  extension SystemError {
    /// Whether a directory can never be locked. NFS cannot do it (nor does it need `fsync` for its
    /// names), and a directory without read permission cannot be opened. After an error that may
    /// pass, processes would lock different things, and not wait for each other.
    fileprivate var lasts: Bool {
      [EACCES, EBADF, EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP].contains(code)
    }
  }
#endif
