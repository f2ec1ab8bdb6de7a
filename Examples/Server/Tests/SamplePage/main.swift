// swift-format-ignore-file: OrderedImports
// Two samples of README.md, each with its imports.

import Foundation
import TypedDefaults

struct SiteSettings: SettingsGroup {
  static let shared = SiteSettings(in: .saved)

  @WrappedDefault("greeting", environment: "SERVER_GREETING")
  var greeting = "Hello"
  @WrappedDefault("port", in: 0...65_535) var port = 8080
  @WrappedDefaultOptional(
    "mailPassword", environment: "MAIL_PASSWORD", isSecret: true)
  var mailPassword: String?
}

import Foundation
import Hummingbird
import ServiceLifecycle
import SettingsPage

let router = Router()
let page = router.addSettingsPage(
  at: "/settings", [SiteSettings.shared])
let app = Application(
  router: router,
  configuration: .init(
    address: .hostname(port: SiteSettings.shared.port)),
  onServerRunning: { channel in
    let port = channel.localAddress?.port ?? 0
    print(page.address(host: "127.0.0.1", port: port))
    fflush(nil)  // Output to a file would wait in a buffer.
  })
let services = ServiceGroup(
  services: [SettingsFlush([SiteSettings.shared]), app],
  gracefulShutdownSignals: [.sigterm, .sigint], logger: app.logger)
try await services.run()
