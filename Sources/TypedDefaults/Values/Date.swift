public import Foundation

extension Date: PropertyListValue {
  /// The XML format writes a year as a 32-bit number, and a date that is none makes the whole file
  /// unreadable; this is 31 million years.
  private static let range = -1e15...1e15

  /// The date itself.
  ///
  /// - Throws: An error if it is no date at all, or more than 31 million years away.
  public func propertyListObject() throws -> Any {
    guard Self.range.contains(timeIntervalSinceReferenceDate) else {
      throw Unencodable(reason: "it is no date, or more than 31 million years away")
    }
    return self
  }

  /// If the object is a string, parses it as an ISO 8601 date with time and zone
  /// (2026-01-31T12:00:00Z, with or without a fraction of the second), or as a date alone, which is
  /// midnight UTC; if it is neither that nor a date, nil.
  public init?(propertyListObject object: Any) {
    if let date = object as? Date {
      self = date
    } else if let string = object as? String, let date = Self(iso8601: string) {
      self = date
    } else {
      return nil
    }
  }

  /// The toolchain's own parser takes the 30th of February and ignores what follows the date, so the
  /// shape and the calendar are looked at first.
  private init?(iso8601 string: String) {
    let shape = /(\d{4})-(\d\d)-(\d\d)(T(\d\d):(\d\d):(\d\d)([.]\d+)?(Z|[+-]\d\d:?\d\d))?/
    guard let match = string.wholeMatch(of: shape)?.output,
      DateComponents(
        calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: Int(match.1),
        month: Int(match.2), day: Int(match.3), hour: match.5.flatMap { Int($0) },
        minute: match.6.flatMap { Int($0) }, second: match.7.flatMap { Int($0) }
      ).isValidDate
    else { return nil }
    // Nor does it take more than three digits of a fraction.
    let fraction = match.8.flatMap { Double("0\($0)") } ?? 0
    let text = match.4 == nil ? "\(string)T00:00:00Z" : string.replacing(match.8 ?? "", with: "")
    guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle()) else { return nil }
    self = date + fraction
  }
}

/// On Linux, a file holds whole seconds: the fraction is gone when another process reads the date.
extension Date: UserDefaultsSerializable {
  /// The value itself.
  public typealias StoredValue = Self
}
