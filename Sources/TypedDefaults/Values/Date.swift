public import Foundation

extension Date: PropertyListValue {
  /// Returns the object of a property list, which is the same date.
  ///
  /// - Returns: The date.
  /// - Throws: An error if the date is not a number, or more than 31 million years away.
  public func propertyListObject() throws -> Any {
    guard isOfPropertyList else { throw Fault.date }
    return self
  }

  /// Creates a date from an object of a property list.
  ///
  /// Reads a date, an ISO 8601 string, and "@" with the seconds since 2001. An ISO 8601 string has a
  /// time and a zone, such as 2026-01-31T12:00:00Z, with or without a fraction of the second. A
  /// string of a date alone is midnight UTC. Returns `nil` for any other object, and for a date that
  /// is not a number, or more than 31 million years away.
  ///
  /// - Parameter object: The object of the property list.
  public init?(propertyListObject object: Any) {
    if let date = object as? Date {
      self = date
    } else if let string = object as? String {
      if string.hasPrefix("@"), let interval = Double(string.dropFirst()) {
        self.init(timeIntervalSinceReferenceDate: interval)
      } else {
        self.init(iso8601: string)
      }
    } else {
      return nil
    }
    guard isOfPropertyList else { return nil }
  }

  /// Checks the shape and the calendar first: Foundation's parser accepts the 30th of February, and
  /// ignores what follows the date.
  private init?(iso8601 string: String) {
    var scanner = TextScanner(string)
    var time: [Substring] = ["00", "00", "00"]
    var (fraction, zone) = (0.0, "Z")
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
      scanner.take("-"), let day = scanner.digits(2)
    else { return nil }
    if scanner.take("T") {
      guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2),
        scanner.take(":"), let second = scanner.digits(2)
      else { return nil }
      time = [hour, minute, second]
      if scanner.take(".") {
        guard let digits = scanner.digits() else { return nil }
        // Foundation's parser takes at most three of them.
        fraction = Double("0.\(digits)") ?? 0
      }
      zone = String(scanner.rest) ?? ""
      if scanner.take("+-") {
        guard scanner.digits(2) != nil else { return nil }
        _ = scanner.take(":")
        guard scanner.digits(2) != nil else { return nil }
      } else if !scanner.take("Z") {
        return nil
      }
    }
    let text = "\(year)-\(month)-\(day)T\(time.joined(separator: ":"))\(zone)"
    guard scanner.isAtEnd,
      DateComponents(
        calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: Int(year),
        month: Int(month), day: Int(day), hour: Int(time[0]), minute: Int(time[1]),
        second: Int(time[2])
      ).isValidDate, let date = try? Date(text, strategy: Date.ISO8601FormatStyle())
    else { return nil }
    self = date + fraction
  }
}

extension Date: JSONConvertible {
  /// The date in ISO 8601, with as many digits as it needs. A year without four digits does not fit
  /// that format: such a date is written as its seconds since 2001.
  var json: JSON? {
    let interval = timeIntervalSinceReferenceDate
    let whole = Date(timeIntervalSinceReferenceDate: interval.rounded(.down))
    let second = isOfPropertyList ? whole.ISO8601Format() : ""
    guard Date(iso8601: second) == whole else { return .string("@\(interval)") }
    let fraction = interval - interval.rounded(.down)
    if fraction == 0 { return .string(second) }
    let forms = (1...17).lazy.map { String(format: "%.\($0)f", fraction).dropFirst() }
    let digits = forms.first { Double("0\($0)").map { whole + $0 } == self }
    return .string(digits.map { "\(second.dropLast())\($0)Z" } ?? "@\(interval)")
  }
}

/// Stored as a date of a property list.
///
/// > Important: On Linux, a file holds whole seconds. Another process reads the date without its
/// fraction.
extension Date: UserDefaultsSerializable {}

/// Stored as JSON text of the components that are set.
extension DateComponents: UserDefaultsSerializable {}
