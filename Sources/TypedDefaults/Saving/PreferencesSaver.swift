#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// Saves the changes of this process in one suite to its preferences file, and puts the changes
  /// of other processes into memory.
  final class PreferencesSaver: Sendable {
    typealias Token = StoredValues.Token

    /// The memory that holds the settings of the suite.
    struct Memory: Sendable {
      let store: StoreMemory
      /// Returns the keys of which Foundation has written what it took last, if the values have a copy
      /// there. It writes files in place. Called under the lock of the values, as the next one is.
      let staleKeys:
        @Sendable (PreferencesContents, _ isInPlace: Bool, inout StoredValues) -> [String]
      /// Makes keys show what the values hold, after the file was read. They are nil if it is as it was.
      let show: @Sendable (_ keys: [String]?, inout StoredValues) -> Void
      /// Tells listeners that another process has changed keys.
      let announce: @Sendable (_ keys: [String]) -> Void
    }

    /// The file as it was read or saved last.
    struct Saved {
      var isLoaded = false
      var identity: FileVersion?
      /// Whether the last save survives a power failure.
      var isSynchronized = true
      /// The damaged bytes that have been reported.
      var damage: Data?
    }

    struct State {
      var agenda = SaveAgenda()
      /// The issue of the last save, if it failed.
      var failure: DefaultsIssue?
      /// Whether it has been reported that the end of the process loses changes.
      var isLossReported = false
      /// The changes that no file can hold, until a `flush` has thrown their issues.
      var unsavable: [String: DefaultsIssue] = [:]
    }

    /// What is told when no lock is held.
    struct Announcement {
      var issues: [DefaultsIssue] = []
      var keys: [String] = []
    }

    let file: PreferencesFile
    let administrator: AdministratorFiles
    let memory: Memory
    // Held only for a moment, so that a thread which writes in a tight loop neither starves the
    // saving thread nor waits for it.
    let state = Mutex(State())
    // Held while the files are read or written, after the lock of their directory is taken.
    let saved = Mutex(Saved())
    /// The contents of the file, which change while `saved` is held.
    var contents: PreferencesContents { memory.store.values.withLock(\.file) }
    private let isWatching = Atomic(false)

    /// - Parameter administrator: The files of whose changes listeners are told, too.
    init(_ file: PreferencesFile, administrator: AdministratorFiles, memory: Memory) {
      self.file = file
      self.administrator = administrator
      self.memory = memory
    }

    // MARK: Called by any thread

    /// Reads the file, the first time. Changes of other processes are seen from then on.
    ///
    /// - Parameter loadMemory: Makes Foundation read the file, too, before the saving thread puts a
    ///   change into memory.
    func load(_ loadMemory: () -> Void) {
      saved.withLock { saved in
        if saved.isLoaded { return }
        saved.isLoaded = true
        guard file.canExist else {
          announce(Announcement(issues: [.neverSaved(file)]))
          return loadMemory()
        }
        SaveScheduler.add(self)
        var announcement = Announcement(issues: administrator.read().issues)
        do {
          let reading = try readFile(&saved, &announcement, patience: .milliseconds(100))
          if case .contents(let contents, let identity) = reading {
            saved.identity = identity
            memory.store.values.withLock { _ = $0.adopt(contents) }
          }
        } catch {
          announcement.issues.append(.unreadable(file, error))
        }
        // Told by another thread before Foundation reads the file: if it is a pipe, that may take
        // forever.
        announce(announcement)
        loadMemory()
      }
    }

    /// Schedules a save of the changes that are due. Returns at once.
    func schedule() {
      if !hasChanges { return }
      let mustWake = state.withLock { $0.agenda.askForSave() }
      if SaveScheduler.isOver {
        SaveScheduler.finish()
      } else if mustWake {
        SaveScheduler.wake()
      }
    }

    /// Makes the saving thread check whether another process has changed the file. Returns at once.
    private func checkFile() {
      if state.withLock({ $0.agenda.askForLook() }) { SaveScheduler.wake() }
    }

    /// Throws where nothing can be saved: in a child of `fork`, too, whose threads and locks are its
    /// parent's.
    func checkCanSave() throws {
      if Fork.isChild || !file.canExist { throw DefaultsIssue.neverSaved(file) }
    }

    /// Saves pending changes, and waits until they are saved, for at most ten seconds.
    func flush() throws {
      try checkCanSave()
      if DirectoryLock.isOfThisThread || !SaveScheduler.canWait {
        // The saving thread would wait for the lock, or there is none.
        let end = ContinuousClock.now + .seconds(10)
        repeat {
          _ = doWhatIsDue(isLast: true)
        } while isWaitingForLock && .now < end
        if isWaitingForLock { throw DefaultsIssue.notSaved(file, hindrance) }
      } else {
        try SaveScheduler.wait(for: self) { semaphore in
          state.withLock { $0.agenda.askForSave(signalling: semaphore) }
        }
      }
      let issue = state.withLock { $0.failure ?? $0.unsavable.popFirst()?.value }
      if let issue { throw issue }
    }

    /// Why a save takes long.
    var hindrance: any Error {
      state.withLock { $0.agenda.busy?.holder }
        ?? Fault(description: "the save took longer than ten seconds")
    }

    var hasChanges: Bool { memory.store.values.withLock(\.isDue) }

    var isWaitingForLock: Bool { state.withLock { $0.agenda.busy != nil } }

    // MARK: Called by the saving thread

    /// Reads or saves the file, if it is time for that.
    ///
    /// - Parameter isLast: Whether to save without a rest.
    /// - Returns: When there is more to do, if that is known.
    func doWhatIsDue(isLast: Bool = false) -> ContinuousClock.Instant? {
      if state.withLock({ $0.agenda.takeLook() }) {
        if !isWatching.exchange(true, ordering: .relaxed) {
          for path in [file.path] + administrator.paths {
            FileWatcher.watch(path) { [self] in checkFile() }
          }
        }
        let start = ContinuousClock.now
        // An error is reported if there is something to save.
        try? readAndMerge()
        state.withLock { $0.agenda.endLook(begunAt: start) }
      }
      if let waiting = state.withLock({ $0.agenda.beginSave(isLast: isLast) }) {
        let start = ContinuousClock.now
        do {
          // Not for long, because the files of other directories wait meanwhile.
          let patience = Duration.milliseconds(isLast ? 100 : 20)
          let hasSaved =
            try !settleNeedlessRemovals() && save(to: file.locked(patience: patience))
          conclude(begunAt: start, hasSaved: hasSaved)
        } catch let busy as DirectoryLock.Busy
          where state.withLock({ $0.agenda.wait(for: busy, waiting) })
        {
          return state.withLock { $0.agenda.next }
        } catch {
          conclude(begunAt: start, error)
        }
        for semaphore in waiting { semaphore.signal() }
      }
      return state.withLock { $0.agenda.next }
    }

    /// Takes in the changes of other processes. Needs no lock, because the file is replaced in one
    /// step. A lock would make a missing directory, and let processes wait for each other.
    ///
    /// - Parameter isTold: Whether the caller tells all listeners.
    func readAndMerge(patience: Duration = .milliseconds(300), isTold: Bool = false) throws {
      try saved.withLock { saved in
        var announcement = administrator.read()
        defer { announce(announcement) }
        merge(try readFile(&saved, &announcement, patience: patience), &saved, &announcement)
        if isTold { announcement.keys = [] }
      }
    }

    /// Reads the file without its lock, and notes if it is damaged.
    private func readFile(
      _ saved: inout Saved, _ announcement: inout Announcement, patience: Duration
    ) throws -> PreferencesFile.Reading {
      let isLoaded = !contents.keys.isEmpty
      let reading = try file.readSettled(
        unless: saved.identity, isExpected: isLoaded, patience: patience
      ).reading
      if case .damaged(let data, let error) = reading, data != saved.damage {
        saved.damage = data
        announcement.issues.append(.damaged(file, error, isLoaded: isLoaded))
      }
      return reading
    }

    /// Looks at the file once it stands still, and returns what is wrong with it; reports nothing.
    func fileIssue() -> DefaultsIssue? {
      guard file.canExist else { return nil }
      do {
        let reading = try file.readSettled(
          unless: nil, isExpected: false, patience: .milliseconds(100)
        ).reading
        guard case .damaged(_, let error) = reading else { return nil }
        return .damaged(file, error, isLoaded: !contents.keys.isEmpty)
      } catch {
        return .unreadable(file, error)
      }
    }

    /// Removals make no missing file or directory.
    ///
    /// - Returns: Whether nothing is to be saved.
    /// - Throws: An error if the file cannot be read, which may have the keys.
    private func settleNeedlessRemovals() throws -> Bool {
      guard memory.store.values.withLock(\.areRemovals) else { return false }
      try readAndMerge()
      return saved.withLock { saved in
        memory.store.values.withLock { values in
          guard values.areSaved, saved.isSynchronized else { return false }
          values.take()
          values.settle(values.file)
          return true
        }
      }
    }

    func conclude(
      begunAt start: ContinuousClock.Instant, hasSaved: Bool = false, _ error: (any Error)? = nil
    ) {
      let issue = error.map { $0 as? DefaultsIssue ?? .notSaved(file, $0) }
      let last = state.withLock { state in
        defer { state.failure = issue }
        state.agenda.endSave(begunAt: start, hasFailed: issue != nil)
        return state.failure
      }
      if let issue, issue.description != last?.description {
        announce(Announcement(issues: [issue]))
      } else if hasSaved, last != nil {
        announce(Announcement(issues: [.savedAgain(file)]))
      }
    }

    /// Returns the issue of changes that the end of the process loses, once.
    func takeLoss() -> DefaultsIssue? {
      state.withLock { state in
        guard hasChanges, !state.isLossReported else { return nil }
        state.isLossReported = true
        return .lost(file)
      }
    }

    func announce(_ announcement: Announcement) {
      if announcement.issues.isEmpty && announcement.keys.isEmpty { return }
      SaveScheduler.tell { [memory] in
        for issue in announcement.issues { issue.report() }
        memory.announce(announcement.keys)
      }
    }
  }
#endif
