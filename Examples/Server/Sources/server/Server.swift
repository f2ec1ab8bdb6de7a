import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SettingsPage
import SettingsServer
import TypedDefaults

@main
enum Server {
  static func main() async {
    // Before the settings are declared, because a damaged file is reported then.
    let reports = Logger(label: "settings", factory: { StreamLogHandler.standardError(label: $0) })
    DefaultsIssue.setHandler { issue in
      reports.log(
        level: [.saveFailed, .damagedFile].contains(issue.kind) ? .error : .warning, "\(issue)",
        metadata: ["kind": "\(issue.kind)", "key": "\((issue.key ?? "-").onOneLine)"])
    }
    // A name of its own, because a program of another package may be called "server", too.
    let store = UserDefaults.saved(suiteName: "typed-defaults-server")
    let settings = ServerSettings(in: store)
    do {
      let options = try ServerOptions(
        Array(CommandLine.arguments.dropFirst()), settings: settings.settings)
      if options.wantsHelp {
        print(ServerOptions.help(settings.settings))
      } else {
        try await run(settings, in: store, options)
      }
    } catch let error as ServerOptions.UsageError {
      fail("\(error)", status: 2)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      fail("the port is taken by another program; choose one by --port", status: 1)
    } catch {
      fail("\(error)", status: 1)
    }
  }

  private static func run(
    _ settings: ServerSettings, in store: sending UserDefaults, _ options: ServerOptions
  ) async throws {
    let logger = Logger(label: "server", factory: { StreamLogHandler.standardError(label: $0) })
    for setting in settings.settings where setting.source != .defaultValue {
      logger.info("Set", metadata: ["key": "\(setting.key)", "source": "\(setting.source)"])
    }
    for key in settings.unknownKeys {
      logger.warning("No setting has this key", metadata: ["key": "\(key.onOneLine)"])
    }
    let server = SettingsServer.make(settings, in: store, options: options, logger: logger) {
      print("Settings page: \($1.address(host: options.host, port: $0))")
      for name in options.names {
        let scheme = options.isBehindTLS ? "https" : "http"
        print("Settings page: \($1.address(at: "\(scheme)://\(name)"))")
      }
      fflush(nil)  // Output to a pipe or a file would otherwise wait in a buffer.
    }
    // The services stop in the opposite order: the server first, so that the last changes
    // are saved.
    let group = ServiceGroup(
      services: [SettingsFlush([settings]), server],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
  }

  private static func fail(_ message: String, status: CInt) -> Never {
    FileHandle.standardError.write(Data("server: \(message)\n".utf8))
    exit(status)
  }
}
