import Foundation
import TypedDefaults

/// A value under a key of its own, to be written by one process and compared by another.
struct Sample {
  let key: String
  let write: (UserDefaults) -> Void
  /// Nil if what is stored equals the value, else what is wrong.
  let problem: (UserDefaults) -> String?
  /// Nil if its text, typed, is the value again, else what is wrong.
  let problemOfText: () -> String?

  init<V: UserDefaultsSerializable & Equatable>(_ key: String, _ value: V) {
    self.key = "\(key) \(V.self)"
    let key = UserDefaults.Key<V>(name: self.key)
    write = { $0.set(value, for: key) }
    problem = { userDefaults in
      guard let stored = userDefaults.value(for: key) else { return "nothing can be read" }
      // A nan is not equal to itself, and alone among the samples.
      return stored == value || stored != stored && value != value
        ? nil : "\(value) came back as \(stored)"
    }
    problemOfText = {
      let setting = WrappedDefaultOptional<V>("sample", userDefaults: .inMemory())
      setting.wrappedValue = value
      guard let text = setting.text else { return "no text" }
      do { try setting.set(text: text) } catch { return "\(text): \(error)" }
      guard let typed = setting.wrappedValue else { return "nothing can be read" }
      return typed == value || typed != typed && value != value
        ? nil : "\(value) came back from \(text) as \(typed)"
    }
  }
}

enum Color: String, CaseIterable, UserDefaultsSerializable {
  case red
  case green = "Grün"
  case blue = ""
}

enum Level: Int8, CaseIterable, Codable, UserDefaultsSerializable {
  case low = -128
  case high = 127
}

struct Flags: OptionSet, UserDefaultsSerializable {
  var rawValue: UInt64
}

struct Person: Codable, Hashable, UserDefaultsSerializable {
  var name: String
  var age: Int
  var score: Double
  var site: URL?
  var born: Date
  var scores: [String: [Double]]
}

/// A type that gives its stored form itself.
struct Hue: Hashable, UserDefaultsSerializable {
  var degrees: Double
  var storedValue: Double { degrees }
  init(degrees: Double) { self.degrees = degrees }
  init?(storedValue: Double) {
    guard (0..<360).contains(storedValue) else { return nil }
    degrees = storedValue
  }
}

/// The extreme and the awkward values of every type.
func extremeSamples() -> [Sample] {
  var samples: [Sample] = []
  func add<V: UserDefaultsSerializable & Equatable>(_ values: V...) {
    for (index, value) in values.enumerated() { samples.append(Sample("\(index)", value)) }
  }
  func addIntegers<I: FixedWidthInteger & UserDefaultsSerializable>(_ type: I.Type) {
    add(I.min, 0, 1, I.max / 2, I.max - 1, I.max)
  }
  add(true, false)
  addIntegers(Int.self)
  addIntegers(Int8.self)
  addIntegers(Int16.self)
  addIntegers(Int32.self)
  addIntegers(Int64.self)
  addIntegers(UInt.self)
  addIntegers(UInt8.self)
  addIntegers(UInt16.self)
  addIntegers(UInt32.self)
  addIntegers(UInt64.self)
  add(
    Float(1.1), 0, -0.0, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .infinity, -.infinity, .nan, 16_777_216)
  add(
    1.1, 0.1 + 0.2, 0, -0.0, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .infinity, -.infinity, .nan,
    9_007_199_254_740_992)
  add(
    CGFloat(1.1), .greatestFiniteMagnitude, .infinity, -1, -.nan,
    CGFloat(Double(nan: 0x3_7543_7d35_d905, signaling: true)),
    CGFloat(Double(nan: 1, signaling: false)))
  add(
    Decimal(string: "1.1")!, 0, Decimal(string: "-0.00000000000000000000001")!,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan,
    Decimal(string: "12345678901234567890123456789012345678")!)
  add(
    "", " ", " lead and trail ", "\n", "a\nb", "a\r\nb", "\r", "\t", "\0", "a\0b", "\u{1}\u{7F}",
    "\u{FFFE}\u{FFFF}", "\u{85}\u{2028}\u{2029}", "]]>", "&amp;<b>\"'", "true", "12", "1.10",
    "2026-01-31T12:00:00Z", "{\"a\":1}", "(1, 2)", "<data>", "https://example.com/a?b=c",
    "English", "Ελληνικά", "Русский", "עברית", "العربية", "हिन्दी", "ไทย", "中文", "日本語", "한국어",
    "🏳️‍🌈👩🏽‍🚀😀", "e\u{301}", "é", "\u{202E}right to left", String(repeating: "long ", count: 10_000))
  add(Data(), Data([0]), Data(0...255), Data(repeating: 7, count: 100_000))
  add(
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_790_000_000),
    Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 4_102_444_800), .distantPast,
    .distantFuture, Date(timeIntervalSinceReferenceDate: 1e15),
    Date(timeIntervalSinceReferenceDate: -1e15))
  add(
    URL(string: "https://example.com/a?b=c&d=e%20f#frag")!, URL(string: "https://example.com")!,
    URL(string: "http://user:pass@[::1]:8080/%7Ea/;p=1?q#f")!, URL(string: "mailto:a@b.org")!,
    URL(string: "relative/path?x=1#y")!, URL(string: "?query")!, URL(string: "#fragment")!,
    URL(string: "../up")!, URL(string: "https://bücher.example/straße")!,
    URL(string: "c/d?e#f", relativeTo: URL(string: "https://example.com/a/b/"))!,
    URL(string: "file.txt", relativeTo: URL(fileURLWithPath: "/base/", isDirectory: true))!,
    URL(fileURLWithPath: "/no/such/file.txt"), URL(fileURLWithPath: "/no/such dir/ü%20 é/"),
    URL(fileURLWithPath: "/", isDirectory: true), URL(fileURLWithPath: "/tmp", isDirectory: true),
    URL(string: "file:///tmp")!, URL(string: "file:///tmp/%2Fa")!, URL(string: "file:///a?b#c")!,
    URL(string: "file://host/share/x")!, URL(string: "file:///~x")!, URL(string: "file:///a/../b")!,
    URL(string: "data:text/plain,hello")!, URL(string: "tel:+1-201-555-0123")!,
    URL(string: "custom-scheme://x/y")!, URLComponents().url!)
  add(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
  add(
    TimeZone(identifier: "Europe/Paris")!, TimeZone(identifier: "America/Argentina/Ushuaia")!,
    .gmt, TimeZone(secondsFromGMT: -5 * 3600 - 1800)!)
  add(Locale(identifier: "pt_BR"), Locale(identifier: "zh-Hant_HK@calendar=chinese"))
  // An initializer of `Duration` would make the compiler refuse members of `timeval` in other files.
  let longest = Duration.seconds(Int64.max) * 18
  let shortest = Duration.nanoseconds(1) / 1_000_000_000
  add(
    Duration.zero, .milliseconds(1500), .seconds(-7), .zero - shortest, longest, .zero - longest,
    longest + shortest)
  add(Character("a"), " ", "\n", "\0", "e\u{301}", "👩🏽‍🚀", "\"", "[", "\r\n")
  add(CGPoint.zero, CGPoint(x: 0.1, y: -.greatestFiniteMagnitude))
  add(CGSize(width: 800, height: 600.5))
  add(CGRect(x: -1, y: 2, width: 0.1, height: 1e300))
  add(
    DateComponents(), DateComponents(year: 2026, month: 1, day: 31),
    DateComponents(
      calendar: Calendar(identifier: .hebrew), timeZone: .gmt, era: 1, hour: 12, minute: 0,
      second: 59, nanosecond: 1, weekday: 2, quarter: 3, weekOfYear: 5, yearForWeekOfYear: 2025))
  add([Duration.seconds(1): [CGPoint(x: 1, y: 2)]])
  add(Duration.zero...Duration.seconds(1))
  add(0..<10, Int.min..<Int.max, 5..<5)
  add(UInt64.min...UInt64.max, 5...5)
  add(-.infinity ... .infinity, 1.1...2.2)
  add(Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 100))
  add("a"..<"b")
  add([Int](), [Int.min, 0, Int.max])
  add([UInt64.max, 0])
  add([Float(1.1), .infinity])
  add([Bool](), [true, false])
  add(["", "a", "ü"])
  add([Data(), Data([1])])
  add([[[Int]]](), [[[1], []], []])
  add([URL(string: "https://a.b/c?d")!, URL(fileURLWithPath: "/x")], [URL]())
  add([Date(timeIntervalSince1970: 7)])
  add(Set<Int>(), [3, 1, 2])
  add(Set(["b", "a", "ü"]))
  add(Set([URL(string: "https://a.b/c?d")!]))
  add([String: Int](), ["": 1, "a.b": 2, "@c": 3, "ü 😀": 4])
  add([[String: [Float]]](), [["a": [1.1, -.infinity], "b": []], [:]])
  add([Int: String](), [Int.min: "min", 0: "", Int.max: "max"])
  add([Bool: Bool](), [true: false, false: true])
  add([Double: Int](), [0.1: 1, -.infinity: 2])
  add([UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!: [1, 2]])
  add([Color.red: Level.low, .blue: .high])
  add(["a": ["b": ["c": [Set([1])]]]])
  add([Decimal(string: "0.1")!: Decimal(string: "0.2")!])
  add(Color.red, .green, .blue)
  add(Level.low, .high)
  add([Color.green, .blue], [])
  add(Flags(rawValue: 0), Flags(rawValue: .max))
  let person = Person(
    name: "Zoë \"Z\" /\\", age: .max, score: 0.1 + 0.2, site: URL(string: "https://a.b/c?d#e"),
    born: Date(timeIntervalSinceReferenceDate: 0.123), scores: ["a": [1.5, .leastNonzeroMagnitude]])
  add(person, Person(name: "", age: .min, score: -0.0, born: .distantPast, scores: [:]))
  add([person])
  add(["x": person])
  add(Set([person]))
  add(Hue(degrees: 359.999))
  add([Hue(degrees: 0): "red"])
  return samples
}

/// Values that look like others, and those that a file cannot hold.
func awkwardSamples() -> [Sample] {
  let strings = [
    "<0102ff>", "<>", "@1", "@1e9", "[1]", "[", "(a, b)", "{}", "{\"a\": 1}", "{a = b;}",
    "\"quoted\"",
    " 1", "nan", "null", "0x10", "1e5", "-5", "\u{FEFF}x",
  ]
  let dates = [
    0.1, 0.123, -0.001, 790_000_000.123456, 1e-7, 86399.99999, -63_114_076_800.5, 2.6e11,
  ]
  .map(Date.init(timeIntervalSinceReferenceDate:))
  let urls = ["<01>", "@1", "a b", "[1]", "https://a.b/%7B%7D"].map {
    URL(string: $0) ?? URL(filePath: $0)
  }
  let archive = try! urls[4].propertyListObject() as! Data
  return strings.map { Sample("string", $0) } + dates.map { Sample("date", $0) }
    + urls.map { Sample("url", $0) }
    + [
      Sample("strings", strings), Sample("dates", dates), Sample("urls", urls),
      Sample("by string", Dictionary(uniqueKeysWithValues: zip(strings, strings))),
      Sample("bounds", dates.min()!...dates.max()!),
      Sample("data", archive), Sample("data", [archive, Data()]),
      Sample("floats", [0.1, 1.100000023841858, 1e300, 1e22, .infinity]),
      Sample("floats", [Float(0.1), .leastNonzeroMagnitude, 16_777_216]),
      Sample("big", [UInt64.max, 0]), Sample("small", [Int64.min]),
      Sample("flags", [[true], [false], []]),
    ]
}
