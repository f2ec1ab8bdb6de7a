#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// Saves what this process changes in one suite to its preferences file, and puts what other
  /// processes change there into this one's memory.
  final class PreferencesSaver: Sendable {
    /// The memory in which the program sees the settings.
    struct Memory: Sendable {
      /// Sets or removes what is stored under keys: as one step, if the memory can.
      let put: @Sendable (PendingChanges.Objects) -> Void
      /// Everything that is stored.
      let contents: @Sendable () -> [String: PropertyListObject]
      /// Tells listeners of what another process has changed.
      let announce: @Sendable (_ keys: [String]) -> Void
    }

    /// What is known of the file.
    private struct Saved {
      var contents = PreferencesContents()
      var identity: PreferencesFile.Identity?
      /// What the last save failed of, if it did.
      var failure: String?

      var isFileExpected: Bool { !contents.keys.isEmpty }
    }

    private let file: PreferencesFile
    private let watcher = Mutex<FileWatcher?>(nil)
    private let memory: Memory
    // Only ever held for a moment, else a thread that writes in a tight loop would starve the saving,
    // or wait for it.
    private let changes = Mutex(PendingChanges())
    // Held while the file is read or written: by the first reader, then by the saving thread.
    private let saved = Mutex(Saved())

    init(_ file: PreferencesFile, memory: Memory) {
      self.file = file
      self.memory = memory
    }

    // MARK: Called by any thread

    /// Reads the file before anybody else does, and keeps it aside if it is damaged: Foundation would
    /// try to read it for half a second. From now on, what other processes change is seen.
    ///
    /// - Parameter loadMemory: Makes Foundation read it, too, before the saving thread, which may have
    ///   a change to put into memory already, can do so at the same time.
    func load(_ loadMemory: ([String: PropertyListObject]) -> Void) {
      // Not at once, because a program that watches files ends ten milliseconds later for it.
      SaveScheduler.scheduleSoon { [weak self] in self?.watch() }
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
          }
          return issue
        } catch let error as PreferencesFile.NotAFile {
          // Not after Foundation has read it, which at a pipe may take forever.
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
      // It may have changed since it was read.
      checkFile()
    }

    /// Notes that a key's memory is about to change. The caller lets no other thread change the key.
    func willChange(_ key: String) {
      changes.withLock { $0.begin(key) }
    }

    /// Notes that a key's memory has changed, and has the change saved, at once or with the transaction.
    func didChange(
      _ key: String, to object: PropertyListObject?, inside transaction: Transaction.ID?
    ) {
      schedule { $0.end(key, object, inside: transaction) }
    }

    /// Has the changes of a transaction saved, all in one save.
    func end(_ transaction: Transaction.ID) {
      schedule { $0.end(transaction) }
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

    /// Looks whether another process has changed the file. Returns at once.
    func checkFile() {
      if changes.withLock({ $0.schedule() }) { SaveScheduler.schedule(self) }
    }

    /// Has everything saved as it is in memory, where `setPersistentDomain` or
    /// `removePersistentDomain` has changed it, and pending changes with it. Returns at once.
    func markMemoryAsPending() {
      let mustSchedule = changes.withLock {
        $0.markMemory()
        return $0.schedule()
      }
      if mustSchedule { SaveScheduler.schedule(self) }
    }

    /// Saves what is pending and waits until it is saved.
    func flush() throws {
      if let issue = SaveScheduler.saveAndWait(self) { throw issue }
    }

    // MARK: Called by the saving thread

    var hasChanges: Bool { changes.withLock { !$0.isEmpty } }

    /// Saves what is pending, and looks at the file. The issue is what keeps a change from being
    /// saved.
    func save() -> DefaultsIssue? {
      let outcome = saved.withLock { saved in
        var outcome = Outcome()
        let mine = changes.withLock {
          $0.addMarkedMemory(memory.contents(), unlike: saved.contents)
          return $0.take()
        }
        do {
          // Where nothing is to be stored, no file is made, and no directory that is gone.
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

    /// Looks what other processes have saved, without a lock, because the file is replaced as one
    /// step. Nor does the wait for one that is missing take it: it would make a directory that is
    /// gone, and processes wait in turn.
    ///
    /// - Returns: Whether that is all there is to do.
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
        // Again and again, as long as programs that take no lock come between.
        for _ in 0..<100 {
          let reading = try locked.read(
            unless: saved.identity, isExpected: saved.isFileExpected, patience: .seconds(1))
          let isDamaged = !merge(reading, &saved, &outcome)
          if isDamaged {
            // What is known of the file is the last good copy.
            let aside = try locked.keepAside()
            if aside != .alreadyKept {
              outcome.issues.append(.damaged(file, aside, hasCopy: true))
            }
          }
          let isSaved = mine.allSatisfy { saved.contents[$0] == $1 }
          if isSaved && !isDamaged && saved.failure == nil { return }
          if try write(mine, to: locked, &saved, &outcome) { return }
        }
        throw SystemError(EBUSY)
      }
    }

    /// Replaces the file by one with the changes.
    ///
    /// - Returns: Whether it was still the one that was read.
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
      outcome.issues += unsavable
      outcome.failure = unsavable.last
      return true
    }

    /// Puts what another process has changed into memory, where this one has not changed it.
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
        // What Foundation itself has saved for this process is in memory already, and no news.
        let inMemory = differences.isEmpty ? [:] : memory.contents()
        let news = differences.filter { inMemory[$0.key] != $0.value }
        outcome.changedKeys += changes.withLock { changes in
          let others = news.filter { !changes.isOwn($0.key) }
          memory.put(others)
          return others.keys
        }
        saved.contents.adopt(contents)
        saved.identity = identity
        return true
      }
    }
  }

  extension PreferencesSaver {
    /// Saves a suite of Foundation's own class.
    static func ofSuite(_ name: String?, states: KeyStates) -> PreferencesSaver {
      // Safe to use from several threads, which `UserDefaults` is, though it does not say so.
      nonisolated(unsafe) let userDefaults =
        name.flatMap(UserDefaults.init(suiteName:)) ?? .standard
      let memory = Memory(
        put: { for (key, object) in $0 { userDefaults.put(object, forKey: key) } },
        contents: {
          FileSuite.storedObjects(ofSuite: name, in: userDefaults).mapValues {
            PropertyListObject($0)
          }
        },
        announce: { keys in
          // Of those, too, that nobody has asked for: they keep that somebody else has changed them.
          for key in keys { states.state(of: key).announceChange() }
        })
      return PreferencesSaver(PreferencesFile(suite: name), memory: memory)
    }
  }
#endif
