internal import Foundation

/// The range of a declaration, of whatever type its values are.
@usableFromInline
final class DeclaredRange: Sendable {
  /// Returns the values that the range accepts, in words.
  let words: @Sendable () -> String
  /// Returns the texts of the least and the greatest value in the range.
  let bounds: @Sendable () -> Expectation.Bounds
  /// Returns whether a value is in the range.
  let contains: @Sendable (any Sendable) -> Bool

  init<V: UserDefaultsSerializable & Comparable>(_ range: some RangeExpression<V> & Sendable) {
    words = { Expectation.words(for: V.self, in: range) }
    bounds = { Expectation.bounds(for: V.self, in: range) }
    contains = { value in
      // A type that defines only `<` has a `<=` that accepts what is not a number, and a decimal NaN is
      // less than each number.
      guard let value = value as? V, value == value, (value as? Decimal)?.isNaN != true
      else { return false }
      return range.contains(value)
    }
  }
}

extension Setting {
  /// Whether a value is in the declaration's range, if that has one.
  func accepts<V: UserDefaultsSerializable>(_ value: V) -> Bool {
    declaration.range?.contains(value) ?? true
  }

  /// Returns what is wrong with an object that cannot be read, without a word about that of a secret.
  ///
  /// - Parameters:
  ///   - found: The words for the object, if they are others than its own.
  ///   - expectation: What was expected, in words; nil for the values that the setting accepts.
  func fault<V: UserDefaultsSerializable>(
    in object: PropertyListObject, as type: V.Type, found: String? = nil,
    expecting expectation: String? = nil
  ) -> Fault {
    let expectation = expectation ?? self.expectation(of: type)
    return isSecret
      ? Fault(description: "\(found ?? "it is a secret; ")expected \(expectation)")
      : Fault(
        in: object.object, as: type, found: found ?? "it is \(object); ", expecting: expectation)
  }

  /// The values that the setting accepts, in words.
  func expectation<V: UserDefaultsSerializable>(of type: V.Type) -> String {
    declaration.range?.words() ?? Expectation.words(for: type)
  }

  /// The texts of the least and the greatest value that the setting accepts.
  func bounds<V: UserDefaultsSerializable>(of type: V.Type) -> Expectation.Bounds {
    declaration.range?.bounds() ?? Expectation.bounds(for: type)
  }

  /// The texts of all values, if the type tells them.
  func choices<V: UserDefaultsSerializable>(of type: V.Type) -> [String] {
    Expectation.choices(of: type).filter { V(text: $0).map(accepts) ?? false }
  }
}
