#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// When the preferences files of this process are saved, and on which thread.
  enum SaveScheduler {
    /// It takes no lock of a key's, because the thread that holds one may be waiting for a save; and
    /// it runs no code of the program's, which may wait for anything.
    private static let thread = SerialThread(name: "Defaults.save", atExit: { saveAll() })

    /// Where issues are reported and listeners told.
    private static let announcements = SerialThread(name: "Defaults.tell")

    /// Everything that has ever been scheduled: one for each suite.
    private static let savers = Mutex<[PreferencesSaver]>([])

    static func schedule(_ saver: PreferencesSaver) {
      register(saver)
      thread.perform {
        let start = ContinuousClock.now
        _ = save(saver)
        // A program that never stops writing a big file pays half a core for it at most.
        thread.rest(for: min(.now - start, .seconds(1)))
      }
    }

    /// Does a job a moment later, so that a program which ends before does not pay for it.
    static func scheduleSoon(_ job: @escaping @Sendable () -> Void) {
      thread.perform(after: .milliseconds(50)) { Fork.waitingFor(job) }
    }

    /// Waits for a save of what is pending; the issue is why something could not be saved.
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
      guard wait(for: outcome.isKnown) else { return .notSavedInTime }
      return outcome.issue.withLock { $0 }
    }

    private static func save(_ saver: PreferencesSaver) -> DefaultsIssue? {
      var issue = DeferredCalls.collecting { Fork.waitingFor { saver.save() } }
      // There is no next save at the end. The cause may pass, though most do not.
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

    private static let handlesEvents: Void = {
      // All that `finish` needs is made before: in a signal handler which interrupts the making of one
      // of them, `exit` would wait for that forever.
      withExtendedLifetime(
        (thread, announcements, end, DefaultsIssue.notSavedInTime, DeferredCalls.areCollected)
      ) {
        savers.withLock { _ in }
        atexit { finish() }
      }
      // The child would else save in place of the parent, and later. A parent may end at once.
      Fork.handle(
        .init(before: {
          for saver in savers.withLock({ $0 }) where saver.hasChanges { _ = saveAndWait(saver) }
        }))
      // On Linux, posted when a whole domain has been set or removed, and only then.
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { notification in
        guard !(notification.object is MemoryUserDefaults) else { return }
        for saver in savers.withLock({ $0 }) { saver.markMemoryAsPending() }
      }
    }()

    // MARK: The end of the process

    /// The end has three seconds for all that happens in it, and more only while the saving thread is at
    /// work: not while that waits for another process, or for a disk.
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

      /// None before the end.
      var timeLeft: Duration {
        .milliseconds(max(0, deadline.load(ordering: .relaxed) - now))
      }
    }

    private static let end = End()

    /// True once the process has begun to end. What it changes after that, in an `atexit` handler of
    /// its own, is saved at once.
    static var isOver: Bool { end.hasBegun }

    /// Waits for what is pending. The thread that exits may hold any lock, or be the only one of the
    /// dispatch queues', so this takes none, and waits for nothing forever.
    private static func finish() {
      end.begin()
      if thread.isStarted {
        thread.startExit()
        guard wait(for: end.hasSavedAll) else { return }
      } else {
        saveAll()
      }
      // Whoever calls `exit` to answer an issue cannot wait for himself.
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

    /// Waits for the saving thread, and at the end says if that is in vain.
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
        // To look for a lock again and again takes a hundredth of a processor.
        let isAtWork = thread.processorTime - processorTime > slice / 50
        if end.timeLeft == .zero, !isAtWork,
          !end.isStuck.exchange(true, ordering: .relaxed)
        {
          DefaultsIssue.notSavedInTime.reportAtEnd()
        }
      }
      return semaphore.wait(atMost: .zero)
    }
  }
#endif
