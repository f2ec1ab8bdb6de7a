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
    private(set) var stale: [String: PropertyListObject] = [:]

    /// Notes what a key shows, which need not be looked at.
    mutating func note(_ object: PropertyListObject?, _ key: String, _ values: StoredValues) {
      shown[key] = object
      compare(key, values)
    }

    /// Compares what a key shows with what the values hold.
    mutating func compare(_ key: String, _ values: StoredValues) {
      if shown[key] == values[key] {
        behind.remove(key)
      } else {
        behind.insert(key)
        stale[key] = shown[key]
      }
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
      switch sight {
      case .unknown: return false
      case .nothing: shown[key] = nil
      case .object(let now, let isHidden):
        shown[key] = now
        // Where ours is not taken, Foundation may only have read the file late.
        let isReadLate = (before != ours || isHidden) && now == values.file[key]
        if now != before, now != ours, !isReadLate { values.show(now.settable, for: key) }
      }
      compare(key, values)
      return shown[key] == nil && before != nil && ours != nil
    }

    /// Takes in that what a key showed is removed by a raw call.
    mutating func adoptRemoval(of key: String, _ values: inout StoredValues) {
      values.show(nil, for: key)
      behind.remove(key)
    }
  }
#endif
