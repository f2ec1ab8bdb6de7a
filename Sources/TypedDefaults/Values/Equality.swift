/// Whether two values of a type are equal, if the type is `Equatable`; else false.
///
/// Asked in addition to the stored forms: equal sets are formatted in different orders.
func areEqual<V>(_ left: V, _ right: V, as type: Any.Type) -> Bool {
  func areEqual<E: Equatable>(_ type: E.Type) -> Bool { left as? E == right as? E }
  guard let type = type as? any Equatable.Type else { return false }
  return areEqual(type)
}
