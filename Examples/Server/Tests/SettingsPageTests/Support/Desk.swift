import Foundation
import HTTPTypes
import Logging
import SettingsPageCore
import Synchronization
import TypedDefaults
import XCTest

enum Flavor: String, CaseIterable, UserDefaultsSerializable { case plain, sweet, sour }

struct Mix: Codable, Equatable, Sendable, UserDefaultsSerializable {
  var parts = 3
  var isHot = false
}

struct KitchenSettings: SettingsGroup {
  @WrappedDefault("motto", environment: "KITCHEN_MOTTO", help: "The words above the door.")
  var motto = "Eat"
  @WrappedDefault("seats", in: 0...400) var seats = 40
  @WrappedDefault("flavor") var flavor = Flavor.plain
  @WrappedDefault("isOpen") var isOpen = false
  @WrappedDefault("prices") var prices: [String: Int] = [:]
  @WrappedDefault("mix") var mix = Mix()
  @WrappedDefault("since") var since = Date(timeIntervalSince1970: 0)
  @WrappedDefaultOptional("code", isSecret: true) var code: String?
}

struct GardenSettings: SettingsGroup {
  @WrappedDefault("garden.trees", in: 1...9) var trees = 2
}

/// A page without a server, which a test asks.
struct Desk: Sendable {
  static let token = PageToken("a-token-of-the-tests")!

  let page: MountedSettings
  let settings: KitchenSettings
  let changes = Changes()

  final class Changes: Sendable {
    private let all = Mutex<[MountedSettings.Change]>([])
    var list: [MountedSettings.Change] { all.withLock { $0 } }
    func add(_ change: MountedSettings.Change) { all.withLock { $0.append(change) } }
  }

  init(
    in store: UserDefaults = .inMemory(), hasGarden: Bool = true,
    authorization: PageAuthorization = .token(Self.token)
  ) {
    settings = KitchenSettings(in: store)
    page = MountedSettings(
      at: "/kitchen/settings", [settings] + (hasGarden ? [GardenSettings(in: store)] : []),
      title: "Kitchen",
      store: store, names: ["kitchen.example"], authorization: authorization,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onChange: changes.add)
  }

  /// Asks as a program does that has the token.
  func ask(
    _ method: HTTPRequest.Method, _ rest: String = "", _ body: String = "",
    _ headers: HTTPFields = [:], accept: String? = "application/json", isWelcome: Bool = true
  ) async -> Reply {
    var headers = headers
    if isWelcome, headers[.authorization] == nil, headers[.cookie] == nil {
      headers[.authorization] = "Bearer a-token-of-the-tests"
    }
    if headers[.contentType] == nil, method == .put { headers[.contentType] = "application/json" }
    headers[.accept] = headers[.accept] ?? accept
    return await send(method, "/kitchen/settings" + rest, Data(body.utf8), headers)
  }

  func put(_ key: String, _ text: String, ifMatch tag: String? = nil) async -> Reply {
    let body = try! JSONEncoder().encode(["text": text])
    return await ask(
      .put, "/\(key)", String(decoding: body, as: UTF8.self), tag.map { [.ifMatch: $0] } ?? [:])
  }

  /// Sends a form of the page, as a browser without scripts does.
  func post(_ form: String, _ headers: HTTPFields = [:]) async -> Reply {
    var headers = headers
    headers[.contentType] = headers[.contentType] ?? "application/x-www-form-urlencoded"
    headers[.cookie] = "settings-page=a-token-of-the-tests"
    headers[.origin] = headers[.origin] ?? "http://localhost"
    return await ask(.post, "", form, headers, accept: "text/html,*/*")
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: Data = Data(), _ headers: HTTPFields,
    authority: String = "localhost"
  ) async -> Reply {
    let head = HTTPRequest(
      method: method, scheme: "http", authority: authority, path: path, headerFields: headers)
    let answer = await page.answer(
      to: PageRequest(head: head) { limit in
        guard body.count <= limit else { throw PageRequest.BodyTooLarge() }
        return body
      })
    return Reply(answer: answer)
  }
}

/// What the page answered.
struct Reply {
  let answer: PageAnswer

  var status: HTTPResponse.Status { answer.status }
  var tag: String { answer.headers[.eTag] ?? "" }

  var text: String {
    guard case .data(let data) = answer.body else { return "(events)" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The members of a JSON object.
  var members: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
  }

  /// The element of a setting.
  func row(_ key: String) -> String {
    text.firstRange(of: "data-key=\"\(key)\"").map { start in
      let rest = text[start.lowerBound...]
      return String(rest[..<(rest.firstRange(of: "</li>")?.lowerBound ?? rest.endIndex)])
    } ?? ""
  }
}
