#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// Saves the changes of this process in one suite to its preferences file, and puts the changes
  /// of other processes into memory.
  final class PreferencesSaver: Sendable {
    /// The memory that holds the settings of the suite.
    struct Memory: Sendable {
      /// Sets or removes the objects of keys, in one step if the memory can do so.
      let put: @Sendable (PendingChanges.Objects) -> Void
      /// All stored objects.
      let contents: @Sendable () -> [String: PropertyListObject]
      /// Tells listeners that another process has changed keys.
      let announce: @Sendable (_ keys: [String]) -> Void
    }

    /// The file as it was read or saved last.
    private struct Saved {
      var contents = PreferencesContents()
      var identity: PreferencesFile.Identity?
      /// The message of the last save, if it failed.
      var failure: String?

      var isFileExpected: Bool { !contents.keys.isEmpty }
    }

    let file: PreferencesFile
    let administrator: AdministratorFiles
    private let watcher = Mutex<FileWatcher?>(nil)
    private let memory: Memory
    // Held only for a moment, so that a thread which writes in a tight loop neither starves the
    // saving thread nor waits for it.
    private let changes = Mutex(PendingChanges())
    // Held while the file is read or written, by the first reader and then by the saving thread.
    private let saved = Mutex(Saved())

    /// - Parameter administrator: The files of which listeners hear, too.
    init(_ file: PreferencesFile, administrator: AdministratorFiles, memory: Memory) {
      self.file = file
      self.administrator = administrator
      self.memory = memory
    }

    // MARK: Called by any thread

    /// Reads the file for the first time, and keeps it aside if it is damaged: Foundation would try
    /// to read it for half a second. Changes of other processes are seen from now on.
    ///
    /// - Parameter loadMemory: Makes Foundation read the file, too, before the saving thread puts a
    ///   change into memory.
    func load(_ loadMemory: ([String: PropertyListObject]) -> Void) {
      // Delayed, because a short program that watches files would end ten milliseconds later.
      SaveScheduler.scheduleSoon { [weak self] in self?.watch() }
      // Told by another thread: a handler may use what is being loaded.
      for issue in administrator.read().issues { SaveScheduler.announce { issue.report() } }
      let issue: DefaultsIssue? = saved.withLock { saved in
        defer { loadMemory(saved.contents.objects) }
        do {
          var reading = try file.read(unless: nil)
          var issue: DefaultsIssue?
          if case .damaged = reading {
            reading = try file.withLock { file in
              let reading = try file.read(unless: nil)
              guard case .damaged = reading else { return reading }
              let aside = try file.keepAside()
              if aside != .alreadyKept { issue = .damaged(self.file, aside, hasCopy: false) }
              try file.remove()
              return .missing
            }
          }
          if case .contents(let contents, let identity) = reading {
            (saved.contents, saved.identity) = (contents, identity)
            changes.withLock { $0.saved = contents }
          }
          return issue
        } catch let error as PreferencesFile.NotAFile {
          // Announced before Foundation reads the file: if it is a pipe, that may take forever.
          SaveScheduler.announce { [file] in DefaultsIssue.unreadable(file, error).report() }
          return nil
        } catch {
          return .unreadable(file, error)
        }
      }
      issue?.report()
    }

    private func watch() {
      watcher.withLock {
        $0 = FileWatcher(path: file.path) { [weak self] in self?.checkFile() }
      }
      administrator.watch { [weak self] in self?.checkFile() }
      // The file may have changed since it was read.
      checkFile()
    }

    /// Notes that a key's memory is about to change. The caller holds the key's lock.
    func willChange(_ key: String) {
      changes.withLock { $0.begin(key) }
    }

    /// Notes that a key's memory has changed, and schedules a save, now or at the end of the token.
    func didChange(
      _ key: String, to object: PropertyListObject?, heldBy token: PendingChanges.Token?
    ) {
      schedule { $0.end(key, object, heldBy: token) }
    }

    /// Schedules one save for all changes that a token has held.
    ///
    /// - Parameter outer: A token that goes on to hold them.
    func end(_ token: PendingChanges.Token, into outer: PendingChanges.Token?) {
      schedule { $0.end(token, into: outer) }
    }

    /// Forgets the changes that a token has held.
    ///
    /// - Returns: What other processes have stored meanwhile.
    func drop(_ token: PendingChanges.Token) -> PendingChanges.Objects {
      changes.withLock { $0.drop(token) }
    }

    /// Returns the stored object of a key, as this process has set it or read it from the file.
    func knownObject(_ key: String) -> PropertyListObject? {
      let (set, contents) = changes.withLock { ($0.object(key), $0.saved) }
      return set ?? contents[key]
    }

    private func schedule(_ change: (inout PendingChanges) -> Void) {
      let mustSchedule = changes.withLock {
        change(&$0)
        return !$0.isEmpty && $0.schedule()
      }
      if SaveScheduler.isOver {
        try? flush()
      } else if mustSchedule {
        SaveScheduler.schedule(self)
      }
    }

    /// Makes the saving thread check whether another process has changed the file. Returns at once.
    func checkFile() {
      if changes.withLock({ $0.schedule() }) { SaveScheduler.schedule(self) }
    }

    /// Schedules a save of all that differs in memory, which `setPersistentDomain` or
    /// `removePersistentDomain` has changed. Returns at once.
    func markMemoryAsPending() {
      let mustSchedule = changes.withLock {
        $0.markMemory()
        return $0.schedule()
      }
      if mustSchedule { SaveScheduler.schedule(self) }
    }

    /// Saves pending changes, and waits until they are saved.
    func flush() throws {
      if let issue = SaveScheduler.saveAndWait(self) { throw issue }
    }

    // MARK: Called by the saving thread

    var hasChanges: Bool { changes.withLock { !$0.isEmpty } }

    /// Saves pending changes, and takes in those of other processes.
    ///
    /// - Returns: The issue that keeps a change from being saved, if there is one.
    func save() -> DefaultsIssue? {
      let administrators = administrator.read()
      let outcome = saved.withLock { saved in
        var outcome = Outcome(issues: administrators.issues, changedKeys: administrators.keys)
        let mine = changes.withLock {
          $0.addMarkedMemory(memory.contents(), unlike: saved.contents)
          return $0.take()
        }
        do {
          // If keys are only removed, no missing file or directory is made.
          if try mine.values.allSatisfy({ $0 == nil }) && look(&saved, &outcome)
            && mine.keys.allSatisfy({ saved.contents[$0] == nil })
          {
            saved.failure = nil
            return outcome
          }
          try save(mine, &saved, &outcome)
          saved.failure = nil
        } catch {
          guard !mine.isEmpty else { return outcome }
          changes.withLock { $0.putBack() }
          let issue = DefaultsIssue.notSaved(file, error)
          outcome.failure = issue
          if saved.failure != issue.description { outcome.issues.append(issue) }
          saved.failure = issue.description
        }
        return outcome
      }
      if !outcome.issues.isEmpty || !outcome.changedKeys.isEmpty {
        SaveScheduler.announce { [memory] in
          for issue in outcome.issues { issue.report() }
          memory.announce(outcome.changedKeys)
        }
      }
      return outcome.failure
    }

    private struct Outcome {
      var issues: [DefaultsIssue] = []
      var failure: DefaultsIssue?
      var changedKeys: [String] = []
    }

    /// Takes in the changes of other processes. Needs no lock, because the file is replaced in one
    /// step. A lock would make a missing directory, and let processes wait for each other.
    ///
    /// - Returns: Whether the file is undamaged.
    private func look(_ saved: inout Saved, _ outcome: inout Outcome) throws -> Bool {
      var reading = try file.read(unless: saved.identity)
      if case .missing = reading {
        reading = try file.readSettled(unless: saved.identity, isExpected: saved.isFileExpected)
      }
      return merge(reading, &saved, &outcome)
    }

    private func save(
      _ mine: PendingChanges.Objects, _ saved: inout Saved, _ outcome: inout Outcome
    ) throws {
      try file.withLock { locked in
        // Repeated while programs that take no lock change the file.
        for _ in 0..<100 {
          let reading = try locked.read(
            unless: saved.identity, isExpected: saved.isFileExpected, patience: .seconds(1))
          let isDamaged = !merge(reading, &saved, &outcome)
          if isDamaged {
            // `saved` is the last good copy, which is saved again.
            let aside = try locked.keepAside()
            if aside != .alreadyKept {
              outcome.issues.append(.damaged(file, aside, hasCopy: true))
            }
          }
          let isSaved = mine.allSatisfy { saved.contents[$0] == $1 }
          if isSaved && !isDamaged && saved.failure == nil { return }
          if try write(mine, to: locked, &saved, &outcome) { return }
        }
        throw PreferencesFile.KeptChanging()
      }
    }

    /// Replaces the file by one with the changes.
    ///
    /// - Returns: Whether the file was still the one that was read. If not, it is not replaced.
    private func write(
      _ mine: PendingChanges.Objects, to locked: borrowing PreferencesFile.Locked,
      _ saved: inout Saved, _ outcome: inout Outcome
    ) throws -> Bool {
      var contents = saved.contents
      var unsavable: [DefaultsIssue] = []
      for (key, object) in mine {
        do {
          try contents.set(object, for: key)
        } catch {
          unsavable.append(.unsavable(key, error))
        }
      }
      guard let identity = try locked.replace(with: contents.data()) else { return false }
      (saved.contents, saved.identity) = (contents, identity)
      changes.withLock { $0.saved = contents }
      outcome.issues += unsavable
      outcome.failure = unsavable.last
      return true
    }

    /// Puts the changes of another process into memory, except for keys that this process has
    /// changed.
    ///
    /// - Returns: Whether the file is undamaged.
    private func merge(
      _ reading: PreferencesFile.Reading, _ saved: inout Saved, _ outcome: inout Outcome
    ) -> Bool {
      switch reading {
      case .unchanged: return true
      case .damaged: return false
      case .missing: return merge(.contents(.init(), nil), &saved, &outcome)
      case .contents(let contents, let identity):
        let differences = saved.contents.differences(in: contents)
        // A change that Foundation has saved for this process is in memory already.
        let inMemory = differences.isEmpty ? [:] : memory.contents()
        let news = differences.filter { inMemory[$0.key] != $0.value }
        outcome.changedKeys += changes.withLock { changes in
          for (key, object) in differences { changes.noteMissed(key, object) }
          let others = news.filter { !changes.isOwn($0.key) }
          memory.put(others)
          return others.keys
        }
        saved.contents.adopt(contents)
        changes.withLock { $0.saved = saved.contents }
        saved.identity = identity
        return true
      }
    }
  }
#endif
