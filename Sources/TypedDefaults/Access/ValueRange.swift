/// The range of a declaration, of whatever type its values are.
@usableFromInline
class DeclaredRange: @unchecked Sendable {  // Its subclass adds a `let`.
  private let range: any Sendable
  private let makeWords: @Sendable () -> String

  fileprivate init(_ range: any Sendable, words: @escaping @Sendable () -> String) {
    self.range = range
    makeWords = words
  }

  /// The values that the range accepts, in words.
  final var words: String { makeWords() }

  final func isSame(as other: DeclaredRange) -> Bool {
    func isEqual<R>(_ range: R) -> Bool {
      (other.range as? R).map { areEqual(range, $0, as: R.self) } ?? false
    }
    return isEqual(range) || words == other.words
  }
}

/// The range of a declaration.
final class ValueRange<V: UserDefaultsSerializable>: DeclaredRange, @unchecked Sendable {
  let contains: @Sendable (V) -> Bool

  init(_ range: some RangeExpression<V> & Sendable) where V: Comparable {
    contains = { range.contains($0) }
    super.init(range) { Expectation.words(for: V.self, in: range) }
  }
}

extension Setting {
  /// Whether a value is in the declaration's range, if that has one.
  func accepts<V: UserDefaultsSerializable>(_ value: V) -> Bool {
    guard let range = declaration.range else { return true }
    return unsafeDowncast(range, to: ValueRange<V>.self).contains(value)
  }

  /// Returns the value of an object, if it is in the declaration's range.
  func acceptedValue<V: UserDefaultsSerializable>(of object: PropertyListObject) -> V? {
    guard let value: V = Self.decode(object), accepts(value) else { return nil }
    return value
  }

  /// Returns the part of an object that cannot be read.
  func fault<V: UserDefaultsSerializable>(
    in object: PropertyListObject, as type: V.Type
  ) -> DecodingFault {
    DecodingFault(in: object.object, as: type, expecting: declaration.range?.words)
  }

  /// The values that the setting accepts, in words.
  func expectation<V: UserDefaultsSerializable>(of type: V.Type) -> String {
    declaration.range?.words ?? Expectation.words(for: type)
  }

  /// The texts of all values, if the type tells them.
  func choices<V: UserDefaultsSerializable>(of type: V.Type) -> [String] {
    Expectation.choices(of: type).filter { V(text: $0).map(accepts) ?? false }
  }
}
