#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  extension PreferencesFile {
    /// Returns a sentence on what a person can do about an error of this file, with a space before
    /// it.
    ///
    /// - Returns: The sentence; empty if nothing is known that the error does not say.
    func advice(on error: any Error) -> String {
      let advice: String? =
        switch error {
        case let error as SystemError: advice(on: error.code)
        case is NotAFile:
          "Move it away: mv \(quoted) \(PreferencesFile(path: path + ".old").quoted)."
        case is TooSlow: "Look for a slow disk."
        case is KeptChanging: "Let only one of them write the file at a time."
        case let busy as DirectoryLock.Busy where !busy.isOfThisProcess:
          "Find that process with lslocks, and end it if it hangs."
        default: nil
        }
      return advice.map { " \($0)" } ?? ""
    }

    private func advice(on code: CInt) -> String? {
      switch code {
      case EACCES, EPERM:
        """
        The program runs as user \(geteuid()). Run ls -ld \(directory.quoted) \(quoted) to see who may \
        use the file and its directory. Give both to that user with sudo chown \(geteuid()) \
        \(directory.quoted) \(quoted), or \(moving).
        """
      case EBUSY: "If the file is a mount point, mount its directory instead."
      case EDQUOT: "Delete files of this user, or raise the disk quota, which quota -s shows."
      case EFBIG: "Raise the program's file-size limit: ulimit -f unlimited."
      case EILSEQ:
        "Name the directories in UTF-8 through which the symbolic link \(quoted) leads, or \(moving)."
      case EIO: "Check the disk: sudo dmesg shows its errors."
      case ELOOP: "Correct the symbolic link \(quoted), which leads back to itself."
      case EMFILE: "Close files that the program does not need, or raise its limit: ulimit -n 4096."
      case ENAMETOOLONG: "Give the suite a shorter name."
      case ENFILE:
        "End programs that have many files open, or raise the limit that sysctl fs.file-max shows."
      case ENOMEM: "Free memory."
      case ENOSPC: "Free disk space: df -h \(directory.quoted) shows how much is left."
      case ENOTDIR: "A part of the path is a file: move it away, or \(moving)."
      case EROFS:
        "Mount the file system for writing, which findmnt -T \(directory.quoted) names, or \(moving)."
      case ESTALE: "Mount the network file system again."
      default: nil
      }
    }

    private var directory: PreferencesFile { PreferencesFile(path: path.parentDirectory) }

    private var moving: String {
      path.hasPrefix(Self.directory.path(percentEncoded: false))
        ? "set XDG_CONFIG_HOME to another directory" : "give the suite a path in another directory"
    }

    /// The path, to paste into a command.
    var quoted: String { "'\(path.replacing("'", with: "'\\''"))'" }
  }
#endif
