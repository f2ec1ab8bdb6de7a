import Foundation
import TypedDefaults

// `release 1|2|3 show|fill|serve`: three versions of a program with fifty settings of all types, and with
// the migrations of an article.

/// A setting that version 2 splits into two.
private struct Server: Codable, UserDefaultsSerializable {
  var host = "localhost"
  var port = 8080
}

private protocol Release {
  init(in store: UserDefaults)
  /// Each with 25 settings. The second one moves with each version.
  var first: Half { get }
  var second: Half { get }
  var server: Server { get nonmutating set }
  var milliseconds: Int { get nonmutating set }
}

private struct FirstRelease: Release {
  struct Settings: SettingsGroup {
    @WrappedDefault("server") var server = Server()
    @WrappedDefault("timeout") var timeout = 30_000
  }

  let first, second: Half
  private let settings: Settings

  init(in store: UserDefaults) {
    first = Half(in: store, prefix: "first.")
    second = Half(in: store, prefix: "second.")
    settings = Settings(in: store)
  }

  var server: Server {
    get { settings.server }
    nonmutating set { settings.server = newValue }
  }
  var milliseconds: Int {
    get { settings.timeout }
    nonmutating set { settings.timeout = newValue }
  }
}

private struct SecondRelease: Release {
  struct Settings: SettingsGroup {
    @WrappedDefault("host") var host = "localhost"
    @WrappedDefault("port") var port = 8080
    @WrappedDefault("timeout") var timeout = 30_000

    func migrate(in store: UserDefaults) {
      store.transaction {
        let server = UserDefaults.Key<Server>("server")
        if let old = store.storedValue(for: server) {
          (host, port) = (old.host, old.port)
          store.removeValue(for: server)
        }
      }
    }
  }

  let first, second: Half
  private let settings: Settings

  init(in store: UserDefaults) {
    first = Half(in: store, prefix: "first.")
    second = Half(in: store, prefix: "other.", formerly: "second.")
    settings = Settings(in: store)
    settings.migrate(in: store)
  }

  var server: Server {
    get { Server(host: settings.host, port: settings.port) }
    nonmutating set { (settings.host, settings.port) = (newValue.host, newValue.port) }
  }
  var milliseconds: Int {
    get { settings.timeout }
    nonmutating set { settings.timeout = newValue }
  }
}

private struct ThirdRelease: Release {
  struct Settings: SettingsGroup {
    @WrappedDefault("host") var host = "localhost"
    @WrappedDefault("port") var port = 8080
    @WrappedDefault("timeoutInSeconds") var timeout = 30.0

    func migrate(in store: UserDefaults) {
      store.transaction {
        let server = UserDefaults.Key<Server>("server")
        if let old = store.storedValue(for: server) {
          (host, port) = (old.host, old.port)
          store.removeValue(for: server)
        }
        let milliseconds = UserDefaults.Key<Int>("timeout")
        if let old = store.storedValue(for: milliseconds) {
          timeout = Double(old) / 1000
          store.removeValue(for: milliseconds)
        }
      }
    }
  }

  let first, second: Half
  private let settings: Settings

  init(in store: UserDefaults) {
    first = Half(in: store, prefix: "first.")
    second = Half(in: store, prefix: "third.", formerly: "other.", "second.")
    settings = Settings(in: store)
    settings.migrate(in: store)
  }

  var server: Server {
    get { Server(host: settings.host, port: settings.port) }
    nonmutating set { (settings.host, settings.port) = (newValue.host, newValue.port) }
  }
  var milliseconds: Int {
    get { Int(settings.timeout * 1000) }
    nonmutating set { settings.timeout = Double(newValue) / 1000 }
  }
}

func migrationCommand(_ arguments: [String]) {
  let types: [any Release.Type] = [FirstRelease.self, SecondRelease.self, ThirdRelease.self]
  let release = types[Int(arguments[0])! - 1].init(in: ProbeStore.standard)
  switch arguments[1] {
  case "show":
    for (name, half) in [("first", release.first), ("second", release.second)] {
      for setting in half.settings {
        let key = setting.key.drop { $0 != "." }
        print("\(name)\(key) \(setting.text?.debugDescription ?? "-")")
      }
    }
    print("server \(release.server.host) \(release.server.port)")
    print("milliseconds \(release.milliseconds)")
  case "fill":
    for half in [release.first, release.second] { half.fill() }
    release.server = Server(host: "example.com", port: 443)
    release.milliseconds = 1500
  case "serve": release.server = Server(host: "example.org", port: 22)
  default: fatalError("no such command: \(arguments)")
  }
}
