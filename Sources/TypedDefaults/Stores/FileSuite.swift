#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class. All that is set is set there, too, while the library keeps the
  /// stored values and writes the file. What raw calls have set there is adopted when it is seen.
  final class FileSuite: MemoryBackend, @unchecked Sendable {
    /// The name of the suite's domain.
    let domain: String
    let suite: SendableDefaults
    // Protected by the lock of the values, as all below.
    var mirror = FoundationMirror()
    var isLoaded = false
    /// What showed nothing any more at a notification, while the file is not read.
    var missing: Set<String> = []
    /// Whether something is set since the last look, for which Foundation merges its domains.
    var hasUnseenSet = false
    /// When the keys that are behind may be set again.
    private var retryTime = ContinuousClock.now

    /// - Parameter name: The suite's name; nil for the standard one.
    init(_ name: String?) {
      // Foundation's name for the domain of the standard suite, once it has been read.
      domain = name ?? "kCFPreferencesCurrentApplication"
      suite = SendableDefaults(name.flatMap(UserDefaults.init(suiteName:)) ?? .standard)
      super.init(layers: Layer.ofFile)
      makeSaver(PreferencesFile(suite: name))
    }

    override var hearsEveryChange: Bool { false }

    /// Makes one read before all others: on Linux, first reads of a suite by several threads race.
    override func load(_ userDefaults: UserDefaults) {
      // A statically linked program contains only the parts of Foundation that are named. Without
      // this one, Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      saver?.load {
        _ = userDefaults.object(forKey: "")
        self.memory.values.withLock { values in
          self.lookFirst(&values, in: userDefaults)
        }
      }
    }

    override func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
      userDefaults.register(defaults: defaults)
    }

    // MARK: Reading

    override func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
      userDefaults.object(forKey: key)
    }

    override func isPlain(
      _ visible: PropertyListObject?, _ key: String, isDefault: Bool, in userDefaults: UserDefaults
    ) -> Bool {
      let isOurs = memory.values.withLock { values in
        hasUnseenSet = false
        if isDefault, mirror.shown[key] == nil, values[key] == nil { return true }
        // To compare a collection each time would take a fifth of its read.
        let areCollections = visible?.isScalar == false && mirror.shown[key]?.isScalar == false
        if areCollections, !isDefault, !mirror.behind.contains(key) { return true }
        // Another thread may have changed it since it was read.
        let present =
          visible == mirror.shown[key]
          ? visible : userDefaults.object(forKey: key).map(PropertyListObject.init)
        adopt(present, key, &values, in: userDefaults)
        defer { setAgain(&values, in: userDefaults) }
        return present == visible && !mirror.behind.contains(key)
      }
      guard isOurs, let visible, !isDefault else { return isOurs }
      return visible != UserDefaults.registeredObject(key) || visible == memory[key]
    }

    override func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
      -> [PropertyListObject]
    {
      if layer.fileSuffix != nil { return super.objects(key, at: layer, in: userDefaults) }
      return userDefaults.objects(key, at: layer) {
        memory.values.withLock { storedObject(key, &$0, in: userDefaults) }
      }
    }

    /// Returns the stored object, once what raw calls have changed is adopted. An object of another
    /// domain that the program has added is stored, too.
    private func storedObject(
      _ key: String, _ values: inout StoredValues, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      hasUnseenSet = false
      let visible = look(at: key, &values, in: userDefaults)
      let isBehind = mirror.behind.contains(key)
      setAgain(&values, in: userDefaults)
      return values[key] ?? (isBehind || userDefaults.mayHide(key, visible) ? nil : visible)
    }

    override func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      memory.values.withLock { values in
        hasUnseenSet ? values[key] : storedObject(key, &values, in: userDefaults)
      }
    }

    override func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
      memory.values.withLock { values in
        adoptRawChanges(&values, in: userDefaults)
        return values.objects
      }
    }

    override func copy(
      of keys: Set<String>, with tokens: [Token], in userDefaults: UserDefaults
    )
      -> MemoryBackend
    {
      let arguments = userDefaults.volatileDomain(forName: UserDefaults.argumentDomain)
      return memory.values.withLock { values in
        adoptRawChanges(&values, in: userDefaults)
        return copy(
          of: values.committed(with: tokens),
          arguments: arguments.mapValues { PropertyListObject($0) })
      }
    }

    // MARK: What the file tells

    /// Returns the keys of which Foundation has written what it took last.
    override func staleKeys(
      of file: PreferencesContents, isWrittenInPlace: Bool, _ values: inout StoredValues
    ) -> [String] {
      // As Foundation writes its files, while the library and most others replace them.
      guard isWrittenInPlace else { return [] }
      for key in mirror.behind { look(at: key, &values, in: suite.instance) }
      return mirror.staleKeys(of: file, values)
    }

    /// Makes keys show what the file holds. What both it and Foundation have lost is removed by a call for a
    /// whole domain, and is not saved by a save that is under way.
    ///
    /// - Parameter keys: Nil if the file is as it was.
    override func showFile(_ keys: [String]?, _ values: inout StoredValues) {
      var missing = missing
      let unsaved = keys == nil ? [] : values.unsavedKeys
      let domain = unsaved.isEmpty ? nil : readDomain()
      for key in unsaved {
        let visible = suite.instance.object(forKey: key).map(PropertyListObject.init)
        let isGone =
          mirror.shown[key] != nil && mirror.refused[key] == nil
          && sight(of: key, visible, in: domain!, suite.instance) == .nothing
        if isGone || values[key] == nil { missing.insert(key) }
      }
      for key in missing where values.file[key] == nil {
        values.forgetRemoved(key)
        mirror.note(nil, key, values)
        // The registered default may be what showed before.
        forgetDecoded(CollectionOfOne(key))
      }
      mirror.noteRead()
      if let keys { show(keys, values) }
    }

    // MARK: Changing

    override func change(
      _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
      in userDefaults: UserDefaults
    ) -> Bool {
      let key = state.key
      let isDifferent = memory.values.withLock { values in
        if let token, !values.holders.contains(token) {
          // An undone transaction does not change them back.
          adoptRawChanges(&values, in: userDefaults)
        } else if !hasUnseenSet {
          // What a read has found is what the change is compared with.
          _ = storedObject(key, &values, in: userDefaults)
        }
        let isDifferent = values.set(key, to: object, heldBy: token)
        set([key], values, in: userDefaults)
        return isDifferent
      }
      if token == nil { saver?.schedule() }
      return isDifferent
    }

    override func drop(_ token: Token, of _: KeyTable, in userDefaults: UserDefaults) -> [String] {
      memory.values.withLock { values in
        // What came by no call of the library is kept.
        let raw = adoptRawChanges(&values, in: userDefaults).map { ($0, values[$0]) }
        let shown = Set(values.drop(token)).subtracting(raw.map(\.0))
        for (key, object) in raw { values.show(object, for: key) }
        show(Array(shown), values)
        return Array(shown)
      }
    }

    /// Makes keys show what the values hold, in one step. Called under their lock, as all below.
    private func show(_ keys: [String], _ values: StoredValues) {
      set(keys, values, in: suite.instance)
      // Last: a read that finds one of them new waits for the lock and reads again.
      forgetDecoded(keys)
    }

    /// Sets keys of Foundation's memory to what the values hold.
    private func set(
      _ keys: some Collection<String>, _ values: StoredValues, in userDefaults: UserDefaults
    ) {
      if keys.isEmpty { return }
      hasUnseenSet = true
      // To set a key, Foundation opens its file.
      let isTaken = SystemError.opens(saver!.file.path) {
        for key in keys { userDefaults.mirror(values[key], forKey: key) }
      }
      for key in keys {
        if !isTaken { mirror.refuse(values[key], key) }
        var isShown = isTaken && values[key]?.isDeeper() != true
        // Of a key that showed nothing, the next look could not tell whether the change is not taken, or
        // removed by a raw call: after a first read that failed, Foundation takes none.
        if mirror.refused[key] != nil || mirror.shown[key] == nil && values[key] != nil {
          let visible = userDefaults.object(forKey: key).map(PropertyListObject.init)
          isShown = values[key] == visible && !userDefaults.mayHide(key, visible)
        }
        if isShown { mirror.note(values[key], key, values, isProof: isTaken) }
        if !isShown { mirror.compare(key, values) }
      }
    }

    /// Sets what Foundation has not taken again, at most once a second.
    private func setAgain(_ values: inout StoredValues, in userDefaults: UserDefaults) {
      guard !mirror.behind.isEmpty, retryTime <= .now else { return }
      retryTime = .now + .seconds(1)
      let behind = mirror.behind
      for key in behind { look(at: key, &values, in: userDefaults) }
      set(mirror.behind, values, in: userDefaults)
      for key in behind { look(at: key, &values, in: userDefaults) }
    }
  }
#endif
