/// Stored as the decimal text of the seconds, such as "1.5".
extension Duration: UserDefaultsSerializable {
  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

  /// The seconds in decimal digits, with as many after the point as the duration needs.
  public var storedValue: String {
    // Its halves, because `attoseconds` itself came with Swift 6.2, and `components` has too few bits.
    let attoseconds = Int128(_high) << 64 | Int128(_low)
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
    var scanner = TextScanner(storedValue)
    let isNegative = scanner.take("-")
    if !isNegative { _ = scanner.take("+") }
    guard let seconds = scanner.digits(),
      let fraction = scanner.take(".") ? scanner.digits() : "", scanner.isAtEnd,
      fraction.utf8.count <= 18,
      case let zeros = String(repeating: "0", count: 18 - fraction.utf8.count),
      let attoseconds = Int128("\(isNegative ? "-" : "")\(seconds)\(fraction)\(zeros)")
    else { return nil }
    self.init(
      _high: Int64(truncatingIfNeeded: attoseconds >> 64),
      low: UInt64(truncatingIfNeeded: attoseconds))
  }
}
