/// Stored as the decimal text of the seconds, such as "1.5".
extension Duration: UserDefaultsSerializable, Described {
  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

  /// The seconds in decimal digits, with as many after the point as the duration needs.
  public var storedValue: String {
    // In two parts, because `components` has too few bits for the longest durations.
    let billionth = self / 1_000_000_000
    let parts = [billionth, self - billionth * 1_000_000_000].map(\.components).map {
      Int128($0.seconds) * Self.attosecondsPerSecond + Int128($0.attoseconds)
    }
    let attoseconds = parts[0] * 1_000_000_000 + parts[1]
    let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: Self.attosecondsPerSecond.magnitude)
    var fraction = "\(rest + Self.attosecondsPerSecond.magnitude)".dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(attoseconds < 0 ? "-" : "")\(seconds)\(fraction.isEmpty ? "" : ".\(fraction)")"
  }

  /// Creates a duration from the decimal text of its seconds.
  ///
  /// Returns `nil` unless the string is a decimal number with at most 18 digits after the point, or
  /// if the type cannot hold the duration.
  ///
  /// - Parameter storedValue: The text.
  public init?(storedValue: String) {
    guard let match = storedValue.wholeMatch(of: /([+-]?\d+)(?:[.](\d{1,18}))?/)?.output else {
      return nil
    }
    let fraction = match.2 ?? ""
    let digits = "\(match.1)\(fraction)" + String(repeating: "0", count: 18 - fraction.count)
    guard let attoseconds = Int128(digits) else { return nil }
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
    self = .seconds(seconds) + Self(secondsComponent: 0, attosecondsComponent: Int64(rest))
  }

  static var wording: Wording {
    Wording(noun: "a number of seconds", examples: [Self.milliseconds(1500)])
  }
}
