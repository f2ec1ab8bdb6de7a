internal import Foundation

/// The keyed archive of an `NSURL`, in which `UserDefaults` keeps a URL that is not a file's.
enum ArchivedURL {
  /// Returns the path of a file, or the archive of any other URL.
  static func object(of url: URL) throws -> Any {
    if let path = url.filePathForm { return path }
    // Bridging would lose the base on Linux.
    guard let url = NSURL(string: url.relativeString, relativeTo: url.baseURL) else {
      throw Fault(description: "NSURL refuses its text")
    }
    return try NSKeyedArchiver.archivedData(withRootObject: url, requiringSecureCoding: true)
  }

  /// Returns the archived URL; nil if the data is not the archive of a URL.
  ///
  /// `NSKeyedUnarchiver` would not do: on Linux, an archive of another class, or a damaged one,
  /// ends the process. So may the property-list parser that it uses.
  static func url(from data: Data) -> URL? {
    guard let archive = try? BinaryPropertyList.members(of: data),
      archive["$archiver"] as? String == "NSKeyedArchiver",
      let objects = archive["$objects"] as? [Any],
      let top = archive["$top"] as? [String: Any]
    else { return nil }
    return url(top["root"], of: objects, depth: 0)
  }

  private static func url(_ reference: Any?, of objects: [Any], depth: Int) -> URL? {
    func object(_ reference: Any?) -> Any? {
      guard let index = (reference as? BinaryPropertyList.Reference)?.index else { return nil }
      return objects.indices.contains(index) ? objects[index] : nil
    }
    // A base that is its own base has no end.
    guard depth < 8, let fields = object(reference) as? [String: Any],
      let type = object(fields["$class"]) as? [String: Any],
      type["$classname"] as? String == "NSURL",
      let relative = object(fields["NS.relative"]) as? String
    else { return nil }
    // The object 0 of every archive is "no object".
    guard let base = fields["NS.base"], (base as? BinaryPropertyList.Reference)?.index != 0 else {
      return URL(relative: relative, base: nil)
    }
    return url(base, of: objects, depth: depth + 1).flatMap { URL(relative: relative, base: $0) }
  }
}

extension URL {
  /// The empty string is a relative URL, though the parser refuses it.
  init?(relative: String, base: URL?) {
    let url =
      relative.isEmpty
      ? URLComponents().url(relativeTo: base) : Self(string: relative, relativeTo: base)
    guard let url else { return nil }
    self = url
  }

  /// The path of a file, if it tells the whole URL: a base, a host, or a missing directory would be
  /// lost.
  var filePathForm: String? {
    var path = path(percentEncoded: false)
    #if canImport(Darwin)
      // As `set(_: URL?, forKey:)` does: an update of an iOS app changes its home directory.
      path = NSString(string: path).abbreviatingWithTildeInPath
    #endif
    return isFileURL && Self(pathForm: path) == self ? path : nil
  }

  init(pathForm path: String) {
    self.init(fileURLWithPath: NSString(string: path).expandingTildeInPath)
  }
}
