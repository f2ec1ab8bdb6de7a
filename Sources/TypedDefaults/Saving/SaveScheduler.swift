#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// Decides when and on which thread the preferences files of this process are saved.
  enum SaveScheduler {
    /// The saving thread. It takes no lock of a key, because the thread that holds the lock may
    /// wait for a save. It runs no code of the program, which may wait for anything.
    private static let thread = ServiceThread(name: "Defaults.save") { isLast in
      if isLast { saveAll() }
      return all.compactMap { saver in
        DeferredCalls.collecting { saver.work() }
      }.min()
    }

    /// The thread that reports issues and tells listeners.
    private static let teller = ServiceThread(name: "Defaults.tell") { _ in
      while let announcement = untold.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        DeferredCalls.collecting(announcement)
      }
      return nil
    }

    /// All savers, one for each suite.
    private static let savers = Mutex<[PreferencesSaver]>([])
    private static var all: [PreferencesSaver] { savers.withLock { $0 } }

    private static let untold = Mutex<[@Sendable () -> Void]>([])

    static func add(_ saver: PreferencesSaver) {
      Fork.isWatched
      savers.withLock { $0.append(saver) }
      wake()
    }

    /// Makes the saving thread look what there is to do.
    static func wake() {
      thread.wake()
      // Last, because `finish` takes locks if there is no saving thread.
      _ = handlesEvents
    }

    /// Whether a thread may wait for the saving thread: the system may have refused that one.
    static var canWait: Bool { !thread.isCurrent && thread.wake() }

    /// Waits until the saving thread has saved.
    ///
    /// - Parameter ask: Asks the saver for a save, after which it signals.
    /// - Throws: An issue if that takes too long.
    static func wait(for saver: PreferencesSaver, _ ask: (Semaphore) -> Void) throws {
      let isSaved = Semaphore()
      ask(isSaved)
      wake()
      if end.hasBegun {
        guard waitAtEnd(isSaved.wait(atMost:)) else {
          throw DefaultsIssue.notSavedInTime([saver.file.path])
        }
      } else if !isSaved.wait(atMost: .seconds(10)) {
        throw DefaultsIssue.notSaved(saver.file, saver.hindrance)
      }
    }

    /// Calls code of the program on a thread of its own. All calls are made before the process
    /// ends, if they return in time.
    static func tell(_ announcement: @escaping @Sendable () -> Void) {
      untold.withLock { $0.append(announcement) }
      defer { _ = handlesEvents }
      if !teller.wake() { DeferredCalls.collecting(untold.withLock { $0.removeFirst() }) }
    }

    /// Schedules a save of all that differs in memory, in every suite.
    static func markMemory() {
      for saver in all { saver.markMemoryAsPending() }
    }

    private static let handlesEvents: Void = {
      atexit {
        if Fork.isChild { return }  // The threads and the lock are its parent's.
        // A body of `exclusively` that has called `exit` never ends.
        DirectoryLock.abandon()
        finish()
      }
    }()

    // MARK: The end of the process

    /// The time limit of the end: three seconds for all of it. It lasts longer only while the
    /// saving thread is at work, not while that waits for another process or a disk: then a minute. The
    /// thread that exits may hold a lock of Swift's own, for which the work waits for ever.
    private final class End: Sendable {
      private let origin = ContinuousClock.now
      private let deadline = Atomic(0)  // in milliseconds, and 0 before the end has begun
      let isStuck = Atomic(false)
      let isWorking = Atomic(false)

      private var now: Int { Int((ContinuousClock.now - origin) / .milliseconds(1)) }

      var hasBegun: Bool { deadline.load(ordering: .relaxed) != 0 }

      func begin() {
        _ = deadline.compareExchange(expected: 0, desired: now + 3000, ordering: .relaxed)
      }

      var isOverdue: Bool { now - deadline.load(ordering: .relaxed) > 57_000 }

      /// Zero before the end has begun.
      var timeLeft: Duration {
        .milliseconds(max(0, deadline.load(ordering: .relaxed) - now))
      }
    }

    private static let end = End()

    /// Whether the process has begun to end. A change in a later `atexit` handler is saved at once.
    static var isOver: Bool { end.hasBegun }

    /// Does what takes only a processor: the end of the process waits for it.
    static func countedAsWork<R>(_ body: () throws -> R) rethrows -> R {
      end.isWorking.store(true, ordering: .relaxed)
      defer { end.isWorking.store(false, ordering: .relaxed) }
      return try body()
    }

    /// Waits for pending changes. The thread that exits may hold any lock, or be the only thread of
    /// the dispatch queues. So this takes no lock, and each wait has a limit.
    static func finish() {
      end.begin()
      if thread.isStarted {
        thread.startEnd()
        guard waitAtEnd(thread.waitForEnd(atMost:)) else { return }
      } else {
        saveAll()
      }
      // A handler that calls `exit` runs on the telling thread, which cannot wait for itself.
      if teller.isStarted, !teller.isCurrent {
        teller.startEnd()
        _ = teller.waitForEnd(atMost: end.timeLeft)
      }
    }

    private static func saveAll() {
      // There is no next save, so it is tried again: the cause may pass.
      var pause = Duration.zero
      while case let unsaved = all.filter(\.hasChanges), !unsaved.isEmpty,
        pause < .milliseconds(500)
      {
        pause.sleep()
        for saver in unsaved {
          DeferredCalls.collecting { _ = saver.work(isLast: true) }
        }
        if !unsaved.contains(where: \.isWaitingForLock) {
          pause = max(pause * 2, .milliseconds(10))
        }
      }
    }

    /// Waits for the saving thread, and reports if it takes too long.
    ///
    /// - Returns: Whether it is done.
    private static func waitAtEnd(_ wait: (_ atMost: Duration) -> Bool) -> Bool {
      while !end.isStuck.load(ordering: .relaxed) {
        let wasWorking = end.isWorking.load(ordering: .relaxed)
        let slice = Duration.milliseconds(500)
        if wait(end.timeLeft == .zero ? slice : min(end.timeLeft, slice)) { return true }
        let isWorking = wasWorking || end.isWorking.load(ordering: .relaxed)
        if end.timeLeft == .zero, !isWorking || end.isOverdue,
          !end.isStuck.exchange(true, ordering: .relaxed)
        {
          reportNotSaved()
        }
      }
      return wait(.zero)
    }

    /// Reports on a thread of its own: to make the message takes locks of Swift's own, which the thread
    /// that exits may hold.
    private static func reportNotSaved() {
      let mayCall = !DeferredCalls.areCollected
      let report = { @Sendable in
        let paths = savers.withLockIfAvailable { $0.map(\.file.path) }
        DefaultsIssue.notSavedInTime(paths ?? []).reportAtEnd(mayCall: mayCall)
      }
      let reporter = ServiceThread(name: "Defaults.end") { isLast in
        // It may be woken again.
        if isLast { report() }
        return nil
      }
      reporter.startEnd()
      guard reporter.wake() else { return report() }
      _ = reporter.waitForEnd(atMost: .seconds(3))
    }
  }
#endif
