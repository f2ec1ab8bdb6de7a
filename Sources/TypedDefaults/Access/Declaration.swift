/// What a declaration says of its setting.
final class Declaration: Sendable {
  let type: any Any.Type

  /// The default, and the form in which it is registered; nil if there is none.
  let defaultValue: (any Sendable)?
  let `default`: PropertyListObject?

  init(type: any Any.Type, defaultValue: (any Sendable)?, default: PropertyListObject?) {
    self.type = type
    self.defaultValue = defaultValue
    self.default = `default`
  }

  /// Whether two declarations of one key may stand side by side.
  func agrees(with other: Declaration) -> Bool {
    guard type == other.type else { return false }
    guard let mine = `default`, let others = other.default else { return true }
    return mine == others || areEqual(defaultValue, other.defaultValue, as: type)
  }
}
