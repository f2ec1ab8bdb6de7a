import Foundation
import TypedDefaults

@main
enum Settings {
  private static let settings = AppSettings.shared

  private static var all: [AnySetting] {
    let themes = Theme.allCases.map(\.rawValue).joined(separator: ", ")
    return [
      AnySetting(settings.$showsHints, accepts: "yes or no"),
      AnySetting(settings.$launchCount, accepts: "a number from 0 to 9999") { 0...9999 ~= $0 },
      AnySetting(settings.$theme, accepts: "one of \(themes)"),
      AnySetting(settings.$tags, accepts: "words with commas between them"),
      AnySetting(settings.$website, accepts: "a web address, such as https://example.com") {
        // To `URL`, any other text is the path of a file.
        $0.absoluteString.starts(with: /https?:\/\/\w/)
      },
      AnySetting(settings.$window, accepts: #"JSON, such as {"height":600,"width":800}"#),
      AnySetting(settings.$firstLaunch, accepts: "a date, such as 2026-01-31T12:00:00Z"),
      AnySetting(settings.$nickname, accepts: "any text"),
    ]
  }

  static func main() async {
    let words = commandWords()
    switch (words.first, words.count) {
    case (nil, _):
      // `launchCount += 1` would be two steps, which another thread could come between.
      settings.$launchCount.withLock { $0 += 1 }
      settings.$firstLaunch.withLock { $0 = $0 ?? .now }
      printAll()
    case ("set", 3):
      let setting = setting(named: words[1])
      do {
        try setting.set(words[2])
      } catch {
        fail("\(setting.key) cannot be \"\(words[2])\"; it takes \(setting.accepted)")
      }
      print("\(setting.key) = \(setting.text())")
    case ("reset", 2):
      let setting = setting(named: words[1])
      setting.reset()
      print("\(setting.key) = \(setting.text())")
    case ("watch", 1):
      await watchAll()
    default:
      fail("usage: settings [-NAME VALUE ...] [set NAME VALUE | reset NAME | watch]")
    }
  }

  /// The arguments without the launch arguments, such as `-theme dark`: `UserDefaults` reads those.
  private static func commandWords() -> [String] {
    var words = Array(CommandLine.arguments.dropFirst())
    for key in UserDefaults.standard.volatileDomain(forName: UserDefaults.argumentDomain).keys {
      while let index = words.firstIndex(of: "-" + key) {
        words.removeSubrange(words[index...].prefix(2).indices)
      }
    }
    return words
  }

  private static func setting(named name: String) -> AnySetting {
    if let setting = all.first(where: { $0.key == name }) { return setting }
    fail("there is no \"\(name)\", only \(all.map(\.key).joined(separator: ", "))")
  }

  private static func printAll() {
    var rows = [[" ", "KEY", "VALUE", "DEFAULT"]]
    for setting in all {
      let text = setting.text()
      let mark = text == setting.defaultText ? " " : "*"
      rows.append([mark, setting.key, text, setting.defaultText])
    }
    let widths = (0..<3).map { column in rows.map(\.[column].count).max()! }
    for row in rows {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      print(cells.joined(separator: "  ") + "  " + row[3])
    }
  }

  /// Prints each setting, and each change as soon as another program, or a person, makes it.
  private static func watchAll() async {
    await withTaskGroup(of: Void.self) { group in
      for setting in all {
        group.addTask { [key = setting.key, watch = setting.watch] in
          await watch { text in
            print("\(key) = \(text)")
            fflush(nil)  // What is printed into a pipe or a file would else wait.
          }
        }
      }
    }
  }

  private static func fail(_ message: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("settings: \(message)\n".utf8))
    exit(1)
  }
}
