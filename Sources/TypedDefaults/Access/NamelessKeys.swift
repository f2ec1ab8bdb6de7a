internal import Synchronization

/// Keys without a name of their own, which the compiler gives the name of the type that contains
/// them.
enum NamelessKeys {
  /// The first place of each name; nil once a second one is reported.
  private static let places = Mutex<[String: String?]>([:])

  /// Notes where a key without a name is made, and reports a second place that makes one of the
  /// same name.
  static func note(_ name: String, at place: @autoclosure () -> String) {
    // A computed property begins in lower case, and calls this at each use.
    guard let first = name.utf8.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else {
      return
    }
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
}
