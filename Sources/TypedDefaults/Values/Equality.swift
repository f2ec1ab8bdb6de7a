/// Returns whether two values are equal; false if their type is not `Equatable`.
///
/// Comparing the stored forms is not enough: equal sets may be formatted in different orders.
func areEqual<V>(_ left: V, _ right: V, as type: Any.Type) -> Bool {
  func areEqual<E: Equatable>(_ type: E.Type) -> Bool { left as? E == right as? E }
  guard let type = type as? any Equatable.Type else { return false }
  return areEqual(type)
}
