public import Foundation

extension Date: PropertyListValue {
  /// Returns the object of a property list, which is the same date.
  ///
  /// - Returns: The date.
  /// - Throws: An error if the date is not a number, or more than 31 million years away.
  public func propertyListObject() throws -> Any {
    guard Self.propertyListRange.contains(timeIntervalSinceReferenceDate) else {
      throw Fault.date
    }
    return self
  }

  /// Creates a date from an object of a property list.
  ///
  /// Reads a date, an ISO 8601 string, and "@" with the seconds since 2001. An ISO 8601 string has a
  /// time and a zone, such as 2026-01-31T12:00:00Z, with or without a fraction of the second. A
  /// string of a date alone is midnight UTC. Returns `nil` for any other object.
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
  }

  /// Checks the shape and the calendar first: Foundation's parser accepts the 30th of February, and
  /// ignores what follows the date.
  private init?(iso8601 string: String) {
    let shape = /(\d{4})-(\d\d)-(\d\d)(T(\d\d):(\d\d):(\d\d)([.]\d+)?(Z|[+-]\d\d:?\d\d))?/
    guard let match = string.wholeMatch(of: shape)?.output,
      DateComponents(
        calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: Int(match.1),
        month: Int(match.2), day: Int(match.3), hour: match.5.flatMap { Int($0) },
        minute: match.6.flatMap { Int($0) }, second: match.7.flatMap { Int($0) }
      ).isValidDate
    else { return nil }
    // Foundation's parser takes at most three digits of a fraction.
    let fraction = match.8.flatMap { Double("0\($0)") } ?? 0
    let text = match.4 == nil ? "\(string)T00:00:00Z" : string.replacing(match.8 ?? "", with: "")
    guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle()) else { return nil }
    self = date + fraction
  }
}

extension Date: JSONConvertible {
  /// The date in ISO 8601, with as many digits as it needs. A year without four digits does not fit
  /// that format: such a date is written as its seconds since 2001.
  var json: JSON? {
    let interval = timeIntervalSinceReferenceDate
    let second = Date(timeIntervalSinceReferenceDate: interval.rounded(.down)).ISO8601Format()
    let forms = (0...17).lazy.map { count in
      let digits = String(format: "%.\(count)f", interval - interval.rounded(.down)).dropFirst()
      return count == 0 ? second : "\(second.dropLast())\(digits)Z"
    }
    return .string(forms.first { Date(iso8601: $0) == self } ?? "@\(interval)")
  }
}

/// Stored as a date of a property list.
///
/// > Important: On Linux, a file holds whole seconds. Another process reads the date without its
/// fraction.
extension Date: UserDefaultsSerializable, Described {
  static var wording: Wording {
    Wording(noun: "a date", examples: [Self(timeIntervalSinceReferenceDate: 791_553_600)])
  }
}

/// Stored as JSON text of the components that are set.
extension DateComponents: UserDefaultsSerializable, Described {
  static var wording: Wording {
    Wording(noun: "components of a date", examples: [Self(year: 2026, month: 1, day: 31)])
  }
}

extension PropertyListObject {
  /// The object as an export holds it: a date with a fraction of the second, for which the XML
  /// format has no place, is text that is read as the same date.
  var withFractionsAsText: Self {
    let object = try? Self(validating: object) { date in
      date == date.inWholeSeconds ? date : date.text ?? date as Any
    }
    return object ?? self
  }
}
