internal import Foundation

extension DefaultsIssue {
  #if TYPED_DEFAULTS_PLATFORM_SAVES
    static let later = DispatchQueue(label: "Defaults.tell")
  #endif

  /// Reports from another thread. The program may be in an initializer, such as that of a
  /// `static let`, for which a handler that uses its settings would wait.
  func reportLater() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      SaveScheduler.tell { report() }
    #else
      Self.later.async { report() }
    #endif
  }
}
