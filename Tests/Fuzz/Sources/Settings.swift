import Foundation
import TypedDefaults

enum Color: String, UserDefaultsSerializable, CaseIterable { case red, green }

struct User: Codable, UserDefaultsSerializable {
  var name: String
  var born: Date?
  var ages: [String: Int]?
}

/// A setting of each type. Append new ones: the inputs in `Corpus/text` begin with the letter of a
/// setting, in this order from A.
struct Settings: SettingsGroup {
  @WrappedDefaultOptional("bool") var bool: Bool?
  @WrappedDefaultOptional("int") var int: Int?
  @WrappedDefaultOptional("int8") var int8: Int8?
  @WrappedDefaultOptional("uint64") var uint64: UInt64?
  @WrappedDefaultOptional("float") var float: Float?
  @WrappedDefaultOptional("double") var double: Double?
  @WrappedDefaultOptional("cgfloat") var cgfloat: CGFloat?
  @WrappedDefaultOptional("decimal") var decimal: Decimal?
  @WrappedDefaultOptional("string") var string: String?
  @WrappedDefaultOptional("data") var data: Data?
  @WrappedDefaultOptional("date") var date: Date?
  @WrappedDefaultOptional("url") var url: URL?
  @WrappedDefaultOptional("uuid") var uuid: UUID?
  @WrappedDefaultOptional("timeZone") var timeZone: TimeZone?
  @WrappedDefaultOptional("locale") var locale: Locale?
  @WrappedDefaultOptional("duration") var duration: Duration?
  @WrappedDefaultOptional("character") var character: Character?
  @WrappedDefaultOptional("rect") var rect: CGRect?
  @WrappedDefaultOptional("components") var components: DateComponents?
  @WrappedDefaultOptional("range") var range: Range<Int>?
  @WrappedDefaultOptional("dates") var dates: ClosedRange<Date>?
  @WrappedDefaultOptional("list") var list: [Int]?
  @WrappedDefaultOptional("urls") var urls: [URL]?
  @WrappedDefaultOptional("set") var set: Set<Date>?
  @WrappedDefaultOptional("dictionary") var dictionary: [String: Double]?
  @WrappedDefaultOptional("nested") var nested: [Int: [[Date]]]?
  @WrappedDefaultOptional("color") var color: Color?
  @WrappedDefaultOptional("colors") var colors: [Color: User]?
  @WrappedDefaultOptional("user") var user: User?
  @WrappedDefaultOptional("users") var users: [[String: User]]?
  @WrappedDefaultOptional("someDouble", in: 0...) var someDouble: Double?
  @WrappedDefaultOptional("someFloat", in: ...100) var someFloat: Float?
  @WrappedDefaultOptional("someCGFloat", in: 0..<1) var someCGFloat: CGFloat?
  @WrappedDefaultOptional("someDecimal", in: ...100) var someDecimal: Decimal?
  @WrappedDefaultOptional("someDate", in: Date.distantPast...Date.distantFuture) var someDate: Date?
}

/// The settings, in a store that each input finds empty.
struct EmptyStore: @unchecked Sendable {  // The fuzzer has one thread.
  let userDefaults = UserDefaults.inMemory()
  let settings: Settings
  let all: [any DeclaredSetting]

  init() {
    settings = Settings(in: userDefaults)
    all = settings.settings
  }

  func empty() {
    userDefaults.removePersistentDomain(forName: "")
  }

  /// The texts of the settings that have a value.
  var texts: [String: String] {
    Dictionary(
      uniqueKeysWithValues: all.compactMap { setting in
        setting.text.map { (setting.key, $0) }
      })
  }
}
