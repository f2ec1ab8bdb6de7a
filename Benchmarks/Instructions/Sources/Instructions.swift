import Foundation
import TypedDefaults

// The reads and writes that `Benchmarks/instructions` counts. At each call of `edgeOfLoop`, Callgrind writes
// down what it has counted since the one before. The names of the loops are printed, in their order.

private nonisolated(unsafe) var edges = 0

@inline(never)
private func edgeOfLoop() { edges += 1 }

@inline(never) @_optimize(none)
private func blackHole<T>(_: T) {}

/// What one row of the table compares.
private enum Side: String { case raw, foundation, saved }

/// Counts a call, in two loops: what their difference does not hold is no part of a call.
@inline(__always)
private func count<R>(_ row: String, _ side: Side, _ call: (Int) -> R) {
  for number in 0..<10 { blackHole(call(number)) }
  for calls in [100, 1000] {
    edgeOfLoop()
    for number in 0..<calls { blackHole(call(number)) }
    edgeOfLoop()
    print(row, side.rawValue, calls, separator: "\t")
  }
}

/// A read by a setting, on Foundation's class and on the saved store, and by the raw accessor.
@inline(__always)
private func read<T: UserDefaultsSerializable, R, S>(
  _ row: String, stored: T, in stores: Stores, raw: (UserDefaults, String) -> R,
  declaring declare: (UserDefaults, String) -> S, _ read: (S) -> some Any
) {
  for (store, side) in [(stores.foundation, Side.foundation), (stores.saved, .saved)] {
    let setting = declare(store, row)
    store.set(stored, for: UserDefaults.Key<T>(name: row))
    store.settle()
    count(row, side) { _ in read(setting) }
  }
  count(row, .raw) { _ in raw(stores.foundation, row) }
}

/// The same of a wrapper with a default.
@inline(__always)
private func read<T: UserDefaultsSerializable, R>(
  _ row: String, _ defaultValue: T, stored: T, in stores: Stores,
  raw: (UserDefaults, String) -> R
) {
  read(
    row, stored: stored, in: stores, raw: raw,
    declaring: { WrappedDefault(keyName: $1, defaultValue: defaultValue, userDefaults: $0) },
    { $0.wrappedValue })
}

private struct Stores {
  let foundation, saved: UserDefaults
}

extension UserDefaults {
  /// Saves all changes, so that the saving thread is idle.
  fileprivate func settle() {
    try! flush()
  }
}

private enum Theme: String, UserDefaultsSerializable { case system, light, dark }

private struct User: Codable, UserDefaultsSerializable {
  var name = "Ada"
  var age = 36
  var isActive = true
  var score = 9.5
  var tags = ["swift", "linux"]
}

@main
struct Instructions {
  /// The script makes the folder of the preferences.
  static func main() {
    let stores = Stores(
      foundation: .standard, saved: .saved(suiteName: "saved"))

    read("Bool", false, stored: true, in: stores) { $0.bool(forKey: $1) }
    read("Int", 0, stored: 7, in: stores) { $0.integer(forKey: $1) }
    read("Double", 0, stored: 1.5, in: stores) { $0.double(forKey: $1) }
    read("String", "", stored: "text", in: stores) { $0.string(forKey: $1) }
    read("enum", Theme.system, stored: .dark, in: stores) {
      $0.string(forKey: $1).flatMap(Theme.init)
    }
    read("[Int] of 100", [], stored: Array(0..<100), in: stores) {
      $0.object(forKey: $1) as? [Int]
    }
    read("Codable of 5 fields", User(), stored: User(name: "Grace"), in: stores) {
      $0.string(forKey: $1)
    }
    read(
      "Int?", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: { WrappedDefaultOptional<Int>(keyName: $1, userDefaults: $0) },
      { $0.wrappedValue })
    read(
      "Int, formerly:", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: {
        WrappedDefault(wrappedValue: 0, .init(name: $1), formerly: "old", userDefaults: $0)
      },
      { $0.wrappedValue })
    read(
      "Int under a former key", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: {
        WrappedDefault(
          wrappedValue: 0, .init(name: "new \($1)"), formerly: .init(name: $1), userDefaults: $0)
      },
      { $0.wrappedValue })
    read(
      "Int, converted", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: {
        WrappedDefault(
          wrappedValue: 0, .init(name: "new \($1)"),
          formerly: .init($1) { (old: Int) in old == .max ? nil : old + 1 }, userDefaults: $0)
      },
      { $0.wrappedValue })
    read(
      "Int, environment:", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: {
        WrappedDefault(wrappedValue: 0, .init(name: $1), environment: "UNSET", userDefaults: $0)
      },
      { $0.wrappedValue })
    read(
      "Int by typed key", stored: 7, in: stores, raw: { $0.integer(forKey: $1) },
      declaring: { ($0, UserDefaults.Key<Int>(name: $1)) }, { $0.value(for: $1) })

    for (store, side) in [(stores.foundation, Side.foundation), (stores.saved, .saved)] {
      let setting = WrappedDefault(keyName: "written", defaultValue: -1, userDefaults: store)
      count("write Int", side) { setting.wrappedValue = $0 }
      store.settle()
    }
    count("write Int", .raw) { stores.foundation.set($0, forKey: "written raw") }
  }
}
