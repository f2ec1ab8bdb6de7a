public import Foundation
import HTTPTypes
public import Logging
import Metrics
import Synchronization
public import TypedDefaults

/// The colors of the page.
public enum PageTheme: String, CaseIterable, UserDefaultsSerializable {
  case system, light, dark
}

/// Settings under a path of a server: a page for people, and JSON for programs.
public final class MountedSettings: Sendable {
  /// A change by a visitor, for an audit log. A secret has no texts.
  public struct Change: Sendable {
    public let visitor: PageVisitor
    public let key: String
    public let oldText, newText: String?
    /// Whether the change is on the disk. Otherwise the library tries again.
    public let isSaved: Bool
  }

  /// The path, with a slash at its beginning only. It is empty for the root.
  public let path: String

  var home: String { path.isEmpty ? "/" : path }

  let title: String
  let theme: @Sendable () -> PageTheme
  let sections: [Section]
  let all: AllGroups
  let settings: [String: any DeclaredSetting]
  let store: SharedStore?
  let logger: Logger
  let onChange: (@Sendable (Change) -> Void)?
  let editor = Editor()
  let tags = SettingTags()

  private let names: Set<String>
  private let authorization: PageAuthorization
  private let changeCounts = Mutex<[String: Int]>([:])
  private let hubBox = Mutex<EventHub?>(nil)
  private let observations = Mutex<[SettingObservation]>([])
  private let observer = Mutex<Observer?>(nil)
  private let trouble = Mutex<DefaultsIssue?>(nil)
  private let refusals = Counter(label: "settings_page_refusals_total")

  /// What Foundation calls; it is only given back.
  private struct Observer: @unchecked Sendable {
    let token: any NSObjectProtocol
  }

  /// A group with its heading.
  struct Section: Sendable {
    let title: String
    let settings: [any DeclaredSetting]
  }

  /// Puts groups under a path.
  ///
  /// - Parameters:
  ///   - path: The path as browsers see it, such as `/settings`.
  ///   - groups: The groups, each of which is a section. No two settings have one key.
  ///   - title: The heading of the page.
  ///   - store: The store whose unknown keys people may remove, if there is one group.
  ///   - names: The names of the server besides `localhost` and addresses in digits.
  ///   - theme: The colors of the page.
  ///   - authorization: Decides who may see and change settings.
  ///   - logger: Where the page logs.
  ///   - onChange: Is called after each change by a visitor.
  public init(
    at path: String, _ groups: [any SettingsGroup], title: String = "Settings",
    store: UserDefaults? = nil, names: [String] = [],
    theme: @escaping @Sendable () -> PageTheme = { .system },
    authorization: PageAuthorization, logger: Logger = Logger(label: "SettingsPage"),
    onChange: (@Sendable (Change) -> Void)? = nil
  ) {
    self.path = path.split(separator: "/").map { "/\($0)" }.joined()
    (self.title, self.theme, self.authorization) = (title, theme, authorization)
    (self.names, self.logger, self.onChange) = (
      Set(names.map { $0.lowercased() }), logger, onChange
    )
    // Of several groups, one cannot tell a former key of another from an unknown one.
    self.store = groups.count == 1 ? store.map(SharedStore.init) : nil
    all = AllGroups(groups)
    sections = groups.map { Section(title: Self.title(of: $0), settings: $0.settings) }
    settings = Dictionary(
      sections.flatMap(\.settings).map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in
        logger.error("Two settings of the page have one key", metadata: ["key": "\(first.key)"])
        return first
      })
    let hub = EventHub { [weak self] in self?.parts() ?? [] }
    hubBox.withLock { $0 = hub }
    observe(hub)
  }

  deinit {
    observer.withLock { $0 }.map { NotificationCenter.default.removeObserver($0.token) }
  }

  private func observe(_ hub: EventHub) {
    func observe(_ setting: some DeclaredSetting) -> SettingObservation {
      setting.onChange { [weak self, key = setting.key] _, _ in
        self?.changeCounts.withLock { $0[key, default: 0] += 1 }
        hub.changed()
      }
    }
    let observations = settings.values.map { observe($0) }
    self.observations.withLock { $0 = observations }
    // Also for what changes no value, such as an unknown key, or a value equal to the default.
    let observer = Observer(
      token: NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { _ in hub.changed() })
    self.observer.withLock { $0 = observer }
  }

  private static func title(of group: any SettingsGroup) -> String {
    if let titled = group as? any TitledSettings { return titled.sectionTitle }
    let words = "\(type(of: group))".replacing("Settings", with: "")
    return words.isEmpty ? "Settings" : words
  }

  /// Returns the address for a person, with the token if it was made for this start.
  ///
  /// - Parameter server: The beginning of the address, such as `https://settings.example`.
  public func address(at server: String) -> String {
    let token = authorization.token.flatMap { $0.isRandom ? "?token=\($0.text)" : nil }
    return "\(server)\(path)\(token ?? "")"
  }

  /// Returns the address for a person at this machine, with the token if it was made for this start.
  public func address(host: String, port: Int) -> String {
    address(at: "http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
  }

  // MARK: State

  var hub: EventHub { hubBox.withLock { $0! } }

  func tag(of setting: any DeclaredSetting) -> String {
    tags.tag(of: setting, changes: changeCounts.withLock { $0[setting.key] ?? 0 })
  }

  /// The problem of the last save, until a save succeeds.
  var saveIssue: DefaultsIssue? {
    get { trouble.withLock { $0 } }
    set {
      trouble.withLock { $0 = newValue }
      hub.changed()
    }
  }

  // MARK: Answers

  /// Answers a request whose path begins with that of the page.
  public func answer(to request: PageRequest) async -> PageAnswer {
    do {
      do {
        return try await welcomed(request)
      } catch let refusal as Refusal {
        refusals.increment()
        return try refusal.answer()
      }
    } catch {
      logger.error("The settings page failed", metadata: ["error": "\(type(of: error))"])
      return PageAnswer(.internalServerError)
    }
  }

  private func welcomed(_ request: PageRequest) async throws -> PageAnswer {
    // Before anything else of the request is parsed.
    let isInAddress = request.head.method == .get && authorization.isInAddress(request.head)
    let visitor = try await isInAddress ? nil : authorization.visitor(of: request)
    guard isInAddress || visitor != nil else {
      let isForPeople = authorization.token != nil && request.accepts("text/html")
      if request.head.method == .get, isForPeople { return tokenForm() }
      throw Refusal(
        authorization.token == nil ? .forbidden : .unauthorized,
        "You may not see these settings. Open the address that the server printed at its start.",
        headers: authorization.token == nil ? [:] : [.wwwAuthenticate: "Bearer"])
    }
    try Authority.check(
      request.head, names: names, isBehindTLS: authorization.isBehindTLS,
      isChange: request.head.method != .get)
    guard let visitor else {
      return PageAnswer(
        .seeOther,
        [.location: home, .setCookie: authorization.cookie(for: request.head, path: home)])
    }
    guard visitor.mayChange || request.head.method == .get else {
      throw Refusal(.forbidden, "You may see these settings, and not change them.")
    }
    return try await route(request, visitor)
  }

  private func route(_ request: PageRequest, _ visitor: PageVisitor) async throws -> PageAnswer {
    let full = (request.head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
    guard full.count <= 2_048, full.starts(with: path.utf8) else { throw Refusal.notFound }
    let rest = String(decoding: full.dropFirst(path.utf8.count), as: UTF8.self)
    guard rest.isEmpty || rest.hasPrefix("/") else { throw Refusal.notFound }
    let name = String(rest.dropFirst())
    switch (request.head.method, name) {
    case (.get, ""):
      guard !request.accepts("application/json") else {
        return try .json(sections.flatMap(\.settings).map(SettingRow.init))
      }
      return page(visitor)
    case (.post, ""): return try await form(request, visitor)
    case (.get, "events"): return try events(request)
    case (.get, "export"): return try export()
    case (.post, "import"): return try await importFile(request, visitor)
    case (_, ""): throw Refusal.method("GET, POST")
    case (_, "events"), (_, "export"): throw Refusal.method("GET")
    case (_, "import"): throw Refusal.method("POST")
    case (.get, _): return try row(of: setting(name), request)
    case (.put, _): return try await put(name, request, visitor)
    case (.delete, _): return try await delete(name, request, visitor)
    default: throw Refusal.method("GET, PUT, DELETE")
    }
  }

  private func events(_ request: PageRequest) throws -> PageAnswer {
    let stream = hub.listen { [authorization] in
      (try? await authorization.visitor(of: request)).flatMap { $0 } != nil
    }
    guard let stream else {
      throw Refusal(.serviceUnavailable, "Too many pages are open.", headers: [.retryAfter: "30"])
    }
    return PageAnswer(.ok, [.contentType: "text/event-stream"], .events(stream))
  }

  private func export() throws -> PageAnswer {
    let name = path.split(separator: "/").joined(separator: "-")
    return PageAnswer(
      .ok,
      [
        .contentType: "application/xml",
        .contentDisposition: "attachment; filename=\"\(name.isEmpty ? "settings" : name).plist\"",
      ], .data(try all.exportData()))
  }
}

/// A group with a heading of its own on the page. Others have the name of their type.
public protocol TitledSettings: SettingsGroup {
  var sectionTitle: String { get }
}

/// All groups of the page as one.
struct AllGroups: SettingsGroup {
  private var groups: [any SettingsGroup] = []

  init() {}

  init(_ groups: [any SettingsGroup]) { self.groups = groups }

  /// The keys that none of the groups has. One that two groups look at is known if one has it.
  var strangeKeys: [String] {
    let known = Set(settings.map(\.key))
    let keys = Set(groups.flatMap(\.unknownKeys)).subtracting(known)
    return keys.filter { key in !known.contains { key.hasPrefix("\($0).undecodable") } }.sorted()
  }
}

/// A store across threads, which is what `UserDefaults` is documented to allow.
struct SharedStore: @unchecked Sendable {
  let userDefaults: UserDefaults
}
