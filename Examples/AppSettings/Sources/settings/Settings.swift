import Foundation
import TypedDefaults

@main
enum Settings {
  private static let settings = AppSettings.shared

  private static let all = [
    AnySetting(settings.$showsHints, accepts: "yes or no"),
    AnySetting(settings.$launchCount, accepts: "a whole number"),
    AnySetting(
      settings.$theme, accepts: Theme.allCases.map(\.rawValue).joined(separator: ", ")),
    AnySetting(settings.$tags, accepts: "words with commas between them"),
    AnySetting(settings.$website, accepts: "an https address") {
      $0.scheme == "https" && $0.host() != nil  // as a URL, a plain word is a file's path
    },
    AnySetting(settings.$window, accepts: #"JSON, such as {"height":600,"width":800}"#),
    AnySetting(settings.$firstLaunch, accepts: "a date, such as 2026-01-31T12:00:00Z"),
    AnySetting(settings.$nickname, accepts: "any text"),
  ]

  static func main() {
    do {
      let words = words
      switch (words.first, words.count) {
      case (nil, _): launch()
      case ("set", 3): try change(words[1]) { $0.set(words[2]) }
      case ("reset", 2): try change(words[1]) { $0.reset() }
      default: throw Refusal("usage: settings [-NAME VALUE ...] [set NAME VALUE | reset NAME]")
      }
    } catch {
      FileHandle.standardError.write(Data("settings: \(error)\n".utf8))
      exit(1)
    }
  }
}
