import Foundation
import TypedDefaults

private enum Theme: String, UserDefaultsSerializable { case light, dark }

private struct User: Codable, UserDefaultsSerializable { var name = "nobody" }

private struct Settings {
  @WrappedDefault("flag") var flag = true
  @WrappedDefault("count") var count = 1
  @WrappedDefault("byte") var byte = UInt8(1)
  @WrappedDefault("big") var big = UInt64(1)
  @WrappedDefault("ratio") var ratio = 0.5
  @WrappedDefault("float") var float = Float(0.5)
  @WrappedDefault("decimal") var decimal = Decimal(1)
  @WrappedDefault("name") var name = "none"
  @WrappedDefault("data") var data = Data([0])
  @WrappedDefault("date") var date = Date(timeIntervalSince1970: 0)
  @WrappedDefault("url") var url = URL(string: "https://example.com")!
  @WrappedDefault("uuid") var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
  @WrappedDefault("zone") var zone = TimeZone.gmt
  @WrappedDefault("locale") var locale = Locale(identifier: "en")
  @WrappedDefault("range") var range = 0..<1
  @WrappedDefault("theme") var theme = Theme.light
  @WrappedDefault("themes") var themes = [Theme.light]
  @WrappedDefault("numbers") var numbers = [0]
  @WrappedDefault("levels") var levels = ["a": 0]
  @WrappedDefault("user") var user = User()
  @WrappedDefaultOptional("nickname") var nickname: String?

  var lines: [String] {
    [
      "flag \(flag)", "count \(count)", "byte \(byte)", "big \(big)", "ratio \(ratio)",
      "float \(float)", "decimal \(decimal)", "name \(name)", "data \(Array(data))",
      "date \(date.timeIntervalSince1970)", "url \(url)", "uuid \(uuid)", "zone \(zone.identifier)",
      "locale \(locale.identifier)", "range \(range)", "theme \(theme)",
      "themes \(themes.map(\.rawValue))",
      "numbers \(numbers)", "levels \(levels)", "user \(user.name)",
      "nickname \(nickname ?? "nil")",
    ]
  }
}

/// `arguments [store] …`: the settings under the launch arguments that follow.
func launchArgumentsCommand(_ arguments: [String]) throws {
  let settings = Settings()
  if arguments.first == "store" {
    (settings.theme, settings.count, settings.nickname) = (.dark, 7, "Zoë")
    try UserDefaults.standard.flush()
  }
  for line in settings.lines { print(line) }
}

/// `twice -volume …`: an undecodable value beneath the launch argument, declared and read
/// several times.
func readTwiceCommand() {
  UserDefaults.standard.set("louder", forKey: "volume")
  for _ in 1...3 { print(WrappedDefault(wrappedValue: 4, "volume").wrappedValue) }
}
