/// The text of each issue: what happened, why, and what to do about it.
extension DefaultsIssue {
  static func undecodable<V: UserDefaultsSerializable>(
    _ object: PropertyListObject, as type: V.Type, key: String, at layer: Layer, hasDefault: Bool
  ) -> Self {
    let (subject, rest) =
      switch layer {
      case .argument:
        ("The launch argument -\(key)", "The argument is ignored. Correct it, or leave it out.")
      case .environment:
        ("The environment variable \(key)", "The variable is ignored. Correct it, or unset it.")
      case .stored, .registered:
        (
          "The stored value of \"\(key)\"",
          """
          The setting returns \(hasDefault ? "its default" : "nil"). Assign a value, which keeps the \
          old one as "\(key).undecodable", or reset the setting.
          """
        )
      }
    return Self(
      .undecodableValue, key: key,
      "\(subject) cannot be read as \(type): \(DecodingFault(in: object.object, as: type)). \(rest)"
    )
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
      "Correct the value, or remove it from the data.", key: key)
  }

  static func notImported(_ reason: String, _ advice: String, key: String? = nil) -> Self {
    Self(
      .undecodableValue, key: key,
      "The import failed and changed no setting: \(reason). \(advice)")
  }

  static func notExported(key: String, _ error: any Error) -> Self {
    Self(
      .unencodableValue, key: key,
      """
      The settings cannot be exported, because of the stored value of "\(key)": \(cause(error)). \
      Assign another value, or reset the setting.
      """)
  }

  static func unencodable(
    _ type: Any.Type, key: String, _ error: any Error,
    _ result: String = "The old value is kept. Assign a value that can be stored."
  ) -> Self {
    Self(
      .unencodableValue, key: key,
      "A value of type \(type) cannot be stored for \"\(key)\": \(cause(error)). \(result)")
  }

  static func conflicting(_ first: Declaration, _ second: Declaration, key: String) -> Self {
    func text(_ declaration: Declaration) -> String {
      "\(declaration.type)" + (declaration.default.map { " (the default is \($0))" } ?? "")
    }
    let advice =
      first.type == second.type
      ? """
      Give two settings two keys, and one setting one default. Make a default that changes, such as \
      UUID(), once, in a static let.
      """ : "Declare both with one type, or give one of them another key."
    let isComparable = first.type != second.type || first.type is any Equatable.Type
    return Self(
      .conflictingDefault, key: key,
      """
      "\(key)" is declared twice in one store: as \(text(first)), and as \(text(second)). Each \
      declaration uses its own type and default. \(advice)\
      \(isComparable ? "" : " If the defaults are equal, make \(first.type) Equatable.")
      """)
  }

  static func nameless(_ name: String, _ first: String, _ second: String) -> Self {
    Self(
      .conflictingDefault, key: name,
      """
      Two keys have the name "\(name)" and overwrite each other: init() made them at \(first) and \
      \(second). It cannot see the name of a stored property. Write static let volume: Self = \
      "volume", or static var volume: Self { .init() }.
      """)
  }

  static let notSynchronized = Self(
    .saveFailed, key: nil,
    """
    The preferences could not be saved: synchronize() returned false. The changes are kept in memory. \
    Call flush() to try again.
    """)

  /// An error in words that fit into a sentence.
  private static func cause(_ error: any Error) -> String {
    var text = "\(error)"
    if case EncodingError.invalidValue(_, let context) = error {
      text = context.debugDescription
    }
    while text.last == "." { text.removeLast() }
    return text
  }

  #if os(Linux) || os(Android)
    static func notSaved(_ file: PreferencesFile, _ error: any Error) -> Self {
      if let error = error as? PreferencesFile.NotSafe {
        return Self(
          .saveFailed, key: nil,
          """
          The preferences were saved in \(file.path), but a power failure could undo the save: \
          \(cause(error.cause)). The next change or flush() saves them again.\(file.advice(on: error.cause))
          """)
      }
      return Self(
        .saveFailed, key: nil,
        """
        The preferences could not be saved in \(file.path): \(cause(error)). The changes are kept in \
        memory for the next save.\(file.advice(on: error))
        """)
    }

    static func notSavedInTime(_ paths: [String]) -> Self {
      Self(
        .saveFailed, key: nil,
        """
        The preferences could not be saved\(paths.isEmpty ? "" : " in ")\
        \(paths.joined(separator: " or ")) within three seconds of the program's end. The newest changes \
        may be lost. Look for a slow disk, or with lslocks for a process that holds the directory's lock.
        """)
    }

    static func unsavable(_ key: String, _ error: any Error) -> Self {
      Self(
        .unencodableValue, key: key,
        """
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
        .damagedFile, key: nil,
        "\(file.path) is damaged: it is not a readable property list. \(kept), and \(result). \(advice)"
      )
    }

    static func unreadable(_ file: PreferencesFile, _ error: any Error) -> Self {
      Self(
        .damagedFile, key: nil,
        """
        \(file.path) cannot be read: \(cause(error)). Its settings return their defaults, and changes \
        are kept in memory only.\(file.advice(on: error))
        """)
    }
  #endif
}
