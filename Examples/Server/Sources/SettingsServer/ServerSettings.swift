import Foundation
public import Logging
public import TypedDefaults

/// The settings of the server, in the order in which the page shows them.
public struct ServerSettings: SettingsGroup {
  public let site = SiteSettings()

  /// The page asks for it if it is set. It is outside `site`, so that no export contains it,
  /// and no import
  /// removes it.
  @WrappedDefaultOptional("adminPassword", environment: "SERVER_ADMIN_PASSWORD")
  public var adminPassword: Secret?

  public init() {}
}

/// The settings that an export contains.
public struct SiteSettings: SettingsGroup, SiteValues {
  @WrappedDefault("folder", environment: "SERVER_FOLDER")
  public var folder = URL(filePath: "/srv/www/", directoryHint: .isDirectory)

  @WrappedDefault("greeting", environment: "SERVER_GREETING")
  public var greeting = "Hello from TypedDefaults"

  @WrappedDefault("headers", environment: "SERVER_HEADERS")
  public var headers: [String: String] = [:]

  @WrappedDefault("cacheSeconds", in: 0...86_400, environment: "SERVER_CACHE_SECONDS")
  public var cacheSeconds = 60

  @WrappedDefault("requestsPerSecond", in: 1...10_000, environment: "SERVER_REQUESTS_PER_SECOND")
  public var requestsPerSecond = 1_000

  @WrappedDefault("limits", environment: "SERVER_LIMITS")
  public var limits = Limits()

  @WrappedDefault("maintenance", environment: "SERVER_MAINTENANCE")
  public var maintenance = false

  @WrappedDefault("theme", environment: "SERVER_THEME")
  public var theme = Theme.system

  @WrappedDefault("logLevel", environment: "SERVER_LOG_LEVEL")
  public var logLevel = Logger.Level.info

  public init() {}
}

/// What a request needs to know. Each request reads it anew; a test may serve with constants.
public protocol SiteValues: Sendable {
  var folder: URL { get }
  var greeting: String { get }
  var headers: [String: String] { get }
  var cacheSeconds: Int { get }
  var requestsPerSecond: Int { get }
  var limits: Limits { get }
  var maintenance: Bool { get }
  var logLevel: Logger.Level { get }
}
