/// The text of each issue about a value: what happened, why, and what to do about it.
extension DefaultsIssue {
  static func undecodable(
    _ fault: Fault, as type: Any.Type, key: String, _ found: Found, in file: String?,
    replacement: String, copy: String?, isKept: Bool
  ) -> Self {
    let advice =
      if !found.layer.advice.isEmpty {
        found.layer.advice
      } else if let copy, isKept {
        "Assign a value, which keeps the old one as \"\(copy)\", or reset the setting."
      } else if let copy {
        """
        Assign a value or reset the setting: no copy of the old one is kept, because another setting \
        has the key "\(copy)".
        """
      } else {
        "Assign a value, which removes the old one without a copy, or reset the setting."
      }
    return Self(
      kind: .undecodableValue, key: key,
      message: """
        \(found.layer.subject(found.name))\(file.map { " in \($0)" } ?? "") cannot be read as \(type): \
        \(fault). The setting returns \(replacement). \(advice)
        """)
  }

  /// In the form that command-line programs use.
  ///
  /// - Parameter text: The text; nil for that of a secret.
  static func invalid(_ text: String?, _ fault: Fault, key: String) -> Self {
    Self(
      kind: .undecodableValue, key: key,
      message: "invalid value \(text.map { "\($0.quotedInBrief) " } ?? "")for \(key); \(fault)")
  }

  static func notImported(
    _ fault: Fault, as type: Any.Type, key: String, _ name: String
  ) -> Self {
    notImported(
      "\"\(name)\" cannot be read as \(type): \(fault)",
      "Correct the value, or remove it from the data.", key: key)
  }

  static func notImported(_ reason: String, _ advice: String, key: String? = nil) -> Self {
    Self(
      kind: .undecodableValue, key: key,
      message: "The import failed and changed no setting: \(reason). \(advice)")
  }

  static func foreign(_ prefix: String, to own: String) -> Self {
    notImported(
      "the data has the prefix \"\(prefix)\", and the group has \"\(own)\"",
      "Import data of the same group, exported with the same prefix.")
  }

  static func reserved(_ key: String) -> Self {
    Self(
      kind: .conflictingDefault, key: key,
      message: """
        "\(key)" is the key by which an export says whose it is. Exports and imports leave out the \
        setting of this key. Give the setting another key.
        """)
  }

  static func notExported(key: String, _ error: any Error) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: """
        The settings cannot be exported, because of the stored value of "\(key)": \(cause(error)). \
        Assign another value, or reset the setting.
        """)
  }

  static func unencodable(
    _ type: Any.Type, key: String, _ error: any Error,
    _ result: String = "The old value is kept. Assign a value that can be stored."
  ) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: "A value of type \(type) cannot be stored for \"\(key)\": \(cause(error)). \(result)"
    )
  }

  static func outOfRange(_ fault: Fault, key: String) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: """
        The default of "\(key)" is not in its range: \(fault). The setting returns the default \
        nevertheless. Declare a default in the range, or another range.
        """)
  }

  static func refused(_ fault: Fault, by type: Any.Type, key: String) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: """
        \(type) refuses the default of "\(key)": \(fault). The setting returns the default nevertheless. \
        Declare a default that \(type) accepts.
        """)
  }

  static func conflicting(_ first: Declaration, _ second: Declaration, key: String) -> Self {
    func text(_ declaration: Declaration) -> String {
      let details = [
        declaration.range?.words,
        first.isSecret || second.isSecret
          ? nil : declaration.default.map { "the default is \($0)" },
      ].compactMap(\.self)
      return "\(declaration.type)"
        + (details.isEmpty ? "" : " (\(details.joined(separator: "; ")))")
    }
    let (difference, advice) =
      if first.type != second.type {
        ("type and default", "Declare both with one type, or give one of them another key.")
      } else if !first.hasSameRange(as: second) {
        ("range", "Give two settings two keys, and one setting one range.")
      } else {
        (
          "default",
          """
          Give two settings two keys, and one setting one default. Make a default that changes, such \
          as UUID(), once, in a static let.
          """
        )
      }
    let isComparable = first.type != second.type || first.type is any Equatable.Type
    return Self(
      kind: .conflictingDefault, key: key,
      message: """
        "\(key)" is declared twice in one store: as \(text(first)), and as \(text(second)). Each \
        declaration uses its own \(difference). \(advice)\
        \(isComparable ? "" : " If the defaults are equal, make \(first.type) Equatable.")
        """)
  }

  static func declaredTwice(_ key: String) -> Self {
    Self(
      kind: .conflictingDefault, key: key,
      message: """
        "\(key)" is declared twice in one group: the two settings share one stored value. Give each \
        setting a key of its own, or each group inside a prefix of its own.
        """)
  }

  static func formerItself(_ key: String) -> Self {
    Self(
      kind: .conflictingDefault, key: key,
      message:
        "\"\(key)\" is declared as its own former key, which is ignored. Leave it out of formerly:."
    )
  }

  static func clashing(_ former: String, with key: String) -> Self {
    Self(
      kind: .conflictingDefault, key: former,
      message: """
        "\(former)" is a former key of "\(key)", and the key of another setting in the same store. The \
        other setting keeps its value, and "\(key)" ignores that key. Give the other setting a new key, \
        or leave "\(former)" out of formerly:.
        """)
  }

  static func variable(_ name: String, of first: String, and second: String) -> Self {
    Self(
      kind: .conflictingDefault, key: second,
      message: """
        The environment variable \(name) overrides both "\(first)" and "\(second)", because a group \
        declares it under several prefixes. While it is set, all of them return its value. Leave \
        environment: out of such a group.
        """)
  }

  /// - Parameter next: The argument after it; nil if it is the last one.
  static func valueless(
    _ argument: String, before next: String?, key: String, isSecret: Bool
  ) -> Self {
    let cause =
      next.map { "\(isSecret ? "the next one" : $0.quotedInBrief) begins with a hyphen" }
      ?? "it is the last one"
    return Self(
      kind: .undecodableValue, key: key,
      message: """
        The launch argument -\(argument) has no value, because \(cause). The setting ignores the \
        argument. Write a value after it, and quote one with a hyphen: -\(argument) '"-5"'.
        """)
  }

  static func outrun(key: String, tries: Int) -> Self {
    Self(
      kind: .saveFailed, key: key,
      message: """
        The value of "\(key)" is not changed: in \(tries) tries, another change came first each time. \
        Try again later.
        """)
  }

  static func nameless(_ name: String, _ first: String, _ second: String) -> Self {
    Self(
      kind: .conflictingDefault, key: name,
      message: """
        Two keys have the name "\(name)" and overwrite each other: init() made them at \(first) and \
        \(second). It cannot see the name of a stored property. Write static let volume: Self = \
        "volume", or static var volume: Self { .init() }.
        """)
  }
}
