#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  /// The text of each issue about a file.
  extension DefaultsIssue {
    static func notSaved(_ file: PreferencesFile, _ error: any Error) -> Self {
      if let error = error as? PreferencesFile.NotSafe {
        return Self(
          kind: .saveFailed, key: nil,
          message: """
            The preferences were saved in \(file.path), but a power failure could undo the save: \
            \(cause(error.cause)). The next change or flush() saves them again.\(file.advice(on: error.cause))
            """)
      }
      return Self(
        kind: .saveFailed, key: nil,
        message: """
          The preferences could not be saved in \(file.path): \(cause(error)). The changes are kept in \
          memory for the next save.\(file.advice(on: error))
          """)
    }

    static func notSavedInTime(_ paths: [String]) -> Self {
      Self(
        kind: .saveFailed, key: nil,
        message: """
          The preferences could not be saved\(paths.isEmpty ? "" : " in ")\
          \(paths.joined(separator: " or ")) within three seconds of the program's end. The newest changes \
          may be lost. Look for a slow disk, or with lslocks for a process that holds the directory's lock.
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

    static func damaged(
      _ file: PreferencesFile, _ aside: PreferencesFile.Locked.Aside, hasCopy: Bool
    ) -> Self {
      let (kept, advice) =
        if case .kept(let path) = aside {
          (
            "The file is kept as \(path)",
            "To restore its settings, end the program, correct that file and rename it."
          )
        } else {
          (
            """
            The file is not kept, because \(file.path).damaged-1 to \
            .damaged-\(PreferencesFile.Locked.mostAside) exist
            """, "Delete those that you do not need."
          )
        }
      let result =
        hasCopy
        ? "the settings last read from it are saved again" : "its settings return their defaults"
      return Self(
        kind: .damagedFile, key: nil,
        message:
          "\(file.path) is damaged: it is not a readable property list. \(kept), and \(result). \(advice)"
      )
    }

    static func unreadable(_ file: PreferencesFile, _ error: any Error) -> Self {
      Self(
        kind: .damagedFile, key: nil,
        message: """
          \(file.path) cannot be read: \(cause(error)). Its settings return their defaults, and changes \
          are kept in memory only.\(file.advice(on: error))
          """)
    }
  }
#endif
