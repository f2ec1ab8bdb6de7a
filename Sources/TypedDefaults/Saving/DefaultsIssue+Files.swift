#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// The text of each issue about a file.
  extension DefaultsIssue {
    private init(_ kind: Kind, _ message: String) {
      self.init(kind: kind, key: nil, message: message)
    }

    /// - Parameter isUndone: Whether the changes are undone, in place of kept for the next save.
    static func notSaved(
      _ file: PreferencesFile, _ error: any Error, isUndone: Bool = false
    ) -> Self {
      let result = isUndone ? "are undone" : "are kept in memory for the next save"
      return Self(
        .saveFailed,
        """
        The preferences could not be saved in \(file.path): \(cause(error)). The changes \(result).
        """)
    }

    static func neverSaved(_ file: PreferencesFile) -> Self {
      let reason =
        file.canExist
        ? "this process is a child of fork, and the threads that save are its parent's"
        : "the name of a file holds no NUL"
      return Self(
        .saveFailed,
        """
        The preferences are not saved in \(file.path), because \(reason). What is assigned is kept in \
        memory only.
        """)
    }

    static func savedAgain(_ file: PreferencesFile) -> Self {
      Self(
        .savedAgain,
        "The preferences are saved again in \(file.path). No change that was kept is lost.")
    }

    static func notSavedInTime(_ paths: [String]) -> Self {
      Self(
        .saveFailed,
        """
        The preferences could not be saved in \(paths.joined(separator: " or ")) within three seconds of \
        the program's end. The newest changes may be lost.
        """)
    }

    static func lost(_ file: PreferencesFile) -> Self {
      Self(
        .saveFailed,
        """
        The preferences were not saved in \(file.path) before the end of the program. The changes that it \
        had kept in memory are lost.
        """)
    }

    static func unsavable(_ key: String, _ error: any Error) -> Self {
      Self(
        kind: .unencodableValue, key: key,
        message: """
          The value set for "\(key)" is not saved: \(cause(error)). The preferences file keeps the old \
          value. Assign another value.
          """)
    }

    static func kept(_ file: PreferencesFile, _ error: any Error, as copy: String) -> Self {
      Self(
        .damagedFile,
        """
        \(file.path) was damaged: \(cause(error)). It is replaced, and a copy is kept in \(copy).
        """)
    }

    static func damaged(_ file: PreferencesFile, _ error: any Error, isLoaded: Bool) -> Self {
      notRead(
        file, "is damaged", error, isLoaded: isLoaded,
        """
        . Correct the file. If the program changes a setting first, it keeps a copy of the file and \
        replaces it.
        """)
    }

    /// - Parameters:
    ///   - isLoaded: Whether the program has read settings from the file before.
    ///   - rest: The end of the sentence that says what is used, and what to do.
    static func notRead(
      _ file: PreferencesFile, _ fault: String, _ error: any Error, isLoaded: Bool = false,
      _ rest: String = "."
    ) -> Self {
      let used = isLoaded ? "the values it has read before" : "none of its values"
      return Self(
        .damagedFile,
        "\(file.path) \(fault): \(cause(error)). The library uses \(used)\(rest)")
    }

    static func unreadable(_ file: PreferencesFile, _ error: any Error) -> Self {
      notRead(file, "cannot be read", error, ", and keeps changes in memory only.")
    }
  }
#endif
