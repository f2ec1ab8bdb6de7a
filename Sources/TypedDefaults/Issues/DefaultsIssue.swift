public import Foundation
internal import Synchronization

#if canImport(Darwin)
  internal import os
#endif

/// A problem with a setting or with the preferences file.
///
/// Instead of crashing, the library reports a problem: to your handler or, without one, in one line
/// on standard error. On Apple platforms, that line is also in the unified log, with the subsystem
/// "TypedDefaults" and the category "settings".
///
/// ```swift
/// DefaultsIssue.setHandler { issue in
///   logger.warning("\(issue)")
/// }
/// ```
public struct DefaultsIssue: LocalizedError, Sendable, CustomStringConvertible {
  /// A kind of problem.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, such as "undecodableValue", which `print` writes.
    public let description: String

    /// A stored value, launch argument or environment variable that is no value of the setting's type.
    ///
    /// The setting returns its default, or `nil`. The library
    /// leaves the stored value alone, and reports the issue once, until the value changes. An
    /// assignment keeps the old value under the key with `.undecodable` after it, unless it is a secret.
    public static let undecodableValue = Kind(description: "undecodableValue")

    /// A value that a property list cannot hold, such as a `Codable` value whose `encode(to:)`
    /// throws.
    ///
    /// The setting keeps its old value.
    public static let unencodableValue = Kind(description: "unencodableValue")

    /// Two declarations of one key in one store, with different defaults or types.
    ///
    /// Each declaration uses its own default and type. Also two settings of one store that declare the
    /// same environment variable. The library reports each key and each variable once.
    public static let conflictingDefault = Kind(description: "conflictingDefault")

    /// Changes that could not be saved.
    ///
    /// If a save in the background fails, they are kept in memory, and the library tries again: after
    /// 1, 2, 4 seconds and so on, up to every minute. It reports each cause once, until the cause
    /// changes, and at the end of the program for each file that changes are lost. The changes of a call that throws this kind, such as
    /// ``Foundation/UserDefaults/exclusively(_:)``, are undone. The message says which it is.
    public static let saveFailed = Kind(description: "saveFailed")

    /// Changes that could not be saved before, and are saved now.
    ///
    /// After a ``saveFailed``, the library reports this once, when it has saved something.
    public static let savedAgain = Kind(description: "savedAgain")

    /// A preferences file that cannot be read.
    ///
    /// A program that only reads leaves the file as it is. If the file is not a property list, the
    /// next save keeps a copy of it under another name and replaces it. If the program may not read
    /// the file, or it has more than 100 MB, the library saves nothing.
    public static let damagedFile = Kind(description: "damagedFile")
  }

  /// The kind of the problem.
  public let kind: Kind

  /// The key of the setting, or `nil` if the issue is not about one setting.
  ///
  /// If a launch argument or an environment variable is at fault, this is still the key of the
  /// setting. ``description`` names the argument or the variable.
  public let key: String?

  /// One line that says what happened, why, and what to do about it.
  public let description: String

  /// The ``description``, so that `localizedDescription` returns it too.
  public var errorDescription: String? { description }

  /// Creates an issue that a store of your own throws or reports: see ``DefaultsStore``.
  ///
  /// - Parameters:
  ///   - kind: The kind of the problem.
  ///   - key: The name of the key, or `nil` if the issue is not about one key.
  ///   - message: What happened, why, and what to do about it.
  public init(kind: Kind, key: String?, message: String) {
    self.kind = kind
    self.key = key
    description = message.onOneLine
  }

  /// Sets the function that receives issues.
  ///
  /// Set the handler before you declare settings, because the library then reports a damaged file
  /// or a conflict. Calls come on the thread where the issue arose, or on one of the library's own.
  /// Your handler may read and assign settings, because the library holds no lock meanwhile.
  ///
  /// - Parameter handler: The function, or `nil` to write each issue to standard error.
  public static func setHandler(_ handler: (@Sendable (DefaultsIssue) -> Void)?) {
    currentHandler.withLock { $0 = Handler(call: handler) }
  }

  /// A function alone would be wrapped in another one at each access to the mutex.
  private struct Handler {
    var call: (@Sendable (DefaultsIssue) -> Void)?
  }

  private static let currentHandler = Mutex(Handler())

  /// Passes the issue to the handler, or writes it to standard error if there is no handler.
  ///
  /// Call this method in a store of your own, because the library reports only its own issues.
  /// Inside a ``WrappedDefault/withLock(_:)``, the handler is called once the library holds no
  /// lock.
  public func report() {
    DeferredCalls.perform { reportNow(mayCall: true) }
  }

  /// - Parameter mayCall: Whether the handler may be called. Where the process ends while a lock is held,
  ///   the handler could wait for that.
  func reportNow(mayCall: Bool) {
    if mayCall, let handler = Self.currentHandler.withLock({ $0 }).call {
      handler(self)
    } else {
      write()
    }
  }

  private func write() {
    #if canImport(Darwin)
      Logger(subsystem: "TypedDefaults", category: "settings")
        .error("\(description, privacy: .public)")
    #endif
    StandardError.write("TypedDefaults: \(self)\n")
  }

  /// An error in words that fit into a sentence.
  static func cause(_ error: any Error) -> String {
    var text = "\(error)"
    if case EncodingError.invalidValue(_, let context) = error {
      text = context.debugDescription
    }
    while text.last == "." { text.removeLast() }
    return text
  }
}

extension String {
  /// The string with escapes for control characters: a terminal would obey them, and a log would
  /// break the line.
  fileprivate var onOneLine: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
