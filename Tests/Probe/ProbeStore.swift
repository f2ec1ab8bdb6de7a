import Foundation
import TypedDefaults

/// The stores that the steps use: Foundation's own, or the saved ones if `PROBE_STORE` is `saved`.
enum ProbeStore {
  private static let isSaved = ProcessInfo.processInfo.environment["PROBE_STORE"] == "saved"

  static var standard: UserDefaults { isSaved ? .saved : .standard }

  static func suite(_ name: String) -> UserDefaults {
    isSaved ? .saved(suiteName: name) : UserDefaults(suiteName: name)!
  }

  /// Another object that stands for the standard suite, where there can be one.
  static var otherStandard: UserDefaults { isSaved ? .saved : UserDefaults() }
}
