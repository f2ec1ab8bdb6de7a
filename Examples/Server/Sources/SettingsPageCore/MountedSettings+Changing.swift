import Foundation
import HTTPTypes
import Metrics
import TypedDefaults

/// Lets one change at a time compare a tag and assign.
actor Editor {
  private var isRetrying = false

  func perform<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try body() }

  /// Returns whether the caller is to try to save until it succeeds.
  func startsToRetry() -> Bool {
    defer { isRetrying = true }
    return !isRetrying
  }

  func endsToRetry() { isRetrying = false }
}

extension MountedSettings {
  private static let secondsBetweenTries = 2

  func setting(_ name: String) throws -> any DeclaredSetting {
    guard let key = name.removingPercentEncoding, let setting = settings[key] else {
      throw Refusal.notFound
    }
    return setting
  }

  func row(of setting: any DeclaredSetting, _ request: PageRequest) throws -> PageAnswer {
    let headers: HTTPFields = [.eTag: tag(of: setting)]
    // The page's own script asks for a row; a person who types the address asks for the page.
    if request.head.headerFields[.accept] == "text/html" {
      return .html(RowView(setting, at: home, tag: tag(of: setting)).html, .ok, headers)
    }
    if request.accepts("text/html"), !request.accepts("application/json") {
      return PageAnswer(.seeOther, [.location: "\(home)#\(RowView.id(setting.key))"])
    }
    return try .json(SettingRow(setting), .ok, headers)
  }

  func put(
    _ name: String, _ request: PageRequest, _ visitor: PageVisitor
  ) async throws -> PageAnswer {
    let setting = try setting(name)
    guard request.contentType == "application/json" else {
      throw Refusal(.unsupportedMediaType, "Send application/json: {\"text\": \"the value\"}.")
    }
    struct Body: Decodable { let text: String }
    let data = try await request.readBody()
    guard let body = try? JSONDecoder().decode(Body.self, from: data) else {
      throw Refusal(.badRequest, "Send {\"text\": \"the value\"}.")
    }
    try await set(setting, body.text, ifMatch: request.head.headerFields[.ifMatch], visitor)
    return try row(of: setting, request)
  }

  func delete(
    _ name: String, _ request: PageRequest, _ visitor: PageVisitor
  ) async throws -> PageAnswer {
    guard let key = name.removingPercentEncoding else { throw Refusal.notFound }
    guard let setting = settings[key] else {
      try await removeUnknown(key, visitor)
      return PageAnswer(.noContent)
    }
    try await set(setting, nil, ifMatch: request.head.headerFields[.ifMatch], visitor)
    return try row(of: setting, request)
  }

  /// Returns the tags that a field names, or `nil` for any.
  private static func tags(_ field: String) -> [String]? {
    guard field != "*" else { return nil }
    // A proxy that compresses makes a tag weak.
    return field.prefix(1_024).split(separator: ",").map { tag in
      let tag = tag.drop { $0 == " " }
      return String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag)
    }
  }

  /// Assigns a text, or resets the setting if it is `nil`, and returns once that is on disk.
  func set(
    _ setting: any DeclaredSetting, _ text: String?, ifMatch: String?, _ visitor: PageVisitor
  ) async throws {
    let expected = ifMatch.flatMap(Self.tags)
    let old = try await editor.perform { [self] in
      guard !setting.isOverridden else {
        throw Refusal(.conflict, "The source \"\(setting.source)\" overrides this value.")
      }
      guard expected?.contains(tag(of: setting)) != false else {
        var refusal = Refusal(
          .preconditionFailed, "Somebody else has changed this setting.",
          headers: [.eTag: tag(of: setting)])
        refusal.conflict = .init(
          error: refusal.reason, text: setting.isSecret ? nil : text, current: SettingRow(setting))
        throw refusal
      }
      let old = setting.isSecret ? nil : setting.text
      guard let text else {
        setting.reset()
        return old
      }
      do {
        try setting.set(text: text)
      } catch let issue as DefaultsIssue {
        throw Refusal(
          .unprocessableContent,
          issue.kind == .undecodableValue ? "expected \(setting.expectation)" : "\(issue)")
      }
      return old
    }
    let new = setting.isSecret ? nil : setting.text
    try await save([(setting.key, old, new)], visitor)
  }

  /// Throws if what was changed is not on disk.
  private func save(
    _ changes: [(key: String, old: String?, new: String?)], _ visitor: PageVisitor
  ) async throws {
    hub.changed()
    let start = ContinuousClock.now
    var problem: (any Error)?
    do {
      try await all.flush()
      if saveIssue != nil { saveIssue = nil }
    } catch {
      problem = error
    }
    let time = ContinuousClock.now - start
    Timer(label: "settings_page_save_seconds").recordNanoseconds(Int64(time / .nanoseconds(1)))
    for change in changes {
      Counter(label: "settings_page_changes_total", dimensions: [("saved", "\(problem == nil)")])
        .increment()
      logger.info(
        "A setting was changed",
        metadata: ["key": "\(change.key.onOneLine)", "by": "\(visitor.name.onOneLine)"])
      onChange?(
        Change(
          visitor: visitor, key: change.key, oldText: change.old, newText: change.new,
          isSaved: problem == nil))
    }
    if let problem {
      let issue =
        problem as? DefaultsIssue
        ?? DefaultsIssue(kind: .saveFailed, key: nil, message: "The save failed: \(problem)")
      saveIssue = issue
      await retryUntilSaved()
      throw Refusal(.serviceUnavailable, "The change is not saved. \(issue)")
    }
  }

  /// Tells all pages when the changes are on disk at last.
  private func retryUntilSaved() async {
    guard await editor.startsToRetry() else { return }
    Task.detached { [weak self] in
      while let self, saveIssue != nil {
        try? await Task.sleep(for: .seconds(Self.secondsBetweenTries))
        if (try? await all.flush()) != nil { saveIssue = nil }
      }
      await self?.editor.endsToRetry()
    }
  }

  // MARK: Several settings

  /// Performs a change of many settings, and tells of each that is another one after it.
  private func changeAll<R: Sendable>(
    _ visitor: PageVisitor, _ body: @Sendable (AllGroups) throws -> R
  ) async throws -> R {
    let (result, changes) = try await editor.perform { [self] in
      func texts() -> [String: (tag: String, text: String?)] {
        settings.mapValues { (tag(of: $0), $0.isSecret ? nil : $0.text) }
      }
      let before = texts()
      let result = try body(all)
      return (
        result,
        texts().filter { $0.value.tag != before[$0.key]?.tag }
          .map { (key: $0.key, old: before[$0.key]?.text, new: $0.value.text) }
      )
    }
    try await save(changes.sorted { $0.key < $1.key }, visitor)
    return result
  }

  func resetAll(_ visitor: PageVisitor) async throws {
    try await changeAll(visitor) { all in
      all.transaction {
        for setting in all.settings where !setting.isSecret { setting.reset() }
      }
    }
  }

  func importFile(_ request: PageRequest, _ visitor: PageVisitor) async throws -> PageAnswer {
    let isForm = request.contentType == "multipart/form-data"
    let types = ["application/xml", "text/xml", "application/x-plist", "application/octet-stream"]
    guard isForm || types.contains(request.contentType) else {
      throw Refusal(.unsupportedMediaType, "Send the property list of an export.")
    }
    let body = try await request.readBody()
    do {
      let file =
        try isForm
        ? FormFile.find(in: body, contentType: request.head.headerFields[.contentType] ?? "") : body
      // Of an empty file, nothing would be left of the settings.
      guard !file.isEmpty else { throw Refusal(.badRequest, "Choose a file, then import it.") }
      let ignored = try await changeAll(visitor) { all in
        do {
          return try all.importData(file)
        } catch let issue as DefaultsIssue {
          throw Refusal(.unprocessableContent, "\(issue)")
        }
      }
      if request.accepts("application/json") || !isForm { return try .json(["ignored": ignored]) }
      let note = ignored.isEmpty ? "" : " Ignored keys: \(ignored.joined(separator: ", "))."
      return page(visitor, notice: .init(text: "Imported.\(note)", isError: false))
    } catch let refusal as Refusal where isForm && !request.accepts("application/json") {
      return page(visitor, notice: .init(text: refusal.reason, isError: true), refusal.status)
    }
  }

  func removeUnknown(_ key: String, _ visitor: PageVisitor) async throws {
    guard let store, all.strangeKeys.contains(key) else { throw Refusal.notFound }
    store.userDefaults.removeObject(forKey: key)
    try await save([(key, nil, nil)], visitor)
  }

  // MARK: Forms

  /// Does what the page does without scripts.
  func form(_ request: PageRequest, _ visitor: PageVisitor) async throws -> PageAnswer {
    guard request.contentType == "application/x-www-form-urlencoded" else {
      throw Refusal(.unsupportedMediaType, "Send the form of the page.")
    }
    let fields = try FormFields(await request.readBody())
    let key = fields["key"]
    let text = fields["date"].map(DateText.complete) ?? fields["text"]
    do {
      switch fields["action"] {
      case "set":
        guard let key, let text else { throw FormFields.malformed }
        guard let setting = settings[key] else { throw Refusal.notFound }
        try await set(setting, text, ifMatch: fields["tag"], visitor)
      case "reset":
        guard let setting = key.flatMap({ settings[$0] }) else { throw Refusal.notFound }
        try await set(setting, nil, ifMatch: fields["tag"], visitor)
      case "remove": try await removeUnknown(key ?? "", visitor)
      case "reset-all": try await resetAll(visitor)
      default: throw FormFields.malformed
      }
    } catch let refusal as Refusal {
      let isForPage = !request.accepts("application/json") && refusal.status != .badRequest
      guard isForPage, refusal.status != .notFound else { throw refusal }
      guard let setting = key.flatMap({ settings[$0] }) else {
        return page(visitor, notice: .init(text: refusal.reason, isError: true), refusal.status)
      }
      let mistake = RowView.Mistake(setting, typed: text, refusal)
      return page(visitor, mistakes: [setting.key: mistake], refusal.status)
    }
    if request.accepts("application/json") { return PageAnswer(.noContent) }
    let place = key.flatMap { settings[$0] }.map { "#" + RowView.id($0.key) } ?? ""
    return PageAnswer(.seeOther, [.location: home + place])
  }
}

extension String {
  /// The text with a space for each control character, so that it cannot make a line of a log.
  package var onOneLine: String {
    String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}
