public import Foundation
public import SettingsPage
public import TypedDefaults

/// The settings of the server, in the order in which the page shows them.
public struct ServerSettings: SettingsGroup {
  @WrappedDefault("folder", environment: "SERVER_FOLDER", help: "The server sends the files in it.")
  public var folder = URL(filePath: "/srv/www/", directoryHint: .isDirectory)

  @WrappedDefault("greeting", environment: "SERVER_GREETING", help: "The text at the address /.")
  public var greeting = "Hello from TypedDefaults"

  @WrappedDefault(
    "cacheSeconds", in: 0...86_400, environment: "SERVER_CACHE_SECONDS",
    help: "Browsers keep a file for this time, in seconds.")
  public var cacheSeconds = 60

  @WrappedDefault(
    "maintenance", environment: "SERVER_MAINTENANCE",
    help: "Visitors are told to come back later. The settings page stays open.")
  public var maintenance = false

  @WrappedDefault("theme", environment: "SERVER_THEME", help: "The colors of the settings page.")
  public var theme = PageTheme.system

  public init() {}
}
