import Benchmark
import Foundation
import TypedDefaults

/// One way to read and write the setting of a row: ours, or a rival's.
struct Accessor<T: UserDefaultsSerializable> {
  let name: String
  let open: (UserDefaults, _ defaultValue: T) -> (read: () -> Void, write: (T) -> Void)

  private static var key: String { "setting" }
}

extension Accessor {
  static var ours: Self {
    .init(name: "ours") { suite, defaultValue in
      let setting = WrappedDefault(keyName: key, defaultValue: defaultValue, userDefaults: suite)
      return ({ blackHole(setting.wrappedValue) }, { setting.wrappedValue = $0 })
    }
  }

  static var oursOptional: Self {
    .init(name: "ours") { suite, _ in
      let setting = WrappedDefaultOptional<T>(keyName: key, userDefaults: suite)
      return ({ blackHole(setting.wrappedValue) }, { setting.wrappedValue = $0 })
    }
  }

  static var oursByTypedKey: Self {
    .init(name: "ours") { suite, _ in
      let key = UserDefaults.Key<T>(name: key)
      return ({ blackHole(suite.value(for: key)) }, { suite.set($0, for: key) })
    }
  }

  /// An accessor of `UserDefaults`. It reads what ours has written.
  static func raw<R>(_ name: String, _ read: @escaping (UserDefaults, String) -> R) -> Self {
    .init(name: name) { suite, defaultValue in
      ({ blackHole(read(suite, key)) }, Self.oursByTypedKey.open(suite, defaultValue).write)
    }
  }

  static var rawSet: Self {
    .init(name: "set(_:forKey:)") { suite, _ in
      ({ blackHole(suite.object(forKey: key)) }, { suite.set($0, forKey: key) })
    }
  }

  static var naive: Self {
    .init(name: "naive wrapper") { suite, defaultValue in
      let setting = NaiveDefault(key: key, defaultValue: defaultValue, userDefaults: suite)
      return ({ blackHole(setting.wrappedValue) }, { setting.wrappedValue = $0 })
    }
  }
}

extension Accessor where T: Codable {
  static var json: Self {
    .init(name: "JSON wrapper") { suite, defaultValue in
      // What it stores nobody else reads.
      let setting = JSONDefault(key: "JSON", defaultValue: defaultValue, userDefaults: suite)
      return ({ blackHole(setting.wrappedValue) }, { setting.wrappedValue = $0 })
    }
  }
}
