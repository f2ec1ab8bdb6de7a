#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// Decides when and on which thread the preferences files of this process are saved.
  enum SaveScheduler {
    /// The saving thread. It takes no lock of a key, because the thread that holds the lock may
    /// wait for a save. It runs no code of the program, which may wait for anything.
    private static let thread = SerialThread(name: "Defaults.save", atExit: { saveAll() })

    /// The thread that reports issues and tells listeners.
    private static let announcements = SerialThread(name: "Defaults.tell")

    /// All savers that have ever been used, one for each suite.
    private static let savers = Mutex<[PreferencesSaver]>([])

    static func schedule(_ saver: PreferencesSaver) {
      register(saver)
      thread.perform {
        let start = ContinuousClock.now
        _ = save(saver)
        // So a program that never stops changing a big file spends at most half a core on saving.
        thread.rest(for: min(.now - start, .seconds(1)))
      }
    }

    /// Does a job a moment later, so that a short program ends without it.
    static func scheduleSoon(_ job: @escaping @Sendable () -> Void) {
      thread.perform(after: .milliseconds(50)) { Fork.waitingFor(job) }
    }

    /// Waits for a save of pending changes.
    ///
    /// - Returns: The issue that keeps a change from being saved, if there is one.
    static func saveAndWait(_ saver: PreferencesSaver) -> DefaultsIssue? {
      final class Outcome: Sendable {
        let isKnown = Semaphore()
        let issue = Mutex<DefaultsIssue?>(nil)
      }
      register(saver)
      guard thread.start(), !thread.isCurrent else { return save(saver) }
      let outcome = Outcome()
      thread.perform(urgently: true) {
        let issue = save(saver)
        outcome.issue.withLock { $0 = issue }
        outcome.isKnown.signal()
      }
      guard wait(for: outcome.isKnown) else { return .notSavedInTime([saver.file.path]) }
      return outcome.issue.withLock { $0 }
    }

    private static func save(_ saver: PreferencesSaver) -> DefaultsIssue? {
      var issue = DeferredCalls.collecting { Fork.waitingFor { saver.save() } }
      // At the end there is no next save, so it is tried again: the cause may pass.
      var pause = Duration.milliseconds(10)
      while issue != nil, saver.hasChanges, pause < .milliseconds(500), pause < end.timeLeft {
        usleep(useconds_t(pause / .microseconds(1)))
        pause *= 2
        issue = DeferredCalls.collecting { Fork.waitingFor { saver.save() } }
      }
      return issue
    }

    static func announce(_ announcement: @escaping @Sendable () -> Void) {
      _ = handlesEvents
      guard announcements.start() else { return announcement() }
      end.hasAnnounced.store(true, ordering: .relaxed)
      announcements.perform(announcement)
    }

    private static func register(_ saver: PreferencesSaver) {
      _ = handlesEvents
      savers.withLock { savers in
        if !savers.contains(where: { $0 === saver }) { savers.append(saver) }
      }
    }

    /// Schedules a save of all that differs in memory, in every suite.
    static func markMemory() {
      for saver in savers.withLock({ $0 }) { saver.markMemoryAsPending() }
    }

    private static let handlesEvents: Void = {
      // All that `finish` needs is made first. If a signal handler that calls `exit` interrupted
      // the making of one of these, `exit` would wait forever.
      withExtendedLifetime(
        (thread, announcements, end, DeferredCalls.areCollected)
      ) {
        savers.withLock { _ in }
        atexit { finish() }
      }
      // Saves before a fork, because the parent may end at once, and the child would save its
      // changes later.
      Fork.handle(
        .init(before: {
          for saver in savers.withLock({ $0 }) where saver.hasChanges { _ = saveAndWait(saver) }
        }))
    }()

    // MARK: The end of the process

    /// The time limit of the end: three seconds for all of it. It lasts longer only while the
    /// saving thread uses the processor, not while that waits for another process or a disk.
    private final class End: Sendable {
      private let origin = ContinuousClock.now
      private let deadline = Atomic(0)  // in milliseconds, and 0 before the end has begun
      let isStuck = Atomic(false)
      /// Whether there are announcements to wait for.
      let hasAnnounced = Atomic(false)
      let hasSavedAll = Semaphore()
      let hasToldAll = Semaphore()

      private var now: Int {
        let (seconds, attoseconds) = (ContinuousClock.now - origin).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
      }

      var hasBegun: Bool { deadline.load(ordering: .relaxed) != 0 }

      func begin() {
        _ = deadline.compareExchange(expected: 0, desired: now + 3000, ordering: .relaxed)
      }

      /// Zero before the end has begun.
      var timeLeft: Duration {
        .milliseconds(max(0, deadline.load(ordering: .relaxed) - now))
      }
    }

    private static let end = End()

    /// Whether the process has begun to end. A change in a later `atexit` handler is saved at once.
    static var isOver: Bool { end.hasBegun }

    /// Waits for pending changes. The thread that exits may hold any lock, or be the only thread of
    /// the dispatch queues. So this takes no lock, and each wait has a limit.
    private static func finish() {
      end.begin()
      if thread.isStarted {
        thread.startExit()
        guard wait(for: end.hasSavedAll) else { return }
      } else {
        saveAll()
      }
      // A handler that calls `exit` runs on the announcing thread, which cannot wait for itself.
      if end.hasAnnounced.load(ordering: .relaxed), !announcements.isCurrent {
        end.hasToldAll.wait(atMost: end.timeLeft)
      }
    }

    private static func saveAll() {
      for saver in savers.withLock({ $0 }) where saver.hasChanges { _ = save(saver) }
      end.hasSavedAll.signal()
      if end.hasAnnounced.load(ordering: .relaxed) {
        announcements.perform { end.hasToldAll.signal() }
      }
    }

    /// Waits for the saving thread. At the end of the process, reports if it takes too long.
    ///
    /// - Returns: Whether the semaphore was signalled.
    private static func wait(for semaphore: Semaphore) -> Bool {
      guard end.hasBegun else {
        semaphore.wait()
        return true
      }
      while !end.isStuck.load(ordering: .relaxed) {
        let processorTime = thread.processorTime
        let timeLeft = end.timeLeft
        let slice = timeLeft == .zero ? .milliseconds(500) : min(timeLeft, .milliseconds(500))
        if semaphore.wait(atMost: slice) { return true }
        // Polling for a lock uses about a hundredth of a processor, which does not count as work.
        let isAtWork = thread.processorTime - processorTime > slice / 10
        if end.timeLeft == .zero, !isAtWork,
          !end.isStuck.exchange(true, ordering: .relaxed)
        {
          let paths = savers.withLockIfAvailable { $0.map(\.file.path) }
          DefaultsIssue.notSavedInTime(paths ?? []).reportAtEnd()
        }
      }
      return semaphore.wait(atMost: .zero)
    }
  }
#endif
