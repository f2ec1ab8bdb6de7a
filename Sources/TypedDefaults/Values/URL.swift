public import Foundation

extension URL: PropertyListValue {
  /// Returns the path of a file, or the archive of any other URL.
  ///
  /// `UserDefaults.set(_: URL?, forKey:)` stores the same object on Apple platforms, and
  /// `url(forKey:)` reads it on all platforms.
  ///
  /// - Returns: The path as a string, or the archive as data.
  /// - Throws: An error if the URL cannot be archived.
  public func propertyListObject() throws -> Any {
    try ArchivedURL.object(of: self)
  }

  /// Creates a URL from an object of a property list.
  ///
  /// Reads the archive of an `NSURL`, a string with a scheme, and the path of a file. A dictionary of
  /// the strings "relative" and "base" is a relative URL; it may have no base, or one that is such a
  /// dictionary. Returns `nil` for an empty string, a JSON string, other data and any other object.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let data = object as? Data {
      guard let url = ArchivedURL.url(from: data) else { return nil }
      self = url
    } else if let string = object as? String, !string.isEmpty, !string.hasPrefix("\"") {
      if string.hasScheme {
        self.init(string: string)
      } else {
        self.init(pathForm: string)
      }
    } else if let parts = object as? [String: Any] {
      self.init(parts: parts, depth: 0)
    } else {
      return nil
    }
  }

  private init?(parts: [String: Any], depth: Int) {
    guard depth < 8, let relative = parts["relative"] as? String else { return nil }
    var base: URL?
    if let object = parts["base"] {
      let parts = object as? [String: Any]
      base = parts.map { Self(parts: $0, depth: depth + 1) } ?? Self(propertyListObject: object)
      if base == nil { return nil }
    }
    self.init(relative: relative, base: base)
  }
}

extension String {
  /// Whether the string begins with a scheme and a colon, such as "https:".
  fileprivate var hasScheme: Bool {
    guard let scheme = utf8.firstIndex(of: UInt8(ascii: ":")).map({ self[..<$0] }) else {
      return false
    }
    return scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }
}

extension URL: JSONConvertible {
  var json: JSON? {
    if let path = filePathForm { return .string(path) }
    if Self(propertyListObject: absoluteString) == self { return .string(absoluteString) }
    var parts = ["relative": JSON.string(relativeString)]
    parts["base"] = baseURL?.json
    return .object(parts)
  }
}

extension URL: TypedForm {
  /// Any other string would be read as a path beside the program's working directory.
  static func mayNotBeTyped(_ object: Any) -> Bool {
    let object = (object as? JSON)?.object ?? object
    if let base = (object as? [String: Any])?["base"] { return mayNotBeTyped(base) }
    guard let string = object as? String else { return false }
    // A combining mark may follow the first sign, whose character is another one then.
    let form = /[A-Za-z][A-Za-z0-9+.-]*:|\/|~\/|~$/.matchingSemantics(.unicodeScalar)
    return string.prefixMatch(of: form) == nil
  }
}

/// Stored in the form that `UserDefaults.url(forKey:)` reads.
///
/// It is the path of a file, or the archive of any other URL.
extension URL: UserDefaultsSerializable {}
