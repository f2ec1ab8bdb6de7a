import Foundation
import TypedDefaults

@main
enum Settings {
  private static let settings = AppSettings.shared

  private static let usage = """
    usage: settings [-NAME VALUE ...]      lists the settings, with their values, sources and defaults
           settings set NAME VALUE         stores a value
           settings reset NAME | --all     removes what is stored
           settings export                 prints what is stored, as a property list
           settings import FILE            takes over what was exported
           settings watch                  prints each change, whoever makes it

    Environment variables: SETTINGS_THEME, SETTINGS_TAGS.
    """

  static func main() {
    let words = commandWords()
    do {
      switch (words.first, words.count) {
      case (nil, _):
        // `launchCount += 1` would read and write in two steps, and another thread could come between.
        settings.$launchCount.withLock { $0 += 1 }
        settings.$firstLaunch.withLock { $0 = $0 ?? .now }
        list()
      case ("--help", 1), ("-h", 1):
        print(usage)
      case ("set", 3):
        let setting = setting(named: words[1])
        try setting.set(text: words[2])
        show(setting)
      case ("reset", 2) where words[1] == "--all":
        settings.resetAll()
      case ("reset", 2):
        let setting = setting(named: words[1])
        setting.reset()
        show(setting)
      case ("export", 1):
        FileHandle.standardOutput.write(try settings.exportData())
      case ("import", 2):
        guard let data = FileManager.default.contents(atPath: words[1]) else {
          fail("\(words[1]) cannot be read")
        }
        try settings.importData(data)
      case ("watch", 1):
        watch()
      default:
        fail("\(words.joined(separator: " ")) is no command\n\(usage)")
      }
      try UserDefaults.saved.flush()  // Throws if the settings could not be saved.
    } catch {
      fail("\(error)")
    }
  }

  /// The arguments without launch arguments such as `-theme dark`, which `UserDefaults` reads.
  private static func commandWords() -> [String] {
    var words = Array(CommandLine.arguments.dropFirst())
    for setting in settings.settings {
      while let index = words.firstIndex(of: "-" + setting.key) {
        words.removeSubrange(words[index...].prefix(2).indices)
      }
    }
    return words
  }

  private static func setting(named name: String) -> any DeclaredSetting {
    if let setting = settings.settings.first(where: { $0.key == name }) { return setting }
    let names = settings.settings.map(\.key).joined(separator: ", ")
    fail("there is no setting \"\(name)\"; expected one of: \(names)")
  }

  private static func list() {
    let rows =
      [["NAME", "VALUE", "SOURCE", "DEFAULT"]]
      + settings.settings.map {
        [$0.key, $0.text ?? "(none)", "\($0.source)", $0.defaultText ?? "(none)"]
      }
    let widths = (0..<3).map { column in rows.map(\.[column].count).max()! }
    for row in rows {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      print(cells.joined(separator: "  ") + "  " + row[3])
    }
  }

  private static func show(_ setting: any DeclaredSetting) {
    print("\(setting.key) = \(setting.text ?? "(none)")")
  }

  /// Prints each change, of this program, another one or a person.
  private static func watch() -> Never {
    func follow(_ setting: some DeclaredSetting) -> SettingObservation {
      setting.onChange { _, _ in
        show(setting)
        fflush(nil)  // Otherwise output into a pipe or a file would wait.
      }
    }
    let observations = settings.settings.map { follow($0) }
    withExtendedLifetime(observations) { dispatchMain() }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("settings: \(message)\n".utf8))
    exit(1)
  }
}
