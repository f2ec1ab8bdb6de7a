import Configuration
import ConfigurationDefaults
import Foundation
import TypedDefaults

// `set SUITE KEY NUMBER` is the second process of the tests. `read` and `ask` read a number as often, from
// a provider and by a reader of it: the difference of two runs under Callgrind is the price of the reads.
let words = CommandLine.arguments
switch words.count == 4 || words.count == 5 ? words[1] : "" {
case "set":
  let store = UserDefaults.saved(suiteName: words[2])
  store.set(Int(words[4])!, forKey: words[3])
  try store.flush()
case "read":
  let provider = try makeProvider(words[2])
  let key: AbsoluteConfigKey = "http.timeout"
  for _ in 0..<Int(words[3])! {
    guard try provider.value(forKey: key, type: .int).value?.content == .int(30) else {
      fatalError("another value")
    }
  }
case "ask":
  let config = ConfigReader(providers: [try makeProvider(words[2])])
  for _ in 0..<Int(words[3])! {
    guard config.int(forKey: "http.timeout") == 30 else { fatalError("another value") }
  }
default:
  fatalError("usage: ConfigurationProbe set SUITE KEY NUMBER | read|ask defaults|memory TIMES")
}

/// - Parameter name: `defaults`, or `memory` for the provider to compare with.
func makeProvider(_ name: String) throws -> any ConfigProvider {
  let values = ["http.timeout": 30, "http.port": 8080, "log.level": 2]
  if name == "defaults" {
    for (key, number) in values { UserDefaults.saved.set(number, forKey: key) }
    try UserDefaults.saved.flush()
    return DefaultsProvider(.saved)
  }
  let pairs = values.map { (AbsoluteConfigKey(stringLiteral: $0), ConfigValue(integerLiteral: $1)) }
  return InMemoryProvider(values: Dictionary(uniqueKeysWithValues: pairs))
}
