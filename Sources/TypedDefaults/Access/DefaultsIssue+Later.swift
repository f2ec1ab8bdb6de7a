internal import Dispatch

extension DefaultsIssue {
  /// Reports from another thread. The program may be in an initializer, such as that of a
  /// `static let`, for which a handler that uses its settings would wait.
  func reportLater() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      SaveScheduler.tell { report() }
    #else
      Self.later.async { report() }
    #endif
  }

  /// Returns when what was reported later has been reported. For tests.
  static func waitForReports() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      let isReported = DispatchSemaphore(value: 0)
      SaveScheduler.tell { isReported.signal() }
      isReported.wait()
    #else
      later.sync {}
    #endif
  }

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    private static let later = DispatchQueue(label: "TypedDefaults.reports")
  #endif
}
