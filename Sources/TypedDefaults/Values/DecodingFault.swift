internal import Foundation

/// The part of an object that cannot be read as a value of a type.
///
/// Only a message looks for it, so that reads stay quick.
struct DecodingFault: CustomStringConvertible {
  /// The path of the part, such as "[2].name"; empty for the whole object.
  private(set) var path: String
  private let found: String
  private var explanation: String

  init(at path: String = "", _ found: String, _ explanation: String = "") {
    (self.path, self.found, self.explanation) = (path, found, explanation)
  }

  /// Finds the fault in an object that cannot be read as the type.
  init<V: UserDefaultsSerializable>(in object: Any, as type: V.Type) {
    let found = "\(PropertyListObject(object))"
    if let cases = Self.cases(of: type) {
      self.init(found, ", not one of \(cases)")
    } else {
      let finder = type as? any FaultFinding.Type ?? V.StoredValue.self as? any FaultFinding.Type
      self = finder?.fault(in: object) ?? Self(found)
    }
  }

  /// Returns the fault as that of a collection of a type's values, which holds the object at a
  /// place.
  func inside(_ place: String, of type: Any.Type) -> Self {
    var fault = self
    if path.isEmpty, explanation.isEmpty { fault.explanation = ", which cannot be read as \(type)" }
    fault.path = place + path
    return fault
  }

  var description: String {
    "\(path.isEmpty ? "it" : "\(path.hasPrefix(".") ? path.dropFirst() : path[...])") is "
      + found + explanation
  }

  /// Returns the fault of a text that a person has typed, or the text that was expected.
  static func inText<V: UserDefaultsSerializable>(_ text: String, as type: V.Type) -> String {
    if V.StoredValue.self is any FaultFinding.Type {
      let faults = V.readings(of: text).lazy.map { Self(in: $0, as: type) }
      if let fault = faults.first(where: { !$0.path.isEmpty }) { return "\(fault)" }
    }
    return "expected \(expectation(of: type))"
  }

  private static func expectation<V: UserDefaultsSerializable>(of type: V.Type) -> String {
    func bounds<I: FixedWidthInteger>(_: I.Type) -> String { "from \(I.min) to \(I.max)" }
    func list<C: CaseIterable & UserDefaultsSerializable>(_: C.Type) -> String {
      "one of: " + C.allCases.map { $0.text ?? "?" }.joined(separator: ", ")
    }
    if let cases = type as? any (CaseIterable & UserDefaultsSerializable).Type {
      return list(cases)
    }
    return switch V.StoredValue.self {
    case is Bool.Type: "true or false"
    case let integer as any FixedWidthInteger.Type: "an integer \(bounds(integer))"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Date.Type: "a date, such as 2026-01-31T12:00:00Z"
    case is Data.Type: "data, such as <0102ff>"
    case is any FaultFinding.Type: "JSON that is a value of \(type)"
    default: "a value of \(type)"
    }
  }

  /// Returns the stored forms of all values, if the type is `CaseIterable`.
  private static func cases(of type: any UserDefaultsSerializable.Type) -> String? {
    func list<C: CaseIterable & UserDefaultsSerializable>(_ type: C.Type) -> String {
      let objects = type.allCases.prefix(21).map { try? $0.storedValue.propertyListObject() }
      let texts = objects.prefix(20).map { ($0 as? String)?.debugDescription ?? "\($0 ?? "?")" }
      return texts.joined(separator: ", ") + (objects.count > 20 ? ", …" : "")
    }
    return (type as? any (CaseIterable & UserDefaultsSerializable).Type).map { list($0) }
  }
}

/// A type that finds the part of an object that cannot be read.
protocol FaultFinding {
  /// Returns the first part that cannot be read; nil if each part can be read.
  static func fault(in object: Any) -> DecodingFault?
}
