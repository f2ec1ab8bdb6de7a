internal import Synchronization

/// Keys without a name of their own, which the compiler gives the name of what contains them: a type, a
/// function or, for a global, the module.
enum NamelessKeys {
  /// The first place of each name; nil once a second one is reported.
  private static let places = Mutex<[String: String?]>([:])

  /// Notes where a key without a name is made, and reports a second place that makes one of the
  /// same name.
  static func note(_ name: String, in fileID: String, at place: @autoclosure () -> String) {
    guard isOfContainer(name.utf8, fileID.utf8) else { return }
    let place = place()
    let other: String? = places.withLock { places in
      let first = places[name, default: place]
      guard let first, first != place else {
        places[name] = .some(first)
        return nil
      }
      places[name] = .some(nil)
      return first
    }
    if let other { DefaultsIssue.nameless(name, other, place).reportLater() }
  }

  /// Whether a name is not that of a computed property, which calls this at each use. A type whose name
  /// begins in lower case cannot be told from one.
  private static func isOfContainer(_ name: String.UTF8View, _ fileID: String.UTF8View) -> Bool {
    guard let first = name.first else { return false }
    return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first || name.last == UInt8(ascii: ")")
      || fileID.starts(with: name) && fileID.dropFirst(name.count).first == UInt8(ascii: "/")
  }
}
