/// What each issue says: what happened, why, and what mends it.
extension DefaultsIssue {
  static func undecodable(
    _ object: PropertyListObject, as type: Any.Type, key: String, hasDefault: Bool
  ) -> Self {
    Self(
      .undecodableValue, key: key,
      """
      What is stored for "\(key)" cannot be read as \(type): it is \(object). \
      \(hasDefault ? "The default" : "nil") is returned instead, and what is stored stays until the \
      setting is assigned or reset.
      """)
  }

  static func undecodableArgument(
    _ object: PropertyListObject, as type: Any.Type, key: String
  ) -> Self {
    Self(
      .undecodableValue, key: key,
      """
      The launch argument -\(key) cannot be read as \(type): it is \(object). It is ignored.
      """)
  }

  static func unencodable(
    _ type: Any.Type, key: String, _ error: any Error, kept: String
  ) -> Self {
    Self(
      .unencodableValue, key: key,
      """
      A value of type \(type) for "\(key)" cannot be stored, and \(kept): \(error)
      """)
  }

  typealias Declaration = (type: any Any.Type, default: PropertyListObject?)

  static func conflicting(_ first: Declaration, _ second: Declaration, key: String) -> Self {
    func text(_ declaration: Declaration) -> String {
      "\(declaration.type)" + (declaration.default.map { " with the default \($0)" } ?? "")
    }
    return Self(
      .conflictingDefault, key: key,
      """
      "\(key)" is declared twice in one store: as \(text(first)), and as \(text(second)). Each \
      declaration goes on with its own. Give one of them another key.
      """)
  }

  static let notSynchronized = Self(
    .saveFailed, key: nil,
    "The preferences could not be saved; the changes stay in memory.")

  #if os(Linux) || os(Android)
    static func notSaved(_ file: PreferencesFile, _ error: any Error) -> Self {
      Self(
        .saveFailed, key: nil,
        """
        The preferences could not be saved in \(file.path): \(error). The file is as it was, and the \
        changes stay in memory; they are part of the next save, once the cause is gone.
        """)
    }

    static let notSavedInTime = Self(
      .saveFailed, key: nil,
      "The preferences could not be saved within three seconds, and the program ends.")

    static func unsavable(_ key: String, _ error: any Error) -> Self {
      Self(
        .unencodableValue, key: key,
        """
        What was set for "\(key)" is not saved, and the preferences file keeps the old value: \
        \(error). Assign another value.
        """)
    }

    static func damaged(_ file: PreferencesFile, keptAs aside: String, hasCopy: Bool) -> Self {
      Self(
        .damagedFile, key: nil,
        """
        \(file.path) is not a property list that can be read. It is kept as \(aside), and \
        \(hasCopy ? "what was last read from it is saved in its place" : "the defaults show again"). \
        To have its settings back, mend it and put it in place while the program does not run.
        """)
    }

    static func unreadable(_ file: PreferencesFile, _ error: any Error) -> Self {
      Self(
        .damagedFile, key: nil,
        """
        \(file.path) cannot be read: \(error). It stays as it is, the defaults show, and nothing is \
        saved before the cause is gone.
        """)
    }
  #endif
}
