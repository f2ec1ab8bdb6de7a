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
}
