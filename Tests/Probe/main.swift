import Foundation
import TypedDefaults

enum Theme: String, UserDefaultsSerializable { case light, dark }
struct User: Codable, UserDefaultsSerializable, Equatable {
  var name = "x"
  var u = URL(string: "https://a/b")
}
enum Both: Int, Codable, UserDefaultsSerializable { case a, b }
struct Opt: OptionSet, Codable, UserDefaultsSerializable { var rawValue: Int }
struct AppSettings: Sendable {
  static let shared = AppSettings()
  @WrappedDefault("flagEnabled") var flagEnabled = true
  @WrappedDefaultOptional("timestamp") var timestamp: Date?
  @WrappedDefault("theme") var theme = Theme.light
  @WrappedDefault("user") var user = User()
  @WrappedDefault("both") var both = Both.a
  @WrappedDefault("opt") var opt: Opt = []
  @WrappedDefault("url") var url = URL(string: "https://x.y/z?q=1")!
  @WrappedDefault("nest") var nest: [[String: [Float]]] = [["a": [1.1]]]
  @WrappedDefault("intkeys") var ik: [Int: String] = [1: "b"]
  @WrappedDefault("count") var count = 0
}
let s = AppSettings.shared
print(
  s.flagEnabled, s.timestamp as Any, s.theme, s.user, s.both, s.opt, s.url, s.nest, s.ik, s.count)
s.theme = .dark
s.user = User(name: "q")
s.both = .b
s.opt = [Opt(rawValue: 4)]
s.url = URL(string: "c?d", relativeTo: URL(string: "https://e.com/a/b"))!
s.ik[7] = "z"
s.$count.withLock { $0 += 1 }
s.timestamp = .now
print(
  s.flagEnabled, s.timestamp as Any, s.theme, s.user, s.both, s.opt, s.url, s.nest, s.ik, s.count)
