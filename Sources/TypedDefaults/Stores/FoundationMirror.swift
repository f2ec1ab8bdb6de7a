#if !TYPED_DEFAULTS_PLATFORM_SAVES
  /// What Foundation's memory showed of the stored values when it was last looked at.
  ///
  /// Where its file cannot be opened, Foundation takes no change, or forgets what it had, and says so nowhere. So
  /// only a difference to what it showed before is a raw change: neither a call that returned nor an
  /// absence proves anything.
  struct FoundationMirror {
    /// What a look finds to be stored.
    enum Sight: Equatable {
      /// - Parameter isHidden: Whether an argument hides it, beneath which a set may not be taken.
      case object(PropertyListObject, isHidden: Bool = false)
      case nothing
      /// What is stored lies beneath an argument, or may be the registered default.
      case unknown
    }

    private(set) var shown: [String: PropertyListObject] = [:]
    /// The keys that are not known to show what the values hold.
    private(set) var behind: Set<String> = []

    /// Notes that a key showed what the values hold, as if it had been looked at.
    mutating func assume(_ object: PropertyListObject?, _ key: String) {
      shown[key] = object
    }

    /// Notes that a key is set to what the values hold.
    mutating func noteSet(_ key: String, _ values: StoredValues) {
      if shown[key] != values[key] { behind.insert(key) } else { behind.remove(key) }
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
      noteSet(key, values)
      return shown[key] == nil && before != nil && ours != nil
    }

    /// Takes in that what a key showed is removed by a raw call.
    mutating func adoptRemoval(of key: String, _ values: inout StoredValues) {
      values.show(nil, for: key)
      behind.remove(key)
    }

    /// Whether what a domain lacks is removed from it: it has what is shown of another key.
    func believes(_ domain: [String: PropertyListObject]) -> Bool {
      domain.contains { shown[$0] == $1 }
    }
  }
#endif
