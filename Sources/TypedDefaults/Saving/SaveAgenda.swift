#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// What the saving thread has to do for one file, and when.
  struct SaveAgenda {
    typealias Instant = ContinuousClock.Instant

    /// Whether another process may have changed the file.
    private var mustLook = true
    /// The first look begins to watch the file. It is delayed, because a short program that watches
    /// files would end ten milliseconds later.
    private var lookTime = Instant.now + .milliseconds(50)
    /// Whether there are changes that no save has tried.
    private var mustSave = false
    /// Those who wait for a save.
    private var waiting: [Semaphore] = []

    /// So a program that never stops changing a big file spends at most half a core on saving.
    private var restEnd = Instant.now
    /// When to try again after a failure, and the pause before.
    private var retry: (time: Instant, pause: Duration)?
    /// Who has the lock, and since when.
    private(set) var busy: (holder: DirectoryLock.Busy, since: Instant)?

    // MARK: Asking

    /// - Returns: Whether the saving thread must be woken.
    mutating func askForSave() -> Bool {
      defer { mustSave = true }
      return !mustSave
    }

    mutating func askForSave(signalling semaphore: Semaphore) { waiting.append(semaphore) }

    /// - Returns: Whether the saving thread must be woken.
    mutating func askForLook() -> Bool {
      defer { mustLook = true }
      return !mustLook
    }

    // MARK: Doing

    /// When there is something to do; nil if there is nothing.
    var next: Instant? {
      [mustLook ? lookTime : nil, saveTime].compactMap(\.self).min()
    }

    private var saveTime: Instant? {
      if !waiting.isEmpty { return .now }
      return mustSave ? restEnd : retry?.time
    }

    mutating func takeLook() -> Bool {
      guard mustLook, lookTime <= .now else { return false }
      mustLook = false
      return true
    }

    /// Where others never stop saving, this spends at most a quarter of a core on looking.
    mutating func endLook(begunAt start: Instant) {
      lookTime = .now + min((.now - start) * 3, .milliseconds(50))
    }

    /// - Returns: Those who wait for this save; nil if it is not time for a save.
    mutating func beginSave(isLast: Bool) -> [Semaphore]? {
      guard isLast || saveTime.map({ $0 <= .now }) == true else { return nil }
      defer { (mustSave, waiting) = (false, []) }
      return waiting
    }

    /// Asks for the save again, unless another process has the lock for too long.
    ///
    /// - Returns: Whether it is tried again.
    mutating func wait(for holder: DirectoryLock.Busy, _ waiting: [Semaphore]) -> Bool {
      let now = Instant.now
      let since = holder.isOfThisProcess ? now : busy?.since ?? now
      guard now - since < .seconds(10) else { return false }
      busy = (holder, since)
      (mustSave, self.waiting) = (true, waiting + self.waiting)
      return true
    }

    mutating func endSave(begunAt start: Instant, hasFailed: Bool) {
      let now = Instant.now
      busy = nil
      restEnd = now + min(now - start, .seconds(1))
      lookTime = max(lookTime, restEnd)
      let pause = min(retry.map { $0.pause * 2 } ?? .seconds(1), .seconds(60))
      retry = hasFailed ? (now + pause, pause) : nil
    }
  }
#endif
