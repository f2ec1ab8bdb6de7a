internal import Foundation

/// The range of a declaration, of whatever type its values are.
@usableFromInline
final class DeclaredRange: Sendable {
  private let makeWords: @Sendable () -> String
  private let makeBounds: @Sendable () -> Expectation.Bounds
  /// Returns whether a value is in the range.
  let contains: @Sendable (any Sendable) -> Bool

  init<V: UserDefaultsSerializable & Comparable>(_ range: some RangeExpression<V> & Sendable) {
    makeWords = { Expectation.words(for: V.self, in: range) }
    makeBounds = { Expectation.bounds(for: V.self, in: range) }
    contains = { value in
      // A type that defines only `<` has a `<=` that accepts what is not a number, and a decimal NaN is
      // less than each number.
      guard let value = value as? V, value == value, (value as? Decimal)?.isNaN != true
      else { return false }
      return range.contains(value)
    }
  }

  /// The values that the range accepts, in words.
  var words: String { makeWords() }

  /// The texts of the least and the greatest value in the range.
  var bounds: Expectation.Bounds { makeBounds() }
}

extension Setting {
  /// Whether a value is in the declaration's range, if that has one.
  func accepts<V: UserDefaultsSerializable>(_ value: V) -> Bool {
    declaration.range?.contains(value) ?? true
  }

  /// Returns the value of an object, if it is in the declaration's range.
  func acceptedValue<V: UserDefaultsSerializable>(of object: PropertyListObject) -> V? {
    // It may be an argument.
    guard V.fault(inTyped: object.object) == nil, let value: V = Self.decode(object), accepts(value)
    else { return nil }
    return value
  }

  /// Returns the part of an object that cannot be read.
  ///
  /// - Parameter expectation: What was expected, in words; nil for the values that the setting accepts.
  func fault<V: UserDefaultsSerializable>(
    in object: PropertyListObject, as type: V.Type, isTyped: Bool = false,
    expecting expectation: String? = nil
  ) -> DecodingFault {
    if isSecret {
      let length = (object.object as? String).map { " of \($0.count) characters" } ?? ""
      return DecodingFault(
        "a secret\(length)", "; expected \(expectation ?? self.expectation(of: type))")
    }
    return DecodingFault(
      in: object.object, as: type, expecting: expectation ?? declaration.range?.words,
      isTyped: isTyped)
  }

  /// The values that the setting accepts, in words.
  func expectation<V: UserDefaultsSerializable>(of type: V.Type) -> String {
    declaration.range?.words
      ?? Expectation.words(for: type, default: isSecret ? nil : declaration.default?.object)
  }

  /// The texts of the least and the greatest value that the setting accepts.
  func bounds<V: UserDefaultsSerializable>(of type: V.Type) -> Expectation.Bounds {
    declaration.range?.bounds ?? Expectation.bounds(for: type)
  }

  /// The texts of all values, if the type tells them.
  func choices<V: UserDefaultsSerializable>(of type: V.Type) -> [String] {
    Expectation.choices(of: type).filter { V(text: $0).map(accepts) ?? false }
  }
}
