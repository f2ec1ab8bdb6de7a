#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// When the preferences files of this process are saved, and on which thread.
  enum SaveScheduler {
    /// It takes no lock of a key's, because the thread that holds one may be waiting for a save; and
    /// it runs no code of the program's, which may wait for anything.
    private static let thread: SerialThread = {
      atexit { finish() }
      // On Linux, posted when a whole domain has been set or removed, and only then.
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { notification in
        guard !(notification.object is MemoryUserDefaults) else { return }
        for saver in savers.withLock({ $0 }) { saver.markMemoryAsPending() }
      }
      return SerialThread(name: "Defaults.save", atExit: { saveAll() })
    }()

    /// Where issues are reported and listeners told.
    private static let announcements = SerialThread(name: "Defaults.tell")

    /// Everything that has ever been scheduled: one for each suite.
    private static let savers = Mutex<[PreferencesSaver]>([])

    static func schedule(_ saver: PreferencesSaver) {
      register(saver)
      thread.perform {
        let start = ContinuousClock.now
        _ = saver.save()
        // A program that never stops writing a big file pays half a core for it at most.
        thread.rest(for: min(.now - start, .seconds(1)))
      }
    }

    /// Waits for a save of what is pending; the issue is why something could not be saved.
    static func saveAndWait(_ saver: PreferencesSaver) -> DefaultsIssue? {
      final class Outcome: Sendable {
        let isKnown = Semaphore()
        let issue = Mutex<DefaultsIssue?>(nil)
      }
      let outcome = Outcome()
      register(saver)
      thread.perform(urgently: true) {
        let issue = saver.save()
        outcome.issue.withLock { $0 = issue }
        outcome.isKnown.signal()
      }
      outcome.isKnown.wait()
      return outcome.issue.withLock { $0 }
    }

    static func announce(_ announcement: @escaping @Sendable () -> Void) {
      hasAnnounced.store(true, ordering: .relaxed)
      announcements.perform(announcement)
    }

    /// Whether the end of the process must wait for announcements.
    private static let hasAnnounced = Atomic(false)

    private static func register(_ saver: PreferencesSaver) {
      savers.withLock { savers in
        if !savers.contains(where: { $0 === saver }) { savers.append(saver) }
      }
    }

    // MARK: The end of the process

    /// True once the process has begun to end. What it changes after that, in an `atexit` handler of
    /// its own, is saved at once.
    static var isOver: Bool { hasBegunToEnd.load(ordering: .relaxed) }

    private static let hasBegunToEnd = Atomic(false)
    private static let hasSavedAll = Semaphore()

    /// Waits for what is pending. The thread that exits may hold any lock, or be the only one of the
    /// dispatch queues', so this takes none, and waits for nothing forever.
    private static func finish() {
      hasBegunToEnd.store(true, ordering: .relaxed)
      // Whoever calls `exit` to answer an issue cannot wait for himself.
      if hasAnnounced.load(ordering: .relaxed), announcements.isCurrent {
        hasAnnounced.store(false, ordering: .relaxed)
      }
      thread.startExit()
      if !hasSavedAll.wait(atMost: .seconds(3)) { DefaultsIssue.notSavedInTime.report() }
    }

    private static func saveAll() {
      for saver in savers.withLock({ $0 }) where saver.hasChanges { _ = saver.save() }
      if hasAnnounced.load(ordering: .relaxed) {
        announcements.perform { hasSavedAll.signal() }
      } else {
        hasSavedAll.signal()
      }
    }
  }
#endif
