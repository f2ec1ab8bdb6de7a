/// What a declaration says of its setting.
struct Declaration: Sendable {
  let type: any Any.Type

  /// The default, and the form in which it is registered; nil if there is none.
  let defaultValue: (any Sendable)?
  let `default`: PropertyListObject?

  /// Whether two declarations of one key may stand side by side.
  func agrees(with other: Self) -> Bool {
    guard type == other.type else { return false }
    guard let mine = `default`, let others = other.default else { return true }
    return mine == others || areEqual(defaultValue, other.defaultValue, as: type)
  }
}
