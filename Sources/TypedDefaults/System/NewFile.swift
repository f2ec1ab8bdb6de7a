#if os(Linux) || os(Android)
  internal import Foundation

  /// A new file that is to take the place of another one.
  struct NewFile {
    /// The path that was asked for, or another one if the file there cannot be removed.
    let path: String
    let descriptor: FileDescriptor

    /// Creates a file, in place of what a killed process has left behind.
    init(_ path: String) throws {
      unlink(path)
      var path = path
      do {
        descriptor = try Self.create(path)
      } catch EEXIST {
        // There is a directory, or a file that only another user may remove.
        path += "-\(UInt64.random(in: 0 ... .max))"
        descriptor = try Self.create(path)
      }
      self.path = path
    }

    private static func create(_ path: String) throws -> FileDescriptor {
      try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// Removes what has its name, which may be the old file by now.
    func remove() { unlink(path) }

    /// Gives the file the owner and the permissions of the old one. Where the file system refuses them,
    /// only the user may read it.
    ///
    /// - Parameter old: The path of the old file, which may be missing.
    func takePermissions(of old: String) throws {
      let status = try? FileStatus(of: old)
      var mode = status?.permissions ?? 0o600
      // A program run as root must not take the settings of another user.
      if let owner = status?.owner ?? .toBe(in: old.parentDirectory),
        fchown(descriptor.number, owner.user, owner.group) == -1,
        fchown(descriptor.number, .max, owner.group) == -1
      {
        // Whoever was in the old group is one of the others now, and the other way round.
        mode = mode & 0o700 | (mode & mode >> 3 & 7) * 0o11
      }
      // For a new file, too: the mask may have left it without permissions.
      if try FileStatus(of: descriptor).permissions != mode { fchmod(descriptor.number, mode) }
    }

    /// Gives the file the present time, more precisely than the file system's clock does: see
    /// `FileVersion.isSettled`.
    ///
    /// - Returns: Whether the file system lets it.
    func takeTime() -> Bool {
      var times = [timespec(), timespec()]
      clock_gettime(CLOCK_REALTIME, &times[0])
      times[1] = times[0]
      return futimens(descriptor.number, times) == 0
    }

    // MARK: Names

    /// Replaces the file at a path, if there is one.
    func replace(_ path: String) throws { try SystemError.check { rename(self.path, path) } }

    /// Takes a path, unless there is a file. Not every file system can do that.
    func take(_ path: String) throws { try move(to: path, flags: 1) }

    /// Exchanges its name with that of another file, in one step. Not every file system can do that.
    func exchange(with path: String) throws { try move(to: path, flags: 2) }

    private func move(to path: String, flags: CUnsignedInt) throws {
      guard let renameat2 = Self.renameat2 else { throw SystemError(ENOSYS) }
      try SystemError.check { renameat2(AT_FDCWD, self.path, AT_FDCWD, path, flags) }
    }

    private typealias Function =
      @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt

    /// Looked up by name, because Swift does not import it.
    private static let renameat2 = dlsym(nil, "renameat2").map {
      unsafeBitCast($0, to: Function.self)
    }
  }
#endif
