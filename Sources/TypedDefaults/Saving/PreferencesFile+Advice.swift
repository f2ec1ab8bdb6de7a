#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  extension PreferencesFile {
    /// Returns sentences on what a person can do about an error of this file, with a space before
    /// them.
    ///
    /// - Returns: The sentences; empty if nothing is known that the error does not say.
    func advice(on error: any Error) -> String {
      let advice: String? =
        switch error {
        case let error as SystemError: advice(on: error.code)
        case is NotAFile: "Move it away: mv \(quoted(path)) \(quoted(path + ".old"))."
        case is KeptChanging: "Let only one of them write the file at a time."
        case is DirectoryLock.Busy: "Find that process with lslocks, and end it if it hangs."
        default: nil
        }
      return advice.map { " \($0)" } ?? ""
    }

    private func advice(on code: CInt) -> String? {
      let elsewhere = moving(to: "another directory")
      return switch code {
      case EACCES: permissionAdvice
      case EBUSY: "If the file is a mount point, mount its directory instead."
      case EDQUOT: "Delete files of this user, or raise the disk quota."
      case EFBIG: "Raise the program's file-size limit (ulimit -f)."
      case EIO: "Check the disk: dmesg shows its errors."
      case ELOOP: "Correct the symbolic link \(quoted(path)), which leads back to itself."
      case EMFILE: "Close files that the program does not need, or raise its limit (ulimit -n)."
      case ENAMETOOLONG: "Give the suite a shorter name."
      case ENFILE: "End programs that have many files open, or raise fs.file-max (sysctl)."
      case ENOLCK, ENOSYS, EOPNOTSUPP: "If its file system has no file locks, \(elsewhere)."
      case ENOMEM: "Free memory."
      case ENOSPC: "Free disk space."
      case ENOTDIR:
        "\(fileInTheWay.map(quoted) ?? "A part of the path") is a file: move it away, or \(elsewhere)."
      // Of another user's file, a link to keep it aside is refused.
      case EPERM:
        ownerAdvice(way[0])
          ?? "If lsattr shows that the file or its directory is immutable, run chattr -i."
      case EROFS: "Mount the file system for writing, or \(elsewhere)."
      case ESTALE: "Mount the network file system again."
      default: nil
      }
    }

    /// The file, where links lead, and each directory that it lies in, the innermost first.
    private var way: [String] {
      let file = (try? Locked.followingLinks(Path(path))) ?? Path(path)
      return sequence(first: file) { path in
        let parent = path.directory
        return parent.count == 0 ? nil : parent.cut(to: max(1, parent.count - 1))
      }.map(\.string)
    }

    private var fileInTheWay: String? {
      way.dropFirst().last { directory in
        var status = stat()
        return stat(directory, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
      }
    }

    private var permissionAdvice: String {
      func may(_ mode: CInt, _ path: String) -> Bool {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 || errno != EACCES
      }
      let directories = way.dropFirst()
      // In the order in which they are used. A directory that is missing is made in its parent.
      let closed =
        directories.last { !may(X_OK, $0) } ?? way.prefix(1).first { !may(R_OK, $0) }
        ?? directories.first { access($0, F_OK) == 0 }.flatMap { may(W_OK, $0) ? nil : $0 }
      guard let closed else {
        return "Check the permissions of \(quoted(way[0])), and the rules of SELinux or AppArmor."
      }
      return ownerAdvice(closed) ?? "Run chmod u+rwX \(quoted(closed))."
    }

    /// Nil for what belongs to the user that the program runs as.
    private func ownerAdvice(_ path: String) -> String? {
      var status = stat()
      let user = geteuid()
      guard stat(path, &status) == 0, status.st_uid != user else { return nil }
      let moving = moving(to: "a directory of user \(user)")
      // A directory further out may be the system's, and is not to be given away.
      let change =
        way.prefix(2).contains(path)
        ? "Run chown \(user) \(quoted(path)) as root, or \(moving)."
        : "\(moving.prefix(1).uppercased())\(moving.dropFirst())."
      return """
        \(quoted(path)) belongs to user \(status.st_uid), and the program runs as user \(user). \
        \(change)
        """
    }

    private func moving(to place: String) -> String {
      path.hasPrefix(Self.directory.path(percentEncoded: false))
        ? "set XDG_CONFIG_HOME to \(place)" : "give the suite a path in \(place)"
    }

    private func quoted(_ path: String) -> String {
      "'\(path.replacing("'", with: "'\\''"))'"
    }
  }
#endif
