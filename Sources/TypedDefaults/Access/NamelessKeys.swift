internal import Synchronization

/// The keys that bear a type's name, because the compiler knows no better one for a stored property.
enum NamelessKeys {
  private struct Places {
    let first: String
    var isReported = false
  }

  private static let places = Mutex<[String: Places]>([:])

  /// Called when a key is made without a name, with what the compiler gives as the function. Reports
  /// a second place that makes a key with the name of one type.
  static func note(_ name: String, at place: @autoclosure () -> String) {
    // Properties, of which there is a call at each use, begin in lower case.
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
    if let other { DefaultsIssue.nameless(name, other, place).report() }
  }
}
