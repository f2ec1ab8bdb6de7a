internal import Foundation

/// Why an object is not a value of a type: the part of it that cannot be read, and what that part is.
///
/// It is looked for when a message says so, not when a value is read.
struct DecodingFault: CustomStringConvertible {
  /// Where the part is in the whole, such as "[2].name"; empty for the whole.
  private(set) var path: String
  private let found: String
  private var explanation: String

  init(at path: String = "", _ found: String, _ explanation: String = "") {
    (self.path, self.found, self.explanation) = (path, found, explanation)
  }

  /// Looks for the fault in an object that cannot be read as the type.
  init<V: UserDefaultsSerializable>(in object: Any, as type: V.Type) {
    let found = "\(PropertyListObject(object))"
    if let cases = Self.cases(of: type) {
      self.init(found, ", not one of \(cases)")
    } else {
      let finder = type as? any FaultFinding.Type ?? V.StoredValue.self as? any FaultFinding.Type
      self = finder?.fault(in: object) ?? Self(found)
    }
  }

  /// The fault as one of an object that holds the faulty one at a place and is to hold values of a type.
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

  /// What is wrong with a text that a person has typed for a type, or what would be right.
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

  /// The stored forms of a type's values, if the type can list them.
  private static func cases(of type: any UserDefaultsSerializable.Type) -> String? {
    func list<C: CaseIterable & UserDefaultsSerializable>(_ type: C.Type) -> String {
      let objects = type.allCases.prefix(21).map { try? $0.storedValue.propertyListObject() }
      let texts = objects.prefix(20).map { ($0 as? String)?.debugDescription ?? "\($0 ?? "?")" }
      return texts.joined(separator: ", ") + (objects.count > 20 ? ", …" : "")
    }
    return (type as? any (CaseIterable & UserDefaultsSerializable).Type).map { list($0) }
  }
}

/// A type that knows which part of an object keeps it from being read.
protocol FaultFinding {
  /// The first part that cannot be read; nil if each can be.
  static func fault(in object: Any) -> DecodingFault?
}
