#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// What Foundation's memory showed of the stored values when it was last looked at.
  ///
  /// Where its file cannot be opened, Foundation takes no change, or forgets what it had, and says so
  /// nowhere. So only a difference to what it showed before is a raw change: neither a call that
  /// returned nor an absence proves anything.
  struct FoundationMirror {
    /// What a look finds to be stored.
    enum Sight: Equatable {
      /// - Parameter isHidden: Whether an argument hides it, beneath which a set may not be taken.
      case object(PropertyListObject, isHidden: Bool = false)
      case nothing
      /// What is stored cannot be told from an argument or a registered default.
      case unknown
    }

    private(set) var shown: [String: PropertyListObject] = [:]
    /// The keys that are not known to show what the values hold.
    private(set) var behind: Set<String> = []
    /// What keys showed that were behind when the file was last read, or since then: Foundation may have
    /// written that.
    private(set) var stale: [String: PropertyListObject?] = [:]
    /// What may be gone at the next look, though nobody has removed it, and come back later.
    private var doubtful: [String: PropertyListObject] = [:]
    /// What was set while the file could not be opened. Foundation may keep it in a second memory, which a
    /// later call for a whole domain writes, or which hides all that is set later.
    private(set) var refused: [String: [PropertyListObject?]] = [:]

    /// Notes what a key shows, which need not be looked at.
    ///
    /// - Parameter isProof: Whether it goes on to show that.
    mutating func note(
      _ object: PropertyListObject?, _ key: String, _ values: StoredValues, isProof: Bool = true
    ) {
      shown[key] = object
      if object != nil, isProof { doubtful[key] = nil }
      compare(key, values)
    }

    /// Notes that Foundation may have lost what it shows still, except for what it is known to have.
    mutating func doubtAll(but known: [String: PropertyListObject]) {
      doubtful.merge(shown.filter { known[$0.key] == nil }) { $1 }
    }

    /// Compares what a key shows with what the values hold.
    mutating func compare(_ key: String, _ values: StoredValues) {
      if shown[key] == values[key] {
        behind.remove(key)
      } else {
        behind.insert(key)
        stale[key] = .some(shown[key])
      }
    }

    /// Returns the keys of which a file holds what Foundation took before ours.
    mutating func staleKeys(of file: PreferencesContents, _ values: StoredValues) -> [String] {
      // Foundation may have read it, too, and show it once ours is saved.
      for key in behind where doubtful[key] == nil { doubtful[key] = file[key] }
      return stale.mapValues { [$0] }.merging(refused, uniquingKeysWith: +)
        .filter { $1.contains(file[$0]) && file[$0] != values[$0] }.map(\.key)
    }

    /// Notes that a key is set while the file cannot be opened.
    mutating func refuse(_ object: PropertyListObject?, _ key: String) {
      // Foundation may have taken an earlier one, and not this. A program may set a key in a loop.
      refused[key] = refused[key, default: []].suffix(7) + [object]
      doubtful[key] = shown[key] ?? object
    }

    /// Notes that the file is read.
    mutating func noteRead() {
      if !stale.isEmpty { stale = stale.filter { behind.contains($0.key) } }
    }

    /// Takes in what a look at a key finds. What a raw call has set is adopted.
    ///
    /// - Returns: Whether the key shows nothing where it showed something.
    mutating func look(at key: String, _ sight: Sight, _ values: inout StoredValues) -> Bool {
      let (before, ours) = (shown[key], values[key])
      let lost = doubtful[key]
      switch sight {
      case .unknown: return false
      case .nothing: shown[key] = nil
      case .object(let now, let isHidden):
        shown[key] = now
        // Where ours is not taken, Foundation may only have read the file late.
        let isReadLate =
          now == lost || refused[key]?.contains(now) == true
          || (before != ours || isHidden) && now == values.file[key]
        if now != lost { doubtful[key] = nil }
        if now != before, now != ours, !isReadLate { values.show(now.settable, for: key) }
      }
      compare(key, values)
      return shown[key] == nil && before != nil && ours != nil && lost == nil
    }

    /// Takes in that what a key showed is removed by a raw call.
    mutating func adoptRemoval(of key: String, _ values: inout StoredValues) {
      values.show(nil, for: key)
      behind.remove(key)
    }
  }
#endif
