import Configuration
import TypedDefaults

let config = ConfigReader(provider: EnvironmentVariablesProvider())

struct PoolSettings: SettingsGroup {
  static let shared = PoolSettings(in: .saved)

  @WrappedDefault("pool.size", in: 1...100)
  var size = config.int(forKey: "pool.size", default: 8)
}
