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

      fileprivate init(_ file: PreferencesFile, _ patience: Duration) throws {
        let file = try PreferencesFile(path: file.path.followingLinks)
        let directory = file.path.parentDirectory
        try directory.makeDirectory()
        lock = try DirectoryLock(directory, patience: patience)
        self.file = file
      }

      /// Reads the file once it stands still.
      func read(
        unless known: FileVersion?, isExpected: Bool = false, patience: Duration
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
        try synchronizeDirectory()
        return copy
      }

      private func copy(_ damaged: Data) throws -> String? {
        for number in 1... {
          let copy = path.withSuffix(".damaged-\(number)")
          let old = try? FileDescriptor(reading: copy).readToEnd()
          if old == damaged { return nil }
          if number < 10, copy.exists { continue }
          let new = try NewFile(temporaryPath)
          defer { new.remove() }
          try new.descriptor.writeAll(damaged)
          try new.descriptor.synchronize()
          try new.replace(copy)
          return copy
        }
        return nil
      }

      // MARK: Replacing

      /// Replaces the file in one step: at any moment it holds the old data or the new. A power failure
      /// may undo that until the directory is synchronized.
      ///
      /// - Returns: The identity of the new file. Nil, and nothing is replaced, if a program that
      ///   takes no lock, such as an editor, has changed the file since it was read.
      func replace(with data: Data) throws -> FileVersion? {
        // What cannot be read again is not to be written.
        try FileRefusal.check(size: data.count)
        let new = try NewFile(temporaryPath)
        defer { new.remove() }
        try new.takePermissions(of: path)
        try new.descriptor.writeAll(data)
        let isExact = new.takeTime()
        try new.descriptor.synchronize()
        let identity = try FileStatus(of: new.descriptor).version(isExact: isExact)
        return try exchange(new) ? identity : nil
      }

      func synchronizeDirectory() throws { try path.parentDirectory.synchronizeDirectory() }

      /// One name for all files of the directory, which share the lock: a save removes the file that
      /// a killed process has left behind. The name of the preferences file may be as long as a name
      /// can be.
      private var temporaryPath: String { path.parentDirectory + ".TypedDefaults.saving" }

      /// Puts a new file in place of this one, if this one is as it was found.
      ///
      /// - Returns: Whether the new file is in place.
      private func exchange(_ new: NewFile) throws -> Bool {
        if let bytes = found?.bytes {
          guard bytes == (try? FileDescriptor(reading: path).readToEnd()) else { return false }
        }
        guard isAsFound(path) else { return false }
        // A write between this check and the replacement would be lost. So the two files exchange
        // their names, where the file system can do that, and the old file is checked once more.
        let isMissing = !path.exists
        do {
          if isMissing {
            try new.take(path)
            return true
          }
          try new.exchange(with: path)
        } catch isMissing ? EEXIST : ENOENT {
          return false
        } catch let error as SystemError where error.isUnsupported {
          try new.replace(path)
          return true
        }
        // The old file has the new one's name now.
        if isAsFound(new.path) { return true }
        try new.replace(path)
        return false
      }

      private func isAsFound(_ path: String) -> Bool {
        guard let found else { return true }
        return found.identity == (try? FileStatus(of: path))?.version()
      }
    }
  }
#endif
