internal import Synchronization

/// Something that went wrong with a setting, with what was done about it.
///
/// Nothing that is stored, and nothing that happens while it is saved, makes the library crash. What
/// is wrong is reported instead: as one line on standard error, or to a handler of yours:
///
///     DefaultsIssue.setHandler { issue in
///       logger.warning("\(issue)")
///     }
public struct DefaultsIssue: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// What is stored, or given as a launch argument, is not a value of the setting's type.
    ///
    /// The default, or nil, is returned; what is stored stays. Reported once until the value changes. An
    /// assignment keeps the old value under the key with `.undecodable` after it.
    public static let undecodableValue = Kind(name: "undecodableValue")

    /// A value has no form that a property list can hold, such as a `Codable` value whose `encode`
    /// throws.
    ///
    /// The old value stays.
    public static let unencodableValue = Kind(name: "unencodableValue")

    /// One key of one store is declared twice, with different defaults or types, or two keys that
    /// were given no name bear the same one.
    ///
    /// Each declaration goes on with its own. Reported once for a key.
    public static let conflictingDefault = Kind(name: "conflictingDefault")

    /// Changes could not be saved.
    ///
    /// They stay in memory and are part of the next save.
    public static let saveFailed = Kind(name: "saveFailed")

    /// A preferences file is not a property list.
    ///
    /// It is kept aside.
    public static let damagedFile = Kind(name: "damagedFile")
  }

  /// What went wrong.
  public let kind: Kind

  /// The name of the key concerned; nil where the issue is not one key's.
  public let key: String?

  private let explanation: String

  /// What happened, why, and what mends it, in one line.
  public var description: String { explanation }

  /// Creates an issue, for a store of your own: see ``DefaultsStore``.
  ///
  /// - Parameters:
  ///   - kind: What went wrong.
  ///   - key: The name of the key; nil if the issue is not about one key.
  ///   - explanation: What happened, why, and what to do about it.
  public init(_ kind: Kind, key: String? = nil, _ explanation: String) {
    self.kind = kind
    self.key = key
    self.explanation = explanation.onOneLine
  }

  /// Sets the function that issues are reported to.
  ///
  /// It is called on the thread where the issue arose, and while no lock of the library is held, so
  /// it may read and assign settings.
  ///
  /// - Parameter handler: The function; nil, as at the start, for one line on standard error.
  public static func setHandler(_ handler: (@Sendable (DefaultsIssue) -> Void)?) {
    currentHandler.withLock { $0 = handler }
  }

  private static let currentHandler = Mutex<(@Sendable (DefaultsIssue) -> Void)?>(nil)

  /// Passes the issue to the handler, or writes it to standard error.
  ///
  /// A store of your own calls this method. The library reports its own issues.
  public func report() {
    DeferredCalls.perform {
      if let handler = Self.currentHandler.withLock({ $0 }) {
        handler(self)
      } else {
        write()
      }
    }
  }

  /// Reports while the process ends, where a lock may be held that is never released: the handler is
  /// not called then.
  func reportAtEnd() {
    if !DeferredCalls.areCollected, let handler = Self.currentHandler.withLockIfAvailable({ $0 }),
      let handler
    {
      handler(self)
    } else {
      write()
    }
  }

  private func write() {
    StandardError.write("TypedDefaults: \(self)\n")
  }
}

extension String {
  /// The string with escapes for control characters, such as those of a key: a terminal would obey
  /// them, and a log would take them for the end of the line.
  fileprivate var onOneLine: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
