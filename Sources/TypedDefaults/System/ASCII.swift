// By their bytes, because Swift takes a character and a mark that combines with it for one `Character`.

extension String {
  /// Replaces characters of ASCII, each wherever it is.
  func replacing(_ texts: KeyValuePairs<UInt8, String>) -> String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if let text = texts.first(where: { $0.key == byte })?.value {
        bytes += text.utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names between the slashes of a path.
  var pathComponents: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The directory that holds the file or directory, with a slash at the end.
  var parentDirectory: String {
    let end = utf8.dropLast().lastIndex(of: UInt8(ascii: "/"))
    return end.map { String(decoding: utf8[...$0], as: UTF8.self) } ?? ""
  }

  var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
