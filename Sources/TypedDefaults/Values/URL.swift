public import Foundation

extension URL: PropertyListValue {
  /// A file's path, or the archive of any other URL.
  ///
  /// This is what `UserDefaults.set(_: URL?, forKey:)` stores on Apple platforms, so that
  /// `url(forKey:)` reads it on all.
  public func propertyListObject() throws -> Any {
    if isFileURL, let path = filePathForm { return path }
    return try ArchivedURL.data(of: self)
  }

  /// The path, if it says all there is: not which base it is relative to, which host it is on, or
  /// that it is a directory which does not exist.
  private var filePathForm: String? {
    let path = path(percentEncoded: false)
    return Self(pathForm: path) == self ? path : nil
  }

  private init(pathForm path: String) {
    self.init(fileURLWithPath: NSString(string: path).expandingTildeInPath)
  }

  /// Reads what `url(forKey:)` reads, and a string with a scheme.
  ///
  /// If the object is data, the `NSURL` that it is the archive of. If it is a string with a scheme,
  /// parses it; any other string is the path of a file, unless it is empty or JSON text; otherwise
  /// nil.
  public init?(propertyListObject object: Any) {
    if let data = object as? Data {
      guard let url = ArchivedURL.url(from: data) else { return nil }
      self = url
    } else if let string = object as? String, !string.isEmpty, !string.hasPrefix("\"") {
      if string.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/) != nil {
        self.init(string: string)
      } else {
        self.init(pathForm: string)
      }
    } else {
      return nil
    }
  }
}

/// The stored form is that of `UserDefaults.url(forKey:)`: a file's path, or the archive of any other
/// URL.
extension URL: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}
