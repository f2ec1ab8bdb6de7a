/// The text of each issue about a value: what happened, why, and what to do about it.
extension DefaultsIssue {
  static func undecodable(
    _ fault: Fault, as type: Any.Type, key: String, _ found: Found, in file: String?,
    replacement: String, copy: String?
  ) -> Self {
    let advice =
      if !found.layer.advice.isEmpty {
        found.layer.advice
      } else if let copy {
        "Assign a value, which keeps the old one as \"\(copy)\", or reset the setting."
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

  static func leftOut(_ reason: String, key: String) -> Self {
    Self(
      kind: .undecodableValue, key: key,
      message: """
        The import left out what the export could not read either: \(reason). What is stored is kept. \
        Assign a value.
        """)
  }

  /// - Parameter key: That of the value that is at fault; nil if all of the data is.
  static func notImported(_ reason: String, key: String? = nil) -> Self {
    let advice =
      key == nil
      ? "Import data of the same group, exported with the same prefix."
      : "Correct the value, or remove it from the data."
    return Self(
      kind: .undecodableValue, key: key,
      message: "The import failed and changed no setting: \(reason). \(advice)")
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

  static func refused(_ fault: Fault, key: String) -> Self {
    Self(
      kind: .unencodableValue, key: key,
      message: """
        The setting does not accept its default of "\(key)", and returns it nevertheless: \(fault). \
        Declare another default.
        """)
  }

  static func conflicting(_ first: DeclaredKey, _ second: DeclaredKey) -> Self {
    let hidesDefaults = first.isSecret || second.isSecret
    func text(_ declared: DeclaredKey) -> String {
      guard !hidesDefaults, let object = declared.default else { return "\(declared.type)" }
      return "\(declared.type) (the default is \(object))"
    }
    return Self(
      kind: .conflictingDefault, key: first.key,
      message: """
        "\(first.key)" is declared twice in one store: as \(text(first)), and as \(text(second)). Each \
        declaration uses its own type and default. Give two settings two keys, and one setting one type \
        and one default. Make a default that changes, such as UUID(), once, in a static let.
        """)
  }

  static func variable(_ name: String, of first: String, and second: String) -> Self {
    Self(
      kind: .conflictingDefault, key: second,
      message: """
        The environment variable \(name) overrides both "\(first)" and "\(second)". Give each setting a \
        variable of its own, and leave environment: out of a group with several prefixes.
        """)
  }
}
