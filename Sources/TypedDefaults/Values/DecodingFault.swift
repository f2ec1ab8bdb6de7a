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
