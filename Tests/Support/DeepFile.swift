import Foundation

/// Objects of many dictionaries in each other, and the file in which the fourth version has saved one.
enum DeepFile {
  /// Returns dictionaries in each other, the innermost with the number 1.
  static func object(levels: Int) -> Any {
    (1..<levels).reduce(["leaf": 1] as Any) { object, _ in ["a": object] }
  }

  /// Returns the file that has such an object under the key "deep", and 4 under "count".
  static func data(levels: Int) -> Data {
    func tabs(_ count: Int) -> String { String(repeating: "\t", count: count) }
    var (start, end) = ("", "")
    for level in 1...levels {
      let key = level == levels ? "leaf" : "a"
      start += "\(tabs(level))<dict>\n\(tabs(level + 1))<key>\(key)</key>\n"
      end = "\(tabs(level))</dict>\n" + end
    }
    let leaf = "\(tabs(levels + 1))<integer>1</integer>\n"
    return Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>count</key>
      \t<integer>4</integer>
      \t<key>deep</key>
      \(start)\(leaf)\(end)</dict>
      </plist>

      """.utf8)
  }
}
