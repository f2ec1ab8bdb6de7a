internal import Foundation

/// A type of collections, which says in words what it accepts.
protocol Described {
  static var noun: String { get }
}

/// What a type accepts, in words for a person.
enum Expectation {
  /// The texts of the least and the greatest value; nil where there is none.
  typealias Bounds = (lower: String?, upper: String?)

  /// Returns what a type accepts, in words that follow "expected".
  static func words<V: UserDefaultsSerializable>(for type: V.Type) -> String {
    if let expectation = V.expectation { return expectation }
    if V.self != Bool.self, let words = words(for: choices(of: V.self)) { return words }
    if let (noun, hint) = noun(of: V.self) {
      let bounds = words(for: bounds(for: V.self), of: V.self)
      return noun + (bounds.isEmpty ? hint : " \(bounds)")
    }
    if let type = V.StoredValue.self as? any UserDefaultsSerializable.Type {
      return "a value of \(V.self), as \(words(for: type))"
    }
    return (V.StoredValue.self is any JSONForm.Type ? "JSON of " : "a value of ") + "\(V.self)"
  }

  /// Returns a noun for the values of the library's types, and what to say of their form.
  private static func noun(of type: Any.Type) -> (noun: String, hint: String)? {
    switch type {
    case is Bool.Type: ("true or false", "")
    case is any FixedWidthInteger.Type: ("an integer", "")
    case is any BinaryFloatingPoint.Type, is Decimal.Type: ("a number", "")
    case is String.Type: ("a string", "")
    case is Character.Type: ("a character", "")
    case is Data.Type: ("data", ", such as <0102ff>")
    case is Date.Type: ("a date", ", such as 2026-01-31T12:00:00Z")
    case is Duration.Type: ("a duration", ", such as 90, 1.5 or 1h30m")
    case is URL.Type: ("a URL", ", such as https://example.com/ or /path")
    case is UUID.Type: ("a UUID", "")
    case is TimeZone.Type: ("a time zone", ", such as Europe/Paris")
    case is Locale.Type: ("a locale", ", such as pt_BR")
    case let type as any Described.Type: (type.noun, "")
    default: nil
    }
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
      V.expectation.map { "\($0)," } ?? noun(of: V.self)?.noun ?? "a value of \(V.self)"
    guard let ends = ends(of: range) else { return "\(noun) in \(range)" }
    let limits = bounds(for: V.self)
    let bounds = (lower: ends.lower?.text ?? limits.lower, upper: ends.upper?.text ?? limits.upper)
    return "\(noun) \(words(for: bounds, below: ends.end?.text, of: V.self))"
  }

  /// Returns the bounds of a type that it names itself, such as 0 and 255.
  static func bounds<V: UserDefaultsSerializable>(for type: V.Type) -> Bounds {
    func bounds<I: FixedWidthInteger>(_: I.Type) -> Bounds {
      // Nobody wants to read the limits of 64 bits.
      (I.isSigned && I.bitWidth == 64 ? nil : "\(I.min)", I.bitWidth == 64 ? nil : "\(I.max)")
    }
    guard V.expectation == nil, choices(of: V.self).isEmpty,
      let type = V.self as? any FixedWidthInteger.Type
    else { return (nil, nil) }
    return bounds(type)
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
}

extension Fault {
  /// What is wrong with an object that cannot be read as a type.
  ///
  /// - Parameters:
  ///   - found: The words for the object; empty if the message has them already.
  ///   - expectation: What was expected, in words.
  init<V: UserDefaultsSerializable>(
    in object: Any, as type: V.Type, found: String, expecting expectation: String
  ) {
    if PropertyListObject(object).isDeeper()
      || (object as? String)?.utf8.isNestedTooDeep == true
    {
      self = .tooDeep()
    } else if Expectation.choices(of: type).isEmpty,
      let words = (V.StoredValue.self as? any JSONForm.Type)?.fault(in: object)
    {
      self.init(description: words)
    } else {
      self.init(description: "\(found)expected \(expectation)")
    }
  }
}
