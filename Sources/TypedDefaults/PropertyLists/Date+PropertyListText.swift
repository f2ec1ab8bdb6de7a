internal import Foundation

/// A date in the XML format, such as `2026-01-31T12:00:00Z`, with as many digits as its year has.
///
/// Foundation's formats take another calendar for dates before 1582.
extension Date {
  /// 31 million years: the XML format writes a year as a 32-bit number. A date that is not a number
  /// would make the whole file unreadable.
  static let propertyListRange = -1e15...1e15

  /// Reads the text; nil if it is no date.
  init?(propertyListText text: String) {
    let end = Array(text.utf8.suffix(16))
    guard text.first != "+", let year = Int(text.dropLast(16)), abs(year) < Self.yearsBefore,
      end.count == 16,
      zip(end, "-00-00T00:00:00Z".utf8).allSatisfy({
        $1 == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) : $0 == $1
      })
    else { return nil }
    let numbers = [1, 4, 7, 10, 13].map { Int(end[$0] & 0xF) * 10 + Int(end[$0 + 1] & 0xF) }
    guard (1...12).contains(numbers[0]) else { return nil }
    let day = Self.day(year, numbers[0], numbers[1]) - Self.referenceDay
    self.init(
      timeIntervalSinceReferenceDate: Double(
        ((day * 24 + numbers[2]) * 60 + numbers[3]) * 60 + numbers[4]))
  }

  /// The text, without a fraction of the second.
  var propertyListText: String {
    let second = Self.referenceDay * 86_400 + Int(timeIntervalSinceReferenceDate.rounded(.down))
    var (day, year) = (second / 86_400, Self.yearsBefore)
    let (era, dayOfEra) = (day / 146_097, day % 146_097)
    year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    day = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * day + 2) / 153
    day -= (153 * month + 2) / 5
    year += era * 400 + month / 10 - Self.yearsBefore
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02dZ", year, (month + 2) % 12 + 1, day + 1,
      second / 3600 % 24, second / 60 % 60, second % 60)
  }

  /// A multiple of 400, so that no year is negative.
  private static let yearsBefore = 40_000_000
  private static let referenceDay = day(2001, 1, 1)

  /// The days since the first of March, `yearsBefore`: a year from March ends with its leap day.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = year + yearsBefore - (month < 3 ? 1 : 0)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear
  }
}
