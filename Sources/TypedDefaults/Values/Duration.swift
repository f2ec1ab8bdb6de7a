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

  /// The units that a person types, the largest first.
  private static let units: [(name: String, milliseconds: Int128)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// Creates a duration from the decimal text of its seconds, or from what a person types.
  ///
  /// A person may type numbers with the units d, h, m, s and ms, such as 1h30m or 1.5d: the largest unit
  /// first, and each at most once. Returns `nil` for any other string, for more than 18 digits after a
  /// point, and if the type cannot hold the duration.
  ///
  /// - Parameter storedValue: The text.
  public init?(storedValue: String) {
    var scanner = TextScanner(storedValue)
    let sign = scanner.take("-") ? "-" : ""
    if sign.isEmpty { _ = scanner.take("+") }
    var units = Self.units[...]
    var attoseconds: Int128 = 0
    repeat {
      guard let digits = scanner.digits(),
        let fraction = scanner.take(".") ? scanner.digits() : "", fraction.utf8.count <= 18
      else { return nil }
      let name = scanner.isAtEnd && units.count == Self.units.count ? "s" : scanner.nonDigits()
      units = units.drop { $0.name != name }
      guard let unit = units.popFirst(), let whole = Int128("\(sign)\(digits)"),
        case let zeros = String(repeating: "0", count: 18 - fraction.utf8.count),
        let fraction = Int128("\(sign)\(fraction)\(zeros)")
      else { return nil }
      let product = whole.multipliedReportingOverflow(
        by: unit.milliseconds * (Self.attosecondsPerSecond / 1_000))
      let (part, rest) = (fraction * unit.milliseconds).quotientAndRemainder(dividingBy: 1_000)
      let sum = attoseconds.addingReportingOverflow(product.partialValue)
      let total = sum.partialValue.addingReportingOverflow(part)
      if product.overflow || rest != 0 || sum.overflow || total.overflow { return nil }
      attoseconds = total.partialValue
    } while !scanner.isAtEnd
    self.init(
      _high: Int64(truncatingIfNeeded: attoseconds >> 64),
      low: UInt64(truncatingIfNeeded: attoseconds))
  }
}
