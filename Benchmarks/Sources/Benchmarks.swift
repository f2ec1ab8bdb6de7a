import Benchmark
import Foundation
import TypedDefaults

/// The rows of the table. The tool sorts them by name.
let benchmarks: @Sendable () -> Void = {
  // A read. The rivals of a type that a property list holds are the accessor and a naive wrapper.
  read("Bool", false, stored: true, .raw("bool(forKey:)") { $0.bool(forKey: $1) }, .naive)
  read("Int", 0, stored: 7, .raw("integer(forKey:)") { $0.integer(forKey: $1) }, .naive)
  read("Int not stored", 7, stored: nil, .raw("integer(forKey:)") { $0.integer(forKey: $1) })
  read(
    "Int by typed key", 0, stored: 7, ours: .oursByTypedKey,
    .raw("integer(forKey:)") { $0.integer(forKey: $1) })
  read("Double", 0, stored: 1.5, .raw("double(forKey:)") { $0.double(forKey: $1) }, .naive)
  read("String", "", stored: "text", .raw("string(forKey:)") { $0.string(forKey: $1) }, .naive)
  read(
    "String?", "", stored: "text", ours: .oursOptional,
    .raw("string(forKey:)") { $0.string(forKey: $1) })
  read(
    "Date", .distantPast, stored: Date(timeIntervalSince1970: 1_000_000_000),
    .raw("object(forKey:) as? Date") { $0.object(forKey: $1) as? Date }, .naive)
  read(
    "[Int] of 100", [], stored: Array(0..<100), calls: 50,
    .raw("object(forKey:) as? [Int]") { $0.object(forKey: $1) as? [Int] }, .naive)
  read(
    "[String] of 100", [], stored: (0..<100).map { "text \($0)" }, calls: 50,
    .raw("object(forKey:) as? [String]") { $0.object(forKey: $1) as? [String] }, .naive)
  read(
    "[String: Double] of 100", [:],
    stored: Dictionary(uniqueKeysWithValues: (0..<100).map { ("text \($0)", Double($0) / 4) }),
    calls: 20,
    .raw("object(forKey:) as? [String: Double]") { $0.object(forKey: $1) as? [String: Double] },
    .naive)
  read(
    "URL", URL(filePath: "/"), stored: URL(string: "https://example.com/a?b=c")!, calls: 50,
    .raw("url(forKey:)") { $0.url(forKey: $1) }, .json)
  read(
    "enum", Theme.system, stored: .dark,
    .raw("string(forKey:)") { $0.string(forKey: $1).flatMap(Theme.init) }, .json)
  read(
    "Codable of 5 fields", User.samples[0], stored: User.samples[1], calls: 100, .json,
    .raw("string(forKey:)") { $0.string(forKey: $1) })

  // The saved store.
  readSaved("Bool", false, stored: true)
  readSaved("Int", 0, stored: 7)
  readSaved("Int by typed key", 0, stored: 7, ours: .oursByTypedKey)
  readSaved("String", "", stored: "text")
  readSaved("String?", "", stored: "text", ours: .oursOptional)
  readSaved("enum", Theme.system, stored: .dark)
  readSaved("[Int] of 100", [], stored: Array(0..<100))
  readSaved("[UUID: Int] of 100", [:], stored: levels)
  readSaved("Codable of 5 fields", User.samples[0], stored: User.samples[1])
  readSaved("URL", URL(filePath: "/"), stored: URL(string: "https://example.com/a?b=c")!)
  rowOfSaved("bool(forKey:)") { store in
    store.set(true, forKey: "flag")
    return { _ in blackHole(store.bool(forKey: "flag")) }
  }
  writeSaved("write Int", calls: 1000, "set(_:forKey:)") { _ in }
  writeSaved("write Int and read it", calls: 5, "set and integer(forKey:)") {
    blackHole($0.integer(forKey: "number"))
  }
  readSavedInTwoThreads()

  // A write, in the writing thread.
  write("Int", 1, 2, .rawSet, .naive)
  write("String", "one", "two", .rawSet, .naive)
  write("Codable of 5 fields", User.samples[0], User.samples[1], .json)

  // Declarations. One has gone before, so that the suite is known.
  let names = HundredSettings.names
  row(
    "declare 100 settings", .init(isInFreshSuites: true),
    [
      Side("ours") { suite in
        _ = WrappedDefault(keyName: "first", defaultValue: 1, userDefaults: suite)
        return { _ in
          for name in names {
            blackHole(WrappedDefault(keyName: name, defaultValue: 1, userDefaults: suite))
          }
        }
      },
      Side("in a group") { suite in
        _ = WrappedDefault(keyName: "first", defaultValue: 1, userDefaults: suite)
        return { _ in blackHole(HundredSettings(in: suite)) }
      },
      Side("register(defaults:)") { suite in
        { _ in
          for name in names { suite.register(defaults: [name: 1]) }
        }
      },
    ])

  // Saving, until every change is on disk.
  for keys in [10, 1000, 10_000] {
    save("flush 1 change among \(keys) keys", changes: 1, keys: keys)
  }
  save("save 1000 changes", changes: 1000, keys: 10)

  // A change, until it is heard.
  for listeners in [1, 100] { deliver(listeners: listeners) }
}

struct HundredSettings: SettingsGroup {
  static let names = (0..<100).map { "setting \($0)" }

  let all = names.map { WrappedDefault(keyName: $0, defaultValue: 1) }
}

private let levels = Dictionary(uniqueKeysWithValues: (0..<100).map { (UUID(), $0) })

enum Theme: String, Codable, UserDefaultsSerializable { case system, light, dark }

struct User: Codable, UserDefaultsSerializable {
  var name: String
  var age: Int
  var isActive: Bool
  var score: Double
  var tags: [String]

  static let samples = [
    Self(name: "Ada", age: 36, isActive: true, score: 9.5, tags: ["swift", "linux"]),
    Self(name: "Grace", age: 85, isActive: false, score: 0.25, tags: ["navy"]),
  ]
}
