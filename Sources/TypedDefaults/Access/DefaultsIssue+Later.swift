internal import Foundation
internal import Synchronization

extension DefaultsIssue {
  /// Reports from another thread. The program may be in an initializer, such as that of a
  /// `static let`, for which a handler that uses its settings would wait.
  func reportLater() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      SaveScheduler.tell { report() }
    #else
      let isFirst = Self.later.withLock { later in
        later.issues.append(self)
        defer { later.isTelling = true }
        return !later.isTelling
      }
      if isFirst { Thread.detachNewThread { Self.reportAll() } }
    #endif
  }

  /// Returns when what was reported later has been reported. For tests.
  static func waitForReports() {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      let isReported = Semaphore()
      SaveScheduler.tell { isReported.signal() }
      isReported.wait()
    #else
      while later.withLock({ $0.isTelling }) { Thread.sleep(forTimeInterval: 0.001) }
    #endif
  }

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    private static let later = Mutex<(issues: [DefaultsIssue], isTelling: Bool)>(([], false))

    private static func reportAll() {
      while true {
        let issue: DefaultsIssue? = later.withLock { later in
          later.isTelling = !later.issues.isEmpty
          return later.isTelling ? later.issues.removeFirst() : nil
        }
        guard let issue else { return }
        issue.report()
      }
    }
  #endif
}
