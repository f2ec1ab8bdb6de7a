import Foundation
import TypedDefaults

@main
enum Settings {
  private static let settings = AppSettings.shared

  private static let usage = """
    usage: settings [-NAME VALUE ...]      list the settings, their values, sources and defaults
           settings set NAME VALUE         store a value
           settings choices NAME           print the values to choose from, as a shell's completion needs
           settings reset NAME | --all     remove the stored value of one setting, or of all
           settings export                 print the stored values as a property list
           settings import FILE            take over exported values, and reset all other settings
           settings watch                  print each change, whichever program makes it

    Each -NAME VALUE overrides a setting for this run. So do the environment variables below.

    """

  static func main() {
    let words = commandWords()
    do {
      switch (words.first, words.count) {
      case (nil, _):
        // `launchCount += 1` would be two steps, and another thread could assign between them.
        settings.$launchCount.withLock { $0 += 1 }
        settings.$firstLaunch.withLock { $0 = $0 ?? .now }
        list()
      case ("--help", 1), ("-h", 1):
        print(usage)
        describe()
      case ("set", 3):
        let setting = setting(named: words[1])
        try setting.set(text: words[2])
        show(setting)
      case ("choices", 2):
        for choice in setting(named: words[1]).choices { print(choice) }
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
          fail("cannot read the file \(words[1])")
        }
        try settings.importData(data)
      case ("watch", 1):
        watch()
      default:
        fail("unknown command \"\(words.joined(separator: " "))\"\n\(usage)")
      }
      try UserDefaults.saved.flush()  // Saves at once, so that a failure is seen here.
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
    if let setting = settings[name] { return setting }
    let names = settings.settings.map(\.key).joined(separator: ", ")
    fail("unknown setting \"\(name)\"; expected one of: \(names)")
  }

  private static func list() {
    printTable(
      [["NAME", "VALUE", "SOURCE", "DEFAULT"]]
        + settings.settings.map {
          [$0.key, $0.text ?? "(none)", "\($0.source)", $0.defaultText ?? "(none)"]
        })
    // Somebody has edited the file, and made a typing error.
    for key in settings.unknownKeys { warn("the file has an unknown setting \"\(key)\"") }
  }

  /// Prints each setting with the values that it accepts.
  private static func describe() {
    printTable(
      [["NAME", "ACCEPTS", "DEFAULT", "VARIABLE"]]
        + settings.settings.map {
          [$0.key, $0.expectation, $0.defaultText ?? "(none)", $0.environmentVariable ?? ""]
        })
    print()
    for setting in settings.settings {
      if let help = setting.help { print("\(setting.key): \(help)") }
    }
  }

  private static func printTable(_ rows: [[String]]) {
    let widths = (0..<3).map { column in rows.map(\.[column].count).max()! }
    for row in rows {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      print(cells.joined(separator: "  ") + "  " + row[3])
    }
  }

  private static func show(_ setting: any DeclaredSetting) {
    print("\(setting.key) = \(setting.text ?? "(none)")")
  }

  /// Prints each change as soon as this program, another one or a person makes it.
  private static func watch() -> Never {
    let observations = settings.settings.map { setting in
      setting.onChange { _, _ in
        show(setting)
        fflush(nil)  // Output to a pipe or a file would otherwise wait in a buffer.
      }
    }
    withExtendedLifetime(observations) { dispatchMain() }
  }

  private static func warn(_ message: String) {
    FileHandle.standardError.write(Data("settings: \(message)\n".utf8))
  }

  private static func fail(_ message: String) -> Never {
    warn(message)
    exit(1)
  }
}
