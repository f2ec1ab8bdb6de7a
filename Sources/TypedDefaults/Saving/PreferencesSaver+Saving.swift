#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation

  extension PreferencesSaver {
    /// Saves pending changes and those that a token holds, or nothing.
    ///
    /// - Returns: Whether it has saved anything that was not on the disk.
    @discardableResult
    func save(to locked: PreferencesFile.Locked, with token: Token? = nil) throws -> Bool {
      try saved.withLock { saved in
        var announcement = Announcement()
        defer { announce(announcement) }
        let isNeeded = memory.store.values.withLock { !$0.take(with: token).isEmpty }
        do {
          let contents = isNeeded ? try save(to: locked, &saved, &announcement, token) : nil
          memory.store.values.withLock { $0.settle(contents ?? $0.file, with: token) }
        } catch {
          memory.store.values.withLock { $0.putBack() }
          throw error
        }
        return try synchronize(locked, &saved)
      }
    }

    /// Makes the last save survive a power failure.
    ///
    /// - Returns: Whether it did not yet.
    /// - Throws: An issue: the changes are in the file all the same.
    private func synchronize(
      _ locked: PreferencesFile.Locked, _ saved: inout Saved
    ) throws -> Bool {
      if saved.isSynchronized { return false }
      do {
        try locked.synchronizeDirectory()
        saved.isSynchronized = true
        return true
      } catch {
        throw DefaultsIssue.notSaved(file, error)
      }
    }

    /// - Returns: The contents of the file, which have the changes as far as it can hold them.
    private func save(
      to locked: PreferencesFile.Locked,
      _ saved: inout Saved, _ announcement: inout Announcement, _ token: Token?
    ) throws -> PreferencesContents {
      // Repeated while programs that take no lock change the file.
      for _ in 0..<100 {
        let reading = try locked.read(
          unless: saved.identity, isExpected: !contents.keys.isEmpty, patience: .seconds(1))
        merge(reading, &saved, &announcement)
        var isDamaged = false
        if case .damaged(let data, let error) = reading {
          // The last good copy is saved again.
          isDamaged = true
          if let copy = try locked.keep(data) {
            announcement.issues.append(.kept(file, error, as: copy))
          }
        }
        // A call for a whole domain may have taken some of it back.
        let mine = memory.store.values.withLock { $0.taken(with: token) }
        var contents = contents
        if !isDamaged, mine.allSatisfy({ contents.holds($1, for: $0) }) { return contents }

        var unsavable: [String: DefaultsIssue] = [:]
        let data = try SaveScheduler.countedAsWork {
          for (key, object) in mine {
            do {
              try contents.set(object, for: key)
            } catch {
              unsavable[key] = .unsavable(key, error)
            }
          }
          return try contents.data()
        }
        for (key, issue) in unsavable {
          if let token, memory.store.values.withLock({ $0.isHeld(key, by: token) }) { throw issue }
        }
        guard let identity = try locked.replace(with: data) else { continue }
        (saved.identity, saved.isSynchronized) = (identity, false)
        announcement.issues.append(contentsOf: unsavable.values)
        state.withLock { state in
          for key in mine.keys { state.unsavable[key] = unsavable[key] }
        }
        return contents
      }
      throw Fault(description: "other programs kept changing the file")
    }

    /// Puts the changes of another process into memory, except for keys that this process has
    /// changed.
    func merge(
      _ reading: PreferencesFile.Reading, _ saved: inout Saved, _ announcement: inout Announcement
    ) {
      switch reading {
      case .damaged: break
      case .unchanged: memory.store.values.withLock { memory.show(nil, &$0) }
      case .missing: merge(.contents(.init(), nil), &saved, &announcement)
      case .contents(let contents, let identity):
        let isInPlace = saved.identity == nil || saved.identity?.file == identity?.file
        (saved.identity, saved.damage) = (identity, nil)
        announcement.keys += memory.store.values.withLock { values in
          let stale = memory.staleKeys(contents, isInPlace, &values)
          let keys = values.adopt(contents, stale: stale)
          memory.show(keys, &values)
          return keys
        }
      }
    }

    // MARK: On the calling thread

    /// Runs a body that no other process comes between, after what others have saved is taken in.
    ///
    /// Inside the body, another saver of the same directory shares the lock.
    ///
    /// - Parameter body: Makes changes that a token holds, and saves them by `commit`, in one step. If
    ///   that throws, they are not saved, and the token still holds them.
    /// - Throws: The error of the body, or an issue if somebody else has the lock for ten seconds.
    func exclusively<R>(_ body: (_ commit: (Token) throws -> Void) throws -> R) throws -> R {
      try checkCanSave()
      let locked = try orIssue { try file.locked(patience: .lockPatience) }
      try orIssue { try readAndMerge(patience: .seconds(1)) }
      return try withExtendedLifetime(locked) {
        try body { token in
          let start = ContinuousClock.now
          let hasSaved = try orIssue { try save(to: locked, with: token) }
          conclude(begunAt: start, hasSaved: hasSaved)
        }
      }
    }

    private func orIssue<R>(_ work: () throws -> R) throws -> R {
      do {
        return try work()
      } catch let busy as DirectoryLock.Busy where busy.isOfThisProcess {
        throw DefaultsIssue.keptByAnotherThread
      } catch  where !(error is DefaultsIssue) {
        throw DefaultsIssue.notSaved(file, error, isUndone: true)
      }
    }
  }
#endif
