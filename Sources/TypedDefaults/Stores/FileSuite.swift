#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class, which has a copy of all stored values, while the library
  /// writes the file.
  final class FileSuite: MemoryBackend, @unchecked Sendable {
    /// The name of the suite's domain.
    private let domain: String
    private let suite: SendableDefaults
    /// The keys whose change Foundation may have dropped.
    private let dropped = Dropped()
    /// Whether Foundation merges its domains for the next read, because something has changed.
    private let isUnmerged = Atomic(false)
    /// Odd while several keys change in one step.
    private let steps = Atomic(0)

    /// - Parameter name: The suite's name; nil for the standard one.
    init(_ name: String?) {
      // Foundation's name for the domain of the standard suite, once it has been read.
      domain = name ?? "kCFPreferencesCurrentApplication"
      suite = SendableDefaults(name.flatMap(UserDefaults.init(suiteName:)) ?? .standard)
      super.init(layers: Layer.ofFile)
      let (suite, domain, dropped) = (suite, domain, dropped)
      makeSaver(
        PreferencesFile(suite: name),
        contents: { Self.objects(ofDomain: domain, in: suite.instance) },
        dropped: { dropped.take() },
        show: { [weak self] in self?.show($0, $1) })
    }

    override var hearsEveryChange: Bool { false }

    /// Makes one read before all others: on Linux, first reads of a suite by several threads race.
    override func load(_ userDefaults: UserDefaults) {
      // A statically linked program contains only the parts of Foundation that are named. Without
      // this one, Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      SpareDescriptor.keep()
      saver?.load { _ = userDefaults.object(forKey: "") }
    }

    override func register(_ defaults: [String: Any], in userDefaults: UserDefaults) {
      userDefaults.register(defaults: defaults)
    }

    // MARK: Reading

    override func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
      if isUnmerged.load(ordering: .relaxed) { isUnmerged.store(false, ordering: .relaxed) }
      while true {
        let step = steps.load(ordering: .acquiring)
        if step.isMultiple(of: 2) {
          let object = userDefaults.object(forKey: key)
          if steps.load(ordering: .acquiring) == step { return object }
        } else {
          memory.values.withLock { _ in }
        }
      }
    }

    override func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
      -> [PropertyListObject]
    {
      if layer.fileSuffix != nil { return super.objects(key, at: layer, in: userDefaults) }
      return userDefaults.objects(key, at: layer) {
        userDefaults.storedObject(key, visible: visibleObject(key, in: userDefaults)) {
          // A Boolean of a domain is a number of Foundation's.
          storedObjects(in: userDefaults)[key]?.settable
        }
      }
    }

    override var hidesVisibleObjects: Bool { saver?.administrator.hasObjects == true }

    override func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
      memory.values.withLock { _ in Self.objects(ofDomain: domain, in: userDefaults) }
    }

    private static func objects(
      ofDomain domain: String, in userDefaults: UserDefaults
    ) -> [String: PropertyListObject] {
      (userDefaults.persistentDomain(forName: domain) ?? [:]).mapValues { PropertyListObject($0) }
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

    override func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      isUnmerged.load(ordering: .relaxed)
        ? memory[key] : objects(key, at: .stored, in: userDefaults).first
    }

    override func noteForeignChange() {
      isUnmerged.store(false, ordering: .relaxed)
    }

    // MARK: Changing

    override func change(
      _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
      in userDefaults: UserDefaults
    ) -> Bool? {
      memory.values.withLock { values in
        if let token, !values.holders.contains(token) {
          // An undone transaction does not change them back.
          for (key, object) in rawChanges(of: values) { values.show(object, for: key) }
        }
        values.set(state.key, to: object, heldBy: token)
        dropped.put(object, state.key, in: userDefaults)
      }
      isUnmerged.store(true, ordering: .relaxed)
      if token == nil { saver?.schedule() }
      return nil
    }

    /// Returns what raw calls have changed.
    private func rawChanges(of values: StoredValues) -> StoredValues.Objects {
      let (present, shown) = (Self.objects(ofDomain: domain, in: suite.instance), values.objects)
      var changes: StoredValues.Objects = [:]
      for key in Set(present.keys).union(shown.keys) where present[key] != shown[key] {
        changes[key] = .some(present[key]?.settable)
      }
      return changes
    }

    override func drop(_ token: Token, of _: KeyTable, in userDefaults: UserDefaults) -> [String] {
      memory.values.withLock { values in
        let (present, old) = (Self.objects(ofDomain: domain, in: suite.instance), values)
        // What came by no call of the library is kept.
        let shown = values.drop(token).filter { present[$0] == old[$0] }
        show(shown, values)
        return shown
      }
    }

    /// Sets keys of Foundation's memory to what the values hold, in one step. Called under their lock.
    private func show(_ keys: [String], _ values: StoredValues) {
      steps.add(1, ordering: .sequentiallyConsistent)
      forgetDecoded(keys)
      for key in keys { dropped.put(values[key], key, in: suite.instance) }
      steps.add(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Changes that Foundation may have dropped without a word, because it could open no file.
  private final class Dropped: Sendable {
    private let keys = Mutex<Set<String>>([])

    func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults) {
      let isTaken = SpareDescriptor.provided { userDefaults.put(object, forKey: key) }
      if !isTaken { keys.withLock { _ = $0.insert(key) } }
    }

    func take() -> [String] {
      keys.withLock { keys in
        defer { keys = [] }
        return Array(keys)
      }
    }
  }
#endif
