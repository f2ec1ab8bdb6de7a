import TypedDefaults

/// The settings that all servers of the fleet share.
struct FleetSettings: SettingsGroup {
  @WrappedDefault("maintenance") var maintenance = false
  @WrappedDefault("maxConnections") var maxConnections = 100
  @WrappedDefault("logLevel") var logLevel = LogLevel.info
  @WrappedDefault("mirrors") var mirrors = ["eu", "us"]
  @WrappedDefault("timeouts") var timeouts = Timeouts(connect: 1, read: 30)
  @WrappedDefaultOptional("greeting") var greeting: String?
}

/// Stored as its raw value.
enum LogLevel: String, UserDefaultsSerializable {
  case debug, info, error
}

/// Stored as JSON text.
struct Timeouts: Codable, UserDefaultsSerializable {
  var connect: Double
  var read: Double
}
