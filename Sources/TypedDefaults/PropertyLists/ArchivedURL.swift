internal import Foundation

/// The keyed archive of an `NSURL`, in which `UserDefaults` keeps a URL that is not a file's.
enum ArchivedURL {
  static func data(of url: URL) throws -> Data {
    // Bridging would lose the base on Linux.
    guard let url = NSURL(string: url.relativeString, relativeTo: url.baseURL) else {
      throw Unencodable(reason: "NSURL refuses its text")
    }
    return try NSKeyedArchiver.archivedData(withRootObject: url, requiringSecureCoding: true)
  }

  /// Returns the archived URL; nil if the data is not the archive of a URL.
  ///
  /// `NSKeyedUnarchiver` would not do: on Linux, an archive of another class, or a damaged one,
  /// ends the process. So may the property-list parser that it uses.
  static func url(from data: Data) -> URL? {
    data.withUnsafeBytes { bytes in
      guard let archive = BinaryPropertyList(bytes),
        let top = archive.dictionary(archive.top),
        top["$archiver"].flatMap(archive.string) == "NSKeyedArchiver",
        let objects = top["$objects"].flatMap(archive.array),
        let root = top["$top"].flatMap(archive.dictionary)?["root"].flatMap(archive.identifier)
      else { return nil }
      return url(root, of: objects, in: archive, depth: 0)
    }
  }

  private static func url(
    _ identifier: Int, of objects: [Int], in archive: BinaryPropertyList, depth: Int
  ) -> URL? {
    func object(_ reference: Int?) -> Int? {
      guard let identifier = reference.flatMap(archive.identifier) else { return nil }
      return objects.indices.contains(identifier) ? objects[identifier] : nil
    }
    // A base that is its own base has no end.
    guard depth < 8, objects.indices.contains(identifier),
      let fields = archive.dictionary(objects[identifier]),
      let type = object(fields["$class"]).flatMap(archive.dictionary),
      type["$classname"].flatMap(archive.string) == "NSURL",
      let relative = object(fields["NS.relative"]).flatMap(archive.string),
      let base = fields["NS.base"].map(archive.identifier) ?? 0
    else { return nil }
    var baseURL: URL?
    if base != 0 {  // The object 0 of every archive is "no object".
      baseURL = url(base, of: objects, in: archive, depth: depth + 1)
      if baseURL == nil { return nil }
    }
    // The empty string is a relative URL, though the parser refuses it.
    return relative.isEmpty
      ? URLComponents().url(relativeTo: baseURL) : URL(string: relative, relativeTo: baseURL)
  }
}
