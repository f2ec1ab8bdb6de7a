#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class. All that is set is set there, too, while the library keeps the
  /// stored values and writes the file. What raw calls have set there is adopted when it is seen.
  final class FileSuite: MemoryBackend, @unchecked Sendable {
    /// The name of the suite's domain.
    private let domain: String
    private let suite: SendableDefaults
    /// The keys whose change Foundation has not taken. Protected by the lock of the values.
    private var untaken: Set<String> = []
    /// Whether something is set there since the last read, for which Foundation merges its domains, or
    /// is not taken.
    private let isUnread = Atomic(false)

    /// - Parameter name: The suite's name; nil for the standard one.
    init(_ name: String?) {
      // Foundation's name for the domain of the standard suite, once it has been read.
      domain = name ?? "kCFPreferencesCurrentApplication"
      suite = SendableDefaults(name.flatMap(UserDefaults.init(suiteName:)) ?? .standard)
      super.init(layers: Layer.ofFile)
      makeSaver(
        PreferencesFile(suite: name),
        contents: { [weak self] in self?.present(besides: $0) ?? [:] },
        show: { [weak self] in self?.show($0, $1) })
    }

    override var hearsEveryChange: Bool { false }

    /// Makes one read before all others: on Linux, first reads of a suite by several threads race.
    override func load(_ userDefaults: UserDefaults) {
      // A statically linked program contains only the parts of Foundation that are named. Without
      // this one, Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      saver?.load { _ = userDefaults.object(forKey: "") }
    }

    override func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
      userDefaults.register(defaults: defaults)
    }

    // MARK: Reading

    override func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
      if isUnread.load(ordering: .relaxed), !takes(key) {
        let object =
          userDefaults.argument(key) ?? memory[key] ?? UserDefaults.registeredObject(key)
        return object?.object
      }
      return userDefaults.object(forKey: key)
    }

    /// Returns whether Foundation has taken what a key was set to, or does so now.
    private func takes(_ key: String) -> Bool {
      memory.values.withLock { values in
        isUnread.store(false, ordering: .relaxed)
        if !untaken.isEmpty { mirror([], values, in: suite.instance) }
        return !untaken.contains(key)
      }
    }

    override func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
      -> [PropertyListObject]
    {
      if layer.fileSuffix != nil { return super.objects(key, at: layer, in: userDefaults) }
      return userDefaults.objects(key, at: layer) {
        memory.values.withLock { storedObject(key, &$0, in: userDefaults) }
      }
    }

    /// Returns the object that Foundation shows as stored, and adopts it if it is another one. An object
    /// of another domain that the program has added counts as stored.
    private func storedObject(
      _ key: String, _ values: inout StoredValues, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      let known = values[key]
      if untaken.contains(key) { return known }
      let visible = userDefaults.object(forKey: key).map(PropertyListObject.init)
      let mayHide = userDefaults.mayHide(key, visible)
      if visible == known, !mayHide { return known }
      // A Boolean of a domain is a number of Foundation's.
      var object = objectsOfDomain[key]
      if object == visible { object = visible }
      if object != known { values.show(object?.settable, for: key) }
      return values[key] ?? (mayHide ? nil : visible)
    }

    override func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      memory.values.withLock { values in
        let isKnown = isUnread.load(ordering: .relaxed) && !values.isMarked
        return isKnown ? values[key] : storedObject(key, &values, in: userDefaults)
      }
    }

    override func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
      memory.values.withLock { values in
        adoptRawChanges(&values)
        return values.objects
      }
    }

    private var objectsOfDomain: [String: PropertyListObject] {
      (suite.instance.persistentDomain(forName: domain) ?? [:]).mapValues { PropertyListObject($0) }
    }

    /// Returns what Foundation's memory holds, or would hold.
    private func present(besides values: StoredValues) -> [String: PropertyListObject] {
      var objects = objectsOfDomain
      for key in untaken { objects[key] = values[key] }
      return objects
    }

    override func copy(
      of keys: () -> Set<String>, with tokens: [Token], in userDefaults: UserDefaults
    )
      -> MemoryBackend
    {
      let arguments = userDefaults.volatileDomain(forName: UserDefaults.argumentDomain)
      let stored = memory.values.withLock { values in
        var copy = values.committed(with: tokens)
        for (key, object) in rawChanges(of: values) { copy.show(object, for: key) }
        return copy
      }
      return copy(of: stored, arguments: arguments.mapValues { PropertyListObject($0) })
    }

    // MARK: Changing

    override func change(
      _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
      in userDefaults: UserDefaults
    ) -> Bool? {
      memory.values.withLock { values in
        if let token, !values.holders.contains(token) {
          // An undone transaction does not change them back.
          adoptRawChanges(&values)
        }
        values.set(state.key, to: object, heldBy: token)
        mirror([state.key], values, in: userDefaults)
      }
      if token == nil { saver?.schedule() }
      return nil
    }

    private func adoptRawChanges(_ values: inout StoredValues) {
      for (key, object) in rawChanges(of: values) { values.show(object, for: key) }
    }

    /// Returns what raw calls have changed.
    private func rawChanges(of values: StoredValues) -> StoredValues.Objects {
      let (present, shown) = (present(besides: values), values.objects)
      var changes: StoredValues.Objects = [:]
      for key in Set(present.keys).union(shown.keys) where present[key] != shown[key] {
        changes[key] = .some(present[key]?.settable)
      }
      return changes
    }

    override func drop(_ token: Token, of _: KeyTable, in userDefaults: UserDefaults) -> [String] {
      memory.values.withLock { values in
        // What came by no call of the library is kept.
        let raw = rawChanges(of: values)
        let shown = values.drop(token).filter { !raw.keys.contains($0) }
        for (key, object) in raw { values.show(object, for: key) }
        show(shown, values)
        return shown
      }
    }

    /// Sets keys of Foundation's memory to what the values hold, in one step. Called under their lock.
    private func show(_ keys: [String], _ values: StoredValues) {
      mirror(keys, values, in: suite.instance)
      // Last: a read that finds one of them new waits for the lock and reads again.
      forgetDecoded(keys)
    }

    /// Sets keys of Foundation's memory to what the values hold, and those that it has not taken before.
    /// Called under their lock.
    private func mirror(
      _ keys: [String], _ values: StoredValues, in userDefaults: UserDefaults
    ) {
      isUnread.store(true, ordering: .relaxed)
      // To set a key Foundation opens a file, and does nothing if it cannot.
      guard FileDescriptor.isOneFree else { return untaken.formUnion(keys) }
      for key in keys { userDefaults.mirror(values[key], forKey: key) }
      for key in untaken { userDefaults.mirror(values[key], forKey: key) }
      untaken = []
    }
  }
#endif
