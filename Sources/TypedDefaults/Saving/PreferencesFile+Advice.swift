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
        case let error as SystemError: advice(on: error)
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

    private func advice(on error: SystemError) -> String? {
      switch error {
      case .accessDenied, .notPermitted: permissionAdvice
      case .diskFull: "Free disk space: df -h \(directory.quoted) shows how much is left."
      case .linksInACircle: "Correct the symbolic link \(quoted), which leads back to itself."
      case .missing: linkAdvice
      case .nameTooLong: "Give the suite a shorter name."
      case .noDirectory: "A part of the path is a file: move it away, or \(moving)."
      case .notText:
        "Name the directories in UTF-8 through which the symbolic link \(quoted) leads, or \(moving)."
      case .readOnly:
        "Mount the file system for writing, which findmnt -T \(directory.quoted) names, or \(moving)."
      default: error.advice
      }
    }

    /// A file of another user may be so on purpose, and a sticky directory serves all users.
    private var permissionAdvice: String {
      let user = FileOwner.current.user
      let place = directories.first(where: \.path.exists) ?? directory
      let isClosed = !place.path.isWritableDirectory
      let isSticky = place.status.map { $0.isSticky && $0.owner.user != user } ?? false
      let culprit = isClosed ? place : self
      guard let owner = culprit.status?.owner.user,
        isClosed || !path.isReadable || isSticky && owner != user
      else {
        return """
          The program runs as user \(user), and no permission forbids that. Look for an attribute with \
          lsattr -d \(directory.quoted) \(quoted), or for a rule of SELinux or AppArmor, or \(moving).
          """
      }
      if owner == user {
        return "The program runs as user \(user), the owner. Run chmod u+rwX \(culprit.quoted)."
      }
      let advice = """
        The program runs as user \(user), and \(culprit.quoted) belongs to user \(owner)\
        \(isSticky && !isClosed ? ", who alone may replace it in a sticky directory" : ""). Run the \
        program as that user, or \(moving).
        """
      // To give away a directory of others would be worse than the error.
      if isSticky || place.path != directory.path { return advice }
      let paths = isClosed && !path.isMissing ? "\(directory.quoted) \(quoted)" : culprit.quoted
      return """
        \(advice) If the settings are to be the program's own, run sudo chown \(user) \(paths).
        """
    }

    /// What to do about a link among the directories that leads nowhere.
    private var linkAdvice: String? {
      let links = directories.lazy.map { PreferencesFile(path: String($0.path.dropLast())) }
      guard let link = links.first(where: { $0.target != nil && $0.path.isMissing }),
        let target = link.target
      else { return nil }
      return """
        The symbolic link \(link.quoted) leads to \(target.quoted), which is missing. Correct the link, \
        or make the directory: mkdir -p \(target.quoted).
        """
    }

    private var target: PreferencesFile? {
      (try? path.linkTarget).map(PreferencesFile.init(path:))
    }

    private var status: FileStatus? { try? FileStatus(of: path) }

    private var directory: PreferencesFile { PreferencesFile(path: path.parentDirectory) }

    /// The directory of the file, and those around it.
    private var directories: some Sequence<PreferencesFile> {
      sequence(first: directory) { $0.path.count > 1 ? $0.directory : nil }
    }

    private var moving: String {
      path.hasPrefix(Self.directory.path(percentEncoded: false))
        ? "set XDG_CONFIG_HOME to another directory" : "give the suite a path in another directory"
    }

    /// The path, to paste into a command.
    var quoted: String { "'\(path.replacing([UInt8(ascii: "'"): #"'\''"#]))'" }
  }
#endif
