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
        DeferredCalls.collecting { saver.doWhatIsDue() }
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
      _ = Fork.parent
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
      if isOver {
        if !waitAtEnd(isSaved) { throw DefaultsIssue.notSavedInTime([saver.file.path]) }
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

    private static let handlesEvents: Void = {
      atexit {
        if Fork.isChild { return }  // The threads and the lock are its parent's.
        // A body of `exclusively` that has called `exit` never ends.
        DirectoryLock.abandon()
        finish()
      }
    }()

    // MARK: The end of the process

    private struct End {
      var hasBegun = false
      /// The half seconds that were waited. Counted, because no time passes for a process that is stopped.
      var waits = 0
      var hasGivenUp = false
    }

    private static let end = Mutex(End())
    private static let isWorking = Atomic(false)

    /// Whether the process has begun to end. A change in a later `atexit` handler is saved at once.
    static var isOver: Bool { end.withLock(\.hasBegun) }

    /// Does what takes only a processor: the end of the process waits for it.
    static func countedAsWork<R>(_ body: () throws -> R) rethrows -> R {
      isWorking.store(true, ordering: .relaxed)
      defer { isWorking.store(false, ordering: .relaxed) }
      return try body()
    }

    /// Waits for pending changes. The thread that exits may hold the lock of a key, or be the only thread
    /// of the dispatch queues, and the handler of issues may wait for it. So each wait has a limit.
    static func finish() {
      end.withLock { $0.hasBegun = true }
      if thread.isStarted {
        guard waitAtEnd(thread.end()) else { return }
      } else {
        saveAll()
      }
      // A handler that calls `exit` runs on the telling thread, which cannot wait for itself.
      if teller.isStarted, !teller.isCurrent {
        teller.end().wait(atMost: .milliseconds(500) * end.withLock { max(6 - $0.waits, 0) })
      }
      reportAtEnd(all.compactMap { $0.takeLoss() })
    }

    private static func saveAll() {
      // There is no next save, so it is tried again: the cause may pass.
      var pause = Duration.zero
      while case let unsaved = all.filter(\.hasChanges), !unsaved.isEmpty,
        pause < .milliseconds(500)
      {
        pause.sleep()
        for saver in unsaved { DeferredCalls.collecting { _ = saver.doWhatIsDue(isLast: true) } }
        if !unsaved.contains(where: \.isWaitingForLock) {
          pause = max(pause * 2, .milliseconds(10))
        }
      }
    }

    /// Waits for the saving thread: for the rest of three seconds, and for a minute while that is at work, not
    /// while it waits for another process or a disk. Reports once if it takes too long.
    ///
    /// - Returns: Whether it is done.
    private static func waitAtEnd(_ work: Semaphore) -> Bool {
      while !end.withLock(\.hasGivenUp) {
        let wasWorking = isWorking.load(ordering: .relaxed)
        if work.wait(atMost: .milliseconds(500)) { return true }
        let isAtWork = wasWorking || isWorking.load(ordering: .relaxed)
        let isOver = end.withLock { end in
          end.waits += 1
          return end.waits >= (isAtWork ? 120 : 6)
        }
        if isOver { giveUp() }
      }
      return work.wait(atMost: .zero)
    }

    private static func giveUp() {
      let isFirst = end.withLock { end in
        defer { end.hasGivenUp = true }
        return !end.hasGivenUp
      }
      if isFirst { reportAtEnd([.notSavedInTime(all.map(\.file.path))]) }
    }

    /// Calls the handler on a thread of its own, and not for ever: it may wait for the thread that exits.
    private static func reportAtEnd(_ issues: [DefaultsIssue]) {
      if issues.isEmpty { return }
      let mayCall = !DeferredCalls.areCollected
      let areReported = Semaphore()
      let report = { @Sendable in
        for issue in issues { issue.reportNow(mayCall: mayCall) }
        areReported.signal()
      }
      guard ServiceThread.launch(report) else { return report() }
      areReported.wait(atMost: .seconds(3))
    }
  }
#endif
