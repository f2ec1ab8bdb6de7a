internal import Synchronization

/// Keys without a name of their own, which the compiler gives the name of the type that contains
/// them.
enum NamelessKeys {
  private struct Places {
    let first: String
    var isReported = false
  }

  private static let places = Mutex<[String: Places]>([:])

  /// Notes where a key without a name is made, and reports a second place that makes one of the
  /// same name.
  static func note(_ name: String, at place: @autoclosure () -> String) {
    // A computed property begins in lower case, and calls this at each use.
    guard let first = name.utf8.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else {
      return
    }
    let place = place()
    let other: String? = places.withLock {
      let known = $0[name, default: Places(first: place)]
      let isNews = known.first != place && !known.isReported
      $0[name] = Places(first: known.first, isReported: known.isReported || isNews)
      return isNews ? known.first : nil
    }
    if let other { DefaultsIssue.nameless(name, other, place).reportLater() }
  }
}
