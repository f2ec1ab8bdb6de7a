extension PropertyListObject {
  /// The most arrays and dictionaries in each other that a value may have: what is set, decoded, typed or
  /// imported. Nobody nests settings deeper, and coders and writers recurse, or take minutes.
  static let mostLevels = 64

  /// The most that an object of a file may have, because Foundation's parser goes no deeper. What has
  /// more than a value is kept as it is, and cannot be decoded.
  static let mostLevelsOfFile = 511

  /// Whether more arrays and dictionaries lie in each other than a number.
  func isDeeper(than levels: Int = mostLevels) -> Bool {
    let type = type(of: object)
    // Casts take a hundred times as long.
    if type == Int.self || type == String.self || type == Double.self { return false }
    return switch object {
    case let array as [Any?]:
      levels == 0 || array.contains { $0.map { Self($0).isDeeper(than: levels - 1) } == true }
    case let dictionary as [String: Any]:
      levels == 0 || dictionary.values.contains { Self($0).isDeeper(than: levels - 1) }
    default: false
    }
  }
}

extension Sequence<UInt8> {
  /// Whether a text of JSON, or of a property list as a person types it, is nested deeper than a value may
  /// be.
  var isNestedTooDeep: Bool {
    var (levels, isQuoted, isEscaped) = (0, false, false)
    return contains { byte in
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
        isQuoted = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if "[({".utf8.contains(byte) {
        levels += 1
      } else if "])}".utf8.contains(byte) {
        levels -= 1
      }
      return levels > PropertyListObject.mostLevels
    }
  }
}
