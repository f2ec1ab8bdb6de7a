/// What each issue says: what happened, why, and what mends it.
extension DefaultsIssue {
  static func undecodable<V: UserDefaultsSerializable>(
    _ object: PropertyListObject, as type: V.Type, key: String, at layer: Layer, hasDefault: Bool
  ) -> Self {
    let (subject, consequence) =
      switch layer {
      case .argument: ("The launch argument -\(key)", "The argument is ignored.")
      case .environment: ("The environment variable \(key)", "The variable is ignored.")
      case .stored, .registered:
        (
          "What is stored for \"\(key)\"",
          """
          \(hasDefault ? "The default" : "nil") is returned instead. An assignment keeps the old \
          value as "\(key).undecodable"; a reset removes it.
          """
        )
      }
    return Self(
      .undecodableValue, key: key,
      """
      \(subject) cannot be read as \(type): \(DecodingFault(in: object.object, as: type)). \
      \(consequence)
      """)
  }

  /// In the form that command-line programs use.
  static func invalid<V: UserDefaultsSerializable>(
    _ text: String, as type: V.Type, key: String
  ) -> Self {
    Self(
      .undecodableValue, key: key,
      "invalid value \(text.quotedInBrief) for \(key); \(DecodingFault.inText(text, as: type))")
  }

  static func notImported<V: UserDefaultsSerializable>(
    _ object: PropertyListObject, as type: V.Type, key: String
  ) -> Self {
    notImported(
      "\"\(key)\" cannot be read as \(type): \(DecodingFault(in: object.object, as: type))",
      key: key)
  }

  static func notImported(_ reason: String, key: String? = nil) -> Self {
    Self(
      .undecodableValue, key: key,
      "The settings are not imported, and nothing is changed: \(reason).")
  }

  static func notExported(key: String, _ error: any Error) -> Self {
    Self(
      .unencodableValue, key: key,
      """
      The settings cannot be exported, because what is stored for "\(key)" has no form that a file can \
      hold: \(error). Assign another value, or reset the setting.
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

  static func conflicting(_ first: Declaration, _ second: Declaration, key: String) -> Self {
    func text(_ declaration: Declaration) -> String {
      "\(declaration.type)" + (declaration.default.map { " with the default \($0)" } ?? "")
    }
    let advice =
      first.type == second.type
      ? """
      If they are two settings, give one of them another key. If they are one, whose default is made \
      anew each time as UUID() is, make the default once, in a static let.
      """ : "Declare both with one type, or give one of them another key."
    let isComparable = first.type != second.type || first.type is any Equatable.Type
    return Self(
      .conflictingDefault, key: key,
      """
      "\(key)" is declared twice in one store: as \(text(first)), and as \(text(second)). Each \
      declaration goes on with its own. \(advice)\
      \(isComparable ? "" : " If they are equal, make the type Equatable, so that it can be seen.")
      """)
  }

  static func nameless(_ name: String, _ first: String, _ second: String) -> Self {
    Self(
      .conflictingDefault, key: name,
      """
      Two keys are both called "\(name)", and overwrite each other: the ones made by init() at \
      \(first) and \(second). A stored property is not told its name. Write static let volume: Self = \
      "volume", or static var volume: Self { .init() }.
      """)
  }

  static let notSynchronized = Self(
    .saveFailed, key: nil,
    "The preferences could not be saved; the changes stay in memory.")

  #if os(Linux) || os(Android)
    static func notSaved(_ file: PreferencesFile, _ error: any Error) -> Self {
      if let error = error as? PreferencesFile.NotSafe {
        return Self(
          .saveFailed, key: nil,
          """
          The preferences were saved in \(file.path), but a power failure may undo it: \
          \(error.cause). They are saved once more with the next change, or by `flush()`.
          """)
      }
      return Self(
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

    static func damaged(
      _ file: PreferencesFile, _ aside: PreferencesFile.Locked.Aside, hasCopy: Bool
    ) -> Self {
      let result =
        hasCopy ? "what was last read from it is saved in its place" : "the defaults show again"
      let (kept, advice) =
        if case .kept(let path) = aside {
          (
            "kept as \(path)",
            "To have its settings back, mend it and put it in place while the program does not run."
          )
        } else {
          (
            """
            not kept, because \(file.path).damaged-1 to \
            .damaged-\(PreferencesFile.Locked.mostAside) are there already
            """, "Delete those that you do not need."
          )
        }
      return Self(
        .damagedFile, key: nil,
        """
        \(file.path) is not a property list that can be read. It is \(kept), and \(result). \(advice)
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
