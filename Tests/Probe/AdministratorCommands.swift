import Foundation
import TypedDefaults

/// `Probe administrator KEY…`: tells what becomes of settings that lie in several layers, one line for
/// each.
enum AdministratorCommands {
  private struct Settings: SettingsGroup {
    @WrappedDefault("managed", environment: "PROBE_MANAGED") var managed = 1
    @WrappedDefault("argument", environment: "PROBE_ARGUMENT") var argument = 1
    @WrappedDefault("environment", environment: "PROBE_ENVIRONMENT") var environment = 1
    @WrappedDefault("stored", environment: "PROBE_STORED") var stored = 1
    @WrappedDefault("system", environment: "PROBE_SYSTEM") var system = 1
    @WrappedDefault("registered", environment: "PROBE_REGISTERED") var registered = 1

    var all: [WrappedDefault<Int>] {
      [$managed, $argument, $environment, $stored, $system, $registered]
    }
  }

  static func run() {
    DefaultsIssue.setHandler { print($0) }
    let settings = Settings(in: ProbeStore.standard)
    func exported() -> [String: Int] {
      let data = try! settings.exportData()
      return try! PropertyListDecoder().decode([String: Int].self, from: data)
    }
    for setting in settings.all {
      let key = setting.key
      func show(_ action: String) {
        let raw = ProbeStore.standard.object(forKey: key)
        let typed = ProbeStore.standard.value(for: UserDefaults.Key<Int>(name: key))
        let stored = exported()[key]
        print(
          key, action, setting.source, setting.wrappedValue, typed ?? 0, raw.map { "\($0)" } ?? "-",
          stored.map(String.init) ?? "-", setting.isStored == (stored != nil) ? "" : "wrong",
          separator: "|")
      }
      show("read")
      setting.withLock { $0 += 10 }
      show("withLock")
      setting.wrappedValue = 9
      show("assign")
      try? ProbeStore.standard.transaction {
        setting.wrappedValue = 8
        throw CancellationError()
      }
      show("undo")
      setting.reset()
      show("reset")
    }
  }
}
