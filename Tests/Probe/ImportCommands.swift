import Foundation
import TypedDefaults

/// Fifty settings, of all types.
private struct EverySetting: SettingsGroup {
  let first: Half
  let second: Half

  init() {
    first = Half(prefix: "first.")
    second = Half(prefix: "second.")
  }
}

struct Half: SettingsGroup {
  @WrappedDefault("bool") var bool = false
  @WrappedDefault("int") var int = 0
  @WrappedDefault("int8") var int8: Int8 = 0
  @WrappedDefault("int64") var int64: Int64 = 0
  @WrappedDefault("uint") var uint: UInt = 0
  @WrappedDefault("uint64") var uint64: UInt64 = 0
  @WrappedDefault("float") var float: Float = 0
  @WrappedDefault("double") var double = 0.0
  @WrappedDefault("cgFloat") var cgFloat: CGFloat = 0
  @WrappedDefault("decimal") var decimal = Decimal(0)
  @WrappedDefault("string") var string = ""
  @WrappedDefault("data") var data = Data()
  @WrappedDefault("date") var date = Date.distantPast
  @WrappedDefault("url") var url = URL(filePath: "/")
  @WrappedDefaultOptional("uuid") var uuid: UUID?
  @WrappedDefault("timeZone") var timeZone = TimeZone.gmt
  @WrappedDefault("locale") var locale = Locale(identifier: "en")
  @WrappedDefault("range") var range = 0..<1
  @WrappedDefault("closedRange") var closedRange = 0.0...1.0
  @WrappedDefault("array") var array: [[URL]] = []
  @WrappedDefault("set") var set: Set<String> = []
  @WrappedDefault("dictionary") var dictionary: [Int: Date] = [:]
  @WrappedDefault("color") var color = Color.red
  @WrappedDefault("flags") var flags = Flags(rawValue: 0)
  @WrappedDefaultOptional("person") var person: Person?

  func fill() {
    (bool, int, int8, int64) = (true, .min, -128, .max)
    (uint, uint64, float, double) = (.max, .max, 1.1, 0.1 + 0.2)
    (cgFloat, decimal, string) = (1.5, Decimal(string: "0.1")!, "\u{FEFF}<a> & \"b\"\n🏳️‍🌈\0")
    (data, date) = (Data(0...255), Date(timeIntervalSince1970: 1_790_000_000))
    url = URL(string: "c/d?e#f", relativeTo: URL(string: "https://example.com/a/"))!
    uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    (timeZone, locale) = (TimeZone(identifier: "Europe/Paris")!, Locale(identifier: "pt_BR"))
    (range, closedRange) = (3..<9, -.infinity ... .infinity)
    (array, set) = ([[URL(string: "https://a.b/c?d")!], []], ["b", "a", "ü"])
    (dictionary, color, flags) = ([7: .distantFuture], .green, Flags(rawValue: .max))
    person = Person(
      name: "Zoë", age: .max, score: 0.5, born: Date(timeIntervalSinceReferenceDate: 0.123),
      scores: ["a": [1.5]])
  }

  /// The number of settings that are equal.
  func equal(to other: Self) -> Int {
    [
      bool == other.bool, int == other.int, int8 == other.int8, int64 == other.int64,
      uint == other.uint, uint64 == other.uint64, float == other.float, double == other.double,
      cgFloat == other.cgFloat, decimal == other.decimal, string == other.string,
      data == other.data, date == other.date, url == other.url, uuid == other.uuid,
      timeZone == other.timeZone, locale == other.locale, range == other.range,
      closedRange == other.closedRange, array == other.array, set == other.set,
      dictionary == other.dictionary, color == other.color, flags == other.flags,
      person == other.person,
    ].count { $0 }
  }
}

/// `export FILE`: fifty settings that are stored.
func exportCommand(_ arguments: [String]) throws {
  let settings = EverySetting(in: .inMemory())
  settings.first.fill()
  settings.second.fill()
  try settings.exportData().write(to: URL(filePath: arguments[0]))
  print("\(settings.settings.count { $0.isStored }) exported")
}

/// `import FILE`: the fifty settings into the standard store.
func importCommand(_ arguments: [String]) throws {
  let settings = EverySetting(in: .standard)
  try settings.importData(Data(contentsOf: URL(filePath: arguments[0])))
  let expected = Half(in: .inMemory())
  expected.fill()
  print("\(settings.first.equal(to: expected) + settings.second.equal(to: expected)) equal")
}
