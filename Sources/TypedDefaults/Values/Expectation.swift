internal import Foundation

/// A type of this library's, which says what it accepts.
protocol Described {
  static var wording: Wording { get }
}

/// What a person is told of a type.
struct Wording {
  /// A noun with its article, such as "an integer".
  let noun: String
  /// Values of the type; none if there are none that every such type has.
  let examples: [Any]
  /// Whether examples tell more than the noun.
  var needsExamples = true
  /// What the elements of a collection are, if examples do not tell that.
  var elements: String?
  /// The texts of the least and the greatest value that a person wants to know.
  var limits: (lowest: String?, highest: String?) = (nil, nil)
}

/// What a type accepts, in words for a person.
enum Expectation {
  /// The texts of the least and the greatest value; nil where there is none.
  typealias Bounds = (lower: String?, upper: String?)

  /// Returns what a type accepts, in words that follow "expected".
  ///
  /// - Parameter default: The stored form of a default, which may be an example.
  static func words<V: UserDefaultsSerializable>(
    for type: V.Type, default: Any? = nil
  ) -> String {
    if let expectation = V.expectation { return expectation }
    if V.self != Bool.self, let words = words(for: choices(of: V.self)) { return words }
    if let type = V.self as? any Described.Type {
      let texts =
        type.wording.needsExamples ? examples(of: V.self).compactMap { $0.text(spacing: " ") } : []
      let bounds = words(for: bounds(for: V.self), of: V.self)
      return type.wording.noun + (bounds.isEmpty ? "" : " \(bounds)")
        + (texts.isEmpty ? "" : ", such as \(texts.joined(separator: " or "))")
        + (type.wording.elements.map { ", each \($0)" } ?? "")
    }
    if let type = V.StoredValue.self as? any UserDefaultsSerializable.Type {
      return "a value of \(V.self), as \(words(for: type))"
    }
    if let form = V.StoredValue.self as? any JSONForm.Type {
      return "JSON of \(V.self)\(form.example(default: `default`))"
    }
    return "a value of \(V.self)"
  }

  /// Returns what a type accepts in a range.
  static func words<V: UserDefaultsSerializable & Comparable>(
    for type: V.Type, in range: some RangeExpression<V>
  ) -> String {
    if V.expectation == nil {
      let choices = choices(of: V.self).filter { V(text: $0).map(range.contains) ?? false }
      if let words = words(for: choices) { return words }
    }
    let noun =
      V.expectation.map { "\($0)," } ?? (V.self as? any Described.Type)?.wording.noun
      ?? "a value of \(V.self)"
    guard let ends = ends(of: range) else { return "\(noun) in \(range)" }
    let limits = bounds(for: V.self)
    let bounds = (lower: ends.lower?.text ?? limits.lower, upper: ends.upper?.text ?? limits.upper)
    return "\(noun) \(words(for: bounds, below: ends.end?.text, of: V.self))"
  }

  /// Returns the bounds of a type that it names itself, such as 0 and 255.
  static func bounds<V: UserDefaultsSerializable>(for type: V.Type) -> Bounds {
    let isNamed = V.expectation == nil && choices(of: V.self).isEmpty
    guard isNamed, let limits = (V.self as? any Described.Type)?.wording.limits else {
      return (nil, nil)
    }
    return (limits.lowest, limits.highest)
  }

  /// Returns the bounds of a type in a range.
  static func bounds<V: UserDefaultsSerializable & Comparable>(
    for type: V.Type, in range: some RangeExpression<V>
  ) -> Bounds {
    // A list of choices names no bounds.
    guard V.expectation != nil || choices(of: V.self).isEmpty, let ends = ends(of: range) else {
      return (nil, nil)
    }
    let limits = bounds(for: V.self)
    let upper = ends.upper ?? ends.end.flatMap { predecessor(of: $0, downTo: ends.lower) }
    let isOpen = ends.end != nil && upper == nil
    return (ends.lower?.text ?? limits.lower, upper?.text ?? (isOpen ? nil : limits.upper))
  }

  /// Returns the integer before another one; nil if there is none in the range.
  private static func predecessor<V: Comparable>(of end: V, downTo lower: V?) -> V? {
    func predecessor<I: FixedWidthInteger>(_ end: I) -> Any? { end == .min ? nil : end - 1 }
    let value = (end as? any FixedWidthInteger).flatMap { predecessor($0) } as? V
    return value.flatMap { value in lower.map { $0 <= value } == false ? nil : value }
  }

  /// Returns the ends of a range; nil for one of another kind.
  private static func ends<V: Comparable>(
    of range: some RangeExpression<V>
  ) -> (lower: V?, upper: V?, end: V?)? {
    switch range {
    case let range as ClosedRange<V>: (range.lowerBound, range.upperBound, nil)
    case let range as Range<V>: (range.lowerBound, nil, range.upperBound)
    case let range as PartialRangeFrom<V>: (range.lowerBound, nil, nil)
    case let range as PartialRangeUpTo<V>: (nil, nil, range.upperBound)
    case let range as PartialRangeThrough<V>: (nil, range.upperBound, nil)
    default: nil
    }
  }

  static func words(for choices: [String]) -> String? {
    if choices.isEmpty { return nil }
    let shown = choices.prefix(20).joined(separator: ", ")
    return "one of: \(shown)\(choices.count > 20 ? ", …" : "")"
  }

  /// Returns the bounds in words.
  private static func words(
    for bounds: Bounds, below end: String? = nil, of type: Any.Type
  ) -> String {
    let isDate = type == Date.self
    let lower = bounds.lower
    if let end {
      let end = "\(isDate ? "before" : "below") \(end)"
      return lower.map { "\(isDate ? "from" : "of at least") \($0) and \(end)" } ?? end
    }
    return switch (lower, bounds.upper) {
    case (let lower?, let upper?): "from \(lower) to \(upper)"
    case (let lower?, nil): isDate ? "from \(lower) on" : "of at least \(lower)"
    case (nil, let upper?): "\(isDate ? "up to" : "of at most") \(upper)"
    case (nil, nil): ""
    }
  }

  /// Returns the texts of all values, if the type tells them.
  static func choices<V: UserDefaultsSerializable>(of type: V.Type) -> [String] {
    func texts<C: CaseIterable & UserDefaultsSerializable>(_: C.Type) -> [String] {
      C.allCases.compactMap(\.text)
    }
    if let type = type as? any (CaseIterable & UserDefaultsSerializable).Type { return texts(type) }
    return V.self == Bool.self ? ["true", "false"] : []
  }

  /// Returns values of a type to show to a person.
  static func examples<V: UserDefaultsSerializable>(of type: V.Type) -> [V] {
    func examples<C: CaseIterable>(_: C.Type) -> [Any] { Array(C.allCases.prefix(2)) }
    let values =
      (type as? any CaseIterable.Type).map { examples($0) }
      ?? (type as? any Described.Type)?.wording.examples
    return values as? [V] ?? []
  }
}
