/// The part of an object that cannot be read as a value of a type.
///
/// Only a message looks for it, so that reads stay quick.
struct DecodingFault: Error, CustomStringConvertible {
  /// The path of the part, such as "[2].name"; empty for the whole object.
  private(set) var path: String
  private let found: String
  private let explanation: String

  init(at path: String = "", _ found: String, _ explanation: String = "") {
    (self.path, self.found, self.explanation) = (path, found, explanation)
  }

  /// Finds the fault in an object that cannot be read as the type.
  ///
  /// - Parameters:
  ///   - expectation: What was expected of the whole object, in words; nil for any value of the type.
  ///   - isTyped: Whether a person has typed the object.
  init<V: UserDefaultsSerializable>(
    in object: Any, as type: V.Type, expecting expectation: String? = nil, isTyped: Bool = false
  ) {
    let fault = Self.ofPart(of: object, as: type, isTyped: isTyped)
    if PropertyListObject(object).isDeeper() {
      self.init(
        JSON.words(for: object), ", nested deeper than \(PropertyListObject.mostLevels) levels")
    } else if let fault, expectation == nil || !fault.path.isEmpty {
      self = fault
    } else {
      let expected = expectation ?? Expectation.words(for: type)
      let mistake = Self.finder(type).flatMap { _ in JSON.mistake(in: object) }
      self.init(
        JSON.words(for: object),
        "\(mistake.map { ", which is not JSON: \($0)" } ?? ""); expected \(expected)")
    }
  }

  private static func finder<V: UserDefaultsSerializable>(_ type: V.Type)
    -> (any FaultFinding.Type)?
  {
    type as? any FaultFinding.Type ?? V.StoredValue.self as? any FaultFinding.Type
  }

  /// Returns the fault of a part of an object, if a type can name one.
  private static func ofPart<V: UserDefaultsSerializable>(
    of object: Any, as type: V.Type, isTyped: Bool
  ) -> Self? {
    if isTyped, let part = type.fault(inTyped: object), !part.path.isEmpty { return part }
    return Expectation.choices(of: type).isEmpty ? finder(type)?.fault(in: object) : nil
  }

  /// Returns the fault as that of a collection, which holds the object at a place.
  func inside(_ place: String) -> Self {
    var fault = self
    fault.path = place + path
    return fault
  }

  var description: String {
    "\(path.isEmpty ? "it" : "\(path.hasPrefix(".") ? path.dropFirst() : path[...])") is "
      + found + explanation
  }

  /// Returns the fault of a text that a person has typed, or the text that was expected.
  static func inText<V: UserDefaultsSerializable>(
    _ text: String, as type: V.Type, expecting expectation: String
  ) -> String {
    guard finder(type) != nil else { return "expected \(expectation)" }
    if text.utf8.isNestedTooDeep { return Fault.tooDeep().description }
    let faults = V.readings(of: text).lazy.compactMap { ofPart(of: $0, as: type, isTyped: true) }
    if let part = faults.first(where: { !$0.path.isEmpty }) { return part.description }
    let mistake = JSON.mistake(in: text).map { "it is not JSON: \($0); " } ?? ""
    return "\(mistake)expected \(expectation)"
  }
}

/// A type that finds the part of an object that cannot be read.
protocol FaultFinding {
  /// Returns the first part that cannot be read; nil if each part can be read.
  static func fault(in object: Any) -> DecodingFault?
}
