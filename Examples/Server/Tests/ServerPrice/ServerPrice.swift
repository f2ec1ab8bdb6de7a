import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import SettingsServer
import TypedDefaults

/// A server whose price is to be measured: `ServerPrice settings` reads settings in each request, and
/// `ServerPrice constants` reads constants. At its end, by SIGTERM, it prints its processor time.
@main
enum ServerPrice {
  static func main() async throws {
    let store = UserDefaults.saved(suiteName: "ServerPrice")
    let settings = ServerSettings(in: store)
    let values: any SiteValues
    switch CommandLine.arguments.dropFirst().first {
    case "settings": values = settings.site
    case "constants": values = Constants()
    default: fatalError("usage: ServerPrice settings | constants")
    }
    var options = ServerOptions()
    options.port = 0
    let logger = Logger(label: "server", levelOf: values)
    let server = SettingsServer.make(
      settings, in: store, options: options, site: values, logger: logger
    ) {
      print($0)
      fflush(nil)
    }
    try await server.runService()
    print(Double(clock()) / 1e6)  // POSIX counts in microseconds.
  }
}

/// The defaults of the settings.
private struct Constants: SiteValues {
  let folder = URL(filePath: "/srv/www/", directoryHint: .isDirectory)
  let greeting = "Hello from TypedDefaults"
  let headers: [String: String] = [:]
  let cacheSeconds = 60
  let requestsPerSecond = 10_000
  let limits = Limits()
  let maintenance = false
  let logLevel = Logger.Level.info
}
