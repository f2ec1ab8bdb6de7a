#if os(Linux) || os(Android)
  internal import Foundation

  // Files and directories by their paths. By bytes, because Swift takes a slash and a mark that combines with
  // it for one `Character`.

  extension String {
    var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// The directory that holds the file or directory, with a slash at the end.
    var parentDirectory: String {
      let end = utf8.dropLast().lastIndex(of: UInt8(ascii: "/"))
      return end.map { String(decoding: utf8[...$0], as: UTF8.self) } ?? ""
    }

    /// The target of a symbolic link; nil if this is no link.
    ///
    /// - Throws: `EILSEQ` if the target is no text in UTF-8, which names another file than its
    ///   bytes do.
    var linkTarget: String? {
      get throws {
        // Not bytes without a sign: for those, Swift 6.0.3 hands over the address of the array itself.
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(self, &bytes, bytes.count)
        if count == -1 { return nil }
        guard let target = String(validating: bytes[..<count], as: UTF8.self) else {
          throw SystemError(EILSEQ)
        }
        return target.isAbsolutePath ? target : parentDirectory + target
      }
    }

    /// The path with symbolic links followed. The file that it leads to may be missing.
    var followingLinks: String {
      get throws {
        var path = self
        for _ in 0..<40 {
          guard let target = try path.linkTarget else { return path }
          path = target
        }
        throw SystemError(ELOOP)
      }
    }

    /// The path of a file beside this one, with a longer name: it is cut where there is no room.
    func withSuffix(_ suffix: String) -> String {
      var name = lastPathComponent
      while name.utf8.count > Int(NAME_MAX) - suffix.utf8.count { name.removeLast() }
      return parentDirectory + name + suffix
    }

    // MARK: Permissions

    var exists: Bool { permits(F_OK) }

    /// Whether a file can be read and written, or made.
    var isReadableAndWritable: Bool {
      permits(R_OK | W_OK) || errno == ENOENT && parentDirectory.permits(W_OK | X_OK)
    }

    func permits(_ mode: CInt) -> Bool {
      faccessat(AT_FDCWD, self, mode, AT_EACCESS) == 0
    }

    // MARK: Directories

    /// Makes the directory at this path, unless there is one, and those around it. It survives a power
    /// failure.
    func makeDirectory() throws {
      if exists { return }
      let parent = parentDirectory
      if !parent.isEmpty { try parent.makeDirectory() }
      do {
        try SystemError.check { mkdir(self, 0o700) }
      } catch EEXIST {
        return  // Another process has made it meanwhile.
      }
      // Whatever the program's mask is, where the file system has permissions.
      _ = chmod(self, 0o700)
      if let owner = FileOwner.toBe(in: parent) { _ = chown(self, owner.user, owner.group) }
      do {
        try parent.synchronizeDirectory()
      } catch {
        rmdir(self)  // The next save makes it again, and does not take it for safe.
        throw error
      }
    }

    /// Makes the names in a directory survive a power failure, if the file system can do so.
    func synchronizeDirectory() throws {
      do {
        try FileDescriptor(self, O_RDONLY | O_DIRECTORY).synchronize()
      } catch EACCES {
        sync()  // Without permission to read the directory, there is no other way.
      } catch EINVAL {}
    }
  }
#endif
