import Foundation
import TypedDefaults

/// `Probe administrator [memory]`: tells what becomes of settings that lie in several layers, one line
/// for each: the source, what a setting, a typed key and a raw accessor read, and what is exported.
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

  static func run(inMemory: Bool) {
    DefaultsIssue.setHandler { print($0) }
    let store = inMemory ? UserDefaults.inMemory() : ProbeStore.standard
    if inMemory {
      store.setVolatileDomain(
        ["managed": "5", "argument": "5"], forName: UserDefaults.argumentDomain)
      for key in ["managed", "argument", "environment", "stored"] { store.set(3, forKey: key) }
    }
    let settings = Settings(in: store)
    for setting in settings.all {
      let key = setting.key
      func cell() -> String {
        let typed = store.value(for: UserDefaults.Key<Int>(name: key))
        let data = try! settings.exportData()
        let list = try! PropertyListSerialization.propertyList(from: data, format: nil)
        let exported = (list as! [String: Any])[key] as? Int
        let objects = [store.object(forKey: key), exported]
        let numbers = objects.map { object in object.map { "\($0)" } ?? "-" }
        return "\(setting.source) \(setting.wrappedValue) \(typed ?? 0) "
          + numbers.joined(separator: " ")
          + (setting.isStored == (exported != nil) ? "" : ", wrongly stored")
      }
      var cells = [key, cell()]
      setting.withLock { $0 += 10 }
      cells.append(cell())
      setting.wrappedValue = 9
      cells.append(cell())
      try? store.transaction {
        setting.wrappedValue = 8
        throw CancellationError()
      }
      cells.append(cell())
      setting.reset()
      cells.append(cell())
      print(cells.joined(separator: " | "))
    }
  }
}
