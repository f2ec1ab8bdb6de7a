#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class, which keeps the memory while the library writes the file.
  final class FileSuite: Backend {
    /// The suite's name; nil for the standard one.
    private let name: String?
    private let memory = SteppedMemory()
    private let preferences: PreferencesSaver
    var saver: (any Saver)? { preferences }
    private var administrator: AdministratorFiles { preferences.administrator }
    let layers = Layer.ofFile
    /// The keys whose change Foundation may have dropped.
    private let dropped: Dropped
    /// Whether Foundation merges its domains for the next read, because something has changed.
    private let isUnmerged = Atomic(false)

    init(_ name: String?, keys: KeyTable) {
      self.name = name
      let shared = SharedUserDefaults(name.flatMap(UserDefaults.init(suiteName:)) ?? .standard)
      let memory = memory
      let dropped = Dropped()
      self.dropped = dropped
      let file = PreferencesFile(suite: name)
      preferences = PreferencesSaver(
        file,
        administrator: AdministratorFiles(layers.compactMap(\.fileSuffix), besides: file) {
          for state in keys.states(of: $1) { state.forgetDecoded() }
        },
        memory: .init(
          put: { objects in
            memory.step {
              for state in keys.states(of: objects.keys) { state.forgetDecoded() }
              for (key, object) in objects { dropped.put(object, key, in: shared.instance) }
            }
          },
          dropped: { dropped.take() },
          contents: { Self.storedObjects(ofSuite: name, in: shared.instance) },
          announce: { for state in keys.states(of: $0) { state.announceChange() } }))
    }

    /// Makes one read before all others: on Linux, first reads of a suite by several threads race.
    func load(_ userDefaults: UserDefaults) {
      // A statically linked program contains only the parts of Foundation that are named. Without
      // this one, Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      SpareDescriptor.keep()
      preferences.load { _ in _ = userDefaults.object(forKey: "") }
    }

    func visibleObject(_ key: String, in userDefaults: UserDefaults) -> Any? {
      if isUnmerged.load(ordering: .relaxed) { isUnmerged.store(false, ordering: .relaxed) }
      return memory.read { userDefaults.object(forKey: key) }
    }

    func objects(_ key: String, at layer: Layer, in userDefaults: UserDefaults)
      -> [PropertyListObject]
    {
      if let suffix = layer.fileSuffix { return administrator.objects(key, suffix) }
      return userDefaults.objects(key, at: layer) {
        userDefaults.storedObject(key, visible: visibleObject(key, in: userDefaults)) {
          // A Boolean of a domain is a number of Foundation's.
          storedObjects(in: userDefaults)[key].map {
            (try? PropertyListObject(validating: $0.object)) ?? $0
          }
        }
      }
    }

    var hidesVisibleObjects: Bool { administrator.hasObjects }

    func storedObjects(in userDefaults: UserDefaults) -> [String: PropertyListObject] {
      Self.storedObjects(ofSuite: name, in: userDefaults)
    }

    private static func storedObjects(
      ofSuite name: String?, in userDefaults: UserDefaults
    ) -> [String: PropertyListObject] {
      // Foundation's name for the domain of the standard suite, once it has been read.
      let domain = userDefaults.persistentDomain(
        forName: name ?? "kCFPreferencesCurrentApplication")
      return (domain ?? [:]).mapValues { PropertyListObject($0) }
    }

    func knownObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      isUnmerged.load(ordering: .relaxed)
        ? preferences.knownObject(key) : objects(key, at: .stored, in: userDefaults).first
    }

    var foreignChanges: Int? { memory.stepCount }

    func noteForeignChange() {
      isUnmerged.store(false, ordering: .relaxed)
    }

    func change(
      _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults
    ) -> Bool? {
      dropped.put(object, key, in: userDefaults)
      isUnmerged.store(true, ordering: .relaxed)
      return nil
    }
  }

  /// Changes that Foundation may have dropped without a word, because it could open no file.
  private final class Dropped: Sendable {
    private let keys = Mutex<Set<String>>([])

    func put(_ object: PropertyListObject?, _ key: String, in userDefaults: UserDefaults) {
      let isTaken = SpareDescriptor.provided { userDefaults.put(object, forKey: key) }
      if !isTaken { keys.withLock { _ = $0.insert(key) } }
    }

    func take() -> Set<String> {
      keys.withLock { keys in
        defer { keys = [] }
        return keys
      }
    }
  }

  extension PreferencesSaver: Saver {
    var path: String { file.path }

    func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String? {
      if let suffix = layer.fileSuffix { return administrator.path(of: object, key, suffix) }
      // What raw calls have put into Foundation's memory is in no file.
      return layer == .stored && knownObject(key) == object ? file.path : nil
    }
  }

  /// Lets reads of a memory that takes one key at a time see several changes as one step.
  private final class SteppedMemory: Sendable {
    /// Odd during a step.
    private let steps = Atomic(0)
    private let stepping = Mutex(())

    /// A number that each step increases.
    var stepCount: Int { steps.load(ordering: .acquiring) }

    func step(_ body: () -> Void) {
      stepping.withLock { _ in
        steps.add(1, ordering: .sequentiallyConsistent)
        body()
        steps.add(1, ordering: .sequentiallyConsistent)
      }
    }

    func read<R>(_ body: () -> R) -> R {
      while true {
        let start = steps.load(ordering: .acquiring)
        if start.isMultiple(of: 2) {
          let result = body()
          if steps.load(ordering: .acquiring) == start { return result }
        } else {
          stepping.withLock { _ in }
        }
      }
    }
  }
#endif
