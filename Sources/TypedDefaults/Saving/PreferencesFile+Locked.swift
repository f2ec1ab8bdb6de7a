#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  extension PreferencesFile {
    /// Locks the file against other processes that use this library. A missing directory is made.
    ///
    /// - Throws: `DirectoryLock.Busy` if somebody else has the lock for all of a time.
    func locked(patience: Duration = .zero) throws -> Locked { try Locked(self, patience) }

    /// The file, locked together with all others of its directory until the object is gone.
    final class Locked {
      private let lock: DirectoryLock
      /// The file, with symbolic links followed.
      private let file: PreferencesFile
      private var path: String { file.path }
      private var found: Seen?
      /// What the file system has refused, though not the save.
      private(set) var refusals: [Refusal]
      private(set) var unsafety: NotSafe?

      fileprivate init(_ file: PreferencesFile, _ patience: Duration) throws {
        let file = try PreferencesFile(path: Self.followingLinks(file.path))
        let directory = file.path.parentDirectory
        try Self.makeDirectory(directory)
        let lock = try DirectoryLock(directory, patience: patience)
        self.file = file
        refusals = lock.refusal.map { [Refusal(.lock, $0)] } ?? []
        self.lock = lock
      }

      /// Returns the target of a symbolic link, which may be missing.
      private static func followingLinks(_ path: String) throws -> String {
        var path = path
        for _ in 0..<40 {
          guard let target = try path.linkTarget else { return path }
          path = target
        }
        throw SystemError(ELOOP)
      }

      private static func makeDirectory(_ path: String) throws {
        if access(path, F_OK) == 0 { return }
        let parent = path.parentDirectory
        if !parent.isEmpty { try makeDirectory(parent) }
        do {
          try SystemError.check { mkdir(path, 0o700) }
        } catch let error as SystemError where error.code == EEXIST {
          return  // Another process has made it meanwhile.
        }
        // Whatever the program's mask is, where the file system has permissions.
        _ = chmod(path, 0o700)
        if let owner = ownerToBe(in: parent) { _ = chown(path, owner.user, owner.group) }
        do {
          try FileDescriptor.synchronizeDirectory(parent)
        } catch {
          rmdir(path)  // The next save makes it again, and does not take it for safe.
          throw error
        }
      }

      /// The user to whom root gives a file that it makes in that user's directory.
      private static func ownerToBe(in directory: String) -> (user: uid_t, group: gid_t)? {
        guard geteuid() == 0, let status = try? FileDescriptor.status(of: directory) else {
          return nil
        }
        return (status.st_uid, status.st_gid)
      }

      /// Reads the file once it stands still.
      func read(
        unless known: Identity?, isExpected: Bool = false, patience: Duration
      ) throws -> Reading {
        let (reading, found) = try file.readSettled(
          unless: known, isExpected: isExpected, patience: patience)
        self.found = found
        return reading
      }

      // MARK: Keeping

      /// Keeps a copy of the damaged file beside it: of the first nine and the latest.
      ///
      /// - Returns: The path of the copy; nil if there is one already.
      func keep(_ damaged: Data) throws -> String? {
        let copy = try copy(damaged)
        // Else a power failure could leave the new file without the copy.
        try FileDescriptor.synchronizeDirectory(path.parentDirectory)
        return copy
      }

      private func copy(_ damaged: Data) throws -> String? {
        for number in 1... {
          let suffix = ".damaged-\(number)"
          var name = path.lastPathComponent
          while name.utf8.count > Int(NAME_MAX) - suffix.utf8.count { name.removeLast() }
          let copy = path.parentDirectory + name + suffix
          let old = try? FileDescriptor(copy, O_RDONLY | O_NONBLOCK).readToEnd()
          if old == damaged { return nil }
          if number < 10, access(copy, F_OK) == 0 { continue }
          var temporary = temporaryPath
          let descriptor = try Self.create(&temporary)
          try descriptor.writeAll(damaged)
          try descriptor.synchronize()
          try SystemError.check { rename(temporary, copy) }
          return copy
        }
        return nil
      }

      // MARK: Replacing

      /// Replaces the file in one step: at any moment it holds the old data or the new.
      ///
      /// - Returns: The identity of the new file. Nil, and nothing is replaced, if a program that
      ///   takes no lock, such as an editor, has changed the file since it was read.
      func replace(with data: Data) throws -> Identity? {
        var temporary = temporaryPath
        let descriptor = try Self.create(&temporary)
        defer { unlink(temporary) }
        try setPermissions(descriptor)
        try descriptor.writeAll(data)
        // More precise than the file system's clock: see `isSettled`.
        var times = [timespec(), timespec()]
        clock_gettime(CLOCK_REALTIME, &times[0])
        times[1] = times[0]
        let isExact = futimens(descriptor.number, times) == 0
        if !isExact { refusals.append(Refusal(.time)) }
        try descriptor.synchronize()
        let identity = Identity(try descriptor.status(), isExact: isExact)
        guard try exchange(temporary) else { return nil }
        do {
          try FileDescriptor.synchronizeDirectory(path.parentDirectory)
        } catch {
          unsafety = NotSafe(cause: error)
        }
        return identity
      }

      /// One name for all files of the directory, which share the lock: a save removes the file that
      /// a killed process has left behind. The name of the preferences file may be as long as a name
      /// can be.
      private var temporaryPath: String { path.parentDirectory + ".TypedDefaults.saving" }

      /// Puts a new file in place of this one, if this one is as it was found.
      ///
      /// - Returns: Whether the new file is in place.
      private func exchange(_ new: String) throws -> Bool {
        if let bytes = found?.bytes {
          guard bytes == (try? FileDescriptor(path, O_RDONLY).readToEnd()) else { return false }
        }
        guard isAsFound(path) else { return false }
        // A write between this check and the replacement would be lost. So the two files exchange
        // their names, where the file system can do that, and the old file is checked once more.
        let isMissing = access(path, F_OK) == -1
        do {
          if isMissing {
            try Rename.withoutReplacing(new, path)
            return true
          }
          try Rename.exchanging(new, path)
        } catch let error as SystemError where error.code == (isMissing ? EEXIST : ENOENT) {
          return false
        } catch let error as SystemError where [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) {
          try SystemError.check { rename(new, path) }
          return true
        }
        let old = new
        if isAsFound(old) { return true }
        try SystemError.check { rename(old, path) }
        return false
      }

      private func isAsFound(_ path: String) -> Bool {
        guard let found else { return true }
        return found.identity == (try? FileDescriptor.status(of: path)).map { Identity($0) }
      }

      /// Creates a file.
      ///
      /// - Parameter path: The path, which becomes another one if the file there cannot be removed.
      private static func create(_ path: inout String) throws -> FileDescriptor {
        unlink(path)
        do {
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch let error as SystemError where error.code == EEXIST {
          // There is a directory, or a file that only another user may remove.
          path += "-\(UInt64.random(in: 0 ... .max))"
          return try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
      }

      private func setPermissions(_ descriptor: FileDescriptor) throws {
        let old = try? FileDescriptor.status(of: path)
        // A program run as root must not take the settings of another user.
        let owner =
          old.map { ($0.st_uid, $0.st_gid) } ?? Self.ownerToBe(in: path.parentDirectory)
        var mode = old.map { $0.st_mode & 0o777 } ?? 0o600
        if let (user, group) = owner, fchown(descriptor.number, user, group) == -1,
          fchown(descriptor.number, .max, group) == -1
        {
          // Whoever was in the old group is one of the others now, and the other way round.
          mode = mode & 0o700 | (mode & mode >> 3 & 7) * 0o11
        }
        // For a new file, too: the mask may have left it without permissions.
        if try descriptor.status().st_mode & 0o777 != mode, fchmod(descriptor.number, mode) == -1 {
          refusals.append(Refusal(.permissions))
        }
      }
    }

    /// What a file system has refused. The save went on without it.
    struct Refusal {
      enum Part: Hashable { case lock, permissions, time }

      let part: Part
      let error: SystemError

      fileprivate init(_ part: Part, _ error: SystemError = SystemError()) {
        (self.part, self.error) = (part, error)
      }
    }

    /// The file has been replaced, but a power failure could undo it.
    struct NotSafe: Error {
      let cause: any Error
    }

    /// A save has taken too long.
    struct TooSlow: Error, CustomStringConvertible {
      let description = "the save took longer than ten seconds"
    }

    /// The file has changed between each reading and replacement.
    struct KeptChanging: Error, CustomStringConvertible {
      let description = "other programs kept changing the file"
    }
  }
#endif
