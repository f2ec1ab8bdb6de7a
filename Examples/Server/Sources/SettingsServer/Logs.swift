public import Logging
public import TypedDefaults

/// Passes messages on from the level that a setting has at that moment.
struct SettingLogHandler: LogHandler {
  let values: any SiteValues
  var base: any LogHandler

  var logLevel: Logger.Level {
    get { values.logLevel }
    set {}
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) { base.log(event: event) }
}

extension Logger {
  /// Creates a logger whose level is a setting.
  ///
  /// - Parameters:
  ///   - label: The label of each message.
  ///   - values: The settings.
  ///   - handler: What writes messages.
  public init(
    label: String, levelOf values: any SiteValues,
    to handler: (String) -> any LogHandler = { StreamLogHandler.standardError(label: $0) }
  ) {
    self.init(label: label) { label in
      var base = handler(label)
      base.logLevel = .trace
      return SettingLogHandler(values: values, base: base)
    }
  }

  /// Logs what the library reports, with its key and its kind.
  ///
  /// - Parameter issue: The report.
  public func log(_ issue: DefaultsIssue) {
    var metadata: Logger.Metadata = ["kind": "\(issue.kind)"]
    if let key = issue.key { metadata["key"] = "\(key)" }
    let isLoss = [.saveFailed, .damagedFile].contains(issue.kind)
    log(level: isLoss ? .error : .warning, "\(issue)", metadata: metadata)
  }
}
