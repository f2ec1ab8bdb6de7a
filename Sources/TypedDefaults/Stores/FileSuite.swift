#if !TYPED_DEFAULTS_PLATFORM_SAVES
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class, which keeps the memory while the library writes the file.
  final class FileSuite: StoreKind {
    /// The suite's name; nil for the standard one.
    private let name: String?
    private let saver: PreferencesSaver

    /// The stored objects at the program's first assignment.
    private let firstStored = Mutex<[String: PropertyListObject]?>(nil)

    init(_ name: String?, states: KeyStates) {
      self.name = name
      saver = Self.saver(ofSuite: name, states: states)
    }

    /// Makes one read before all others: on Linux, first reads of a suite by several threads race.
    func load(_ userDefaults: UserDefaults) {
      // A statically linked program contains only the parts of Foundation that are named. Without
      // this one, Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      saver.load { _ in _ = userDefaults.object(forKey: "") }
      _ = Self.observesDomains
    }

    func object(
      _ key: String, at layer: Layer, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      switch layer {
      case .argument: userDefaults.argument(key)
      case .environment: nil
      case .stored:
        storedObject(key, in: userDefaults) {
          Self.storedObjects(ofSuite: name, in: userDefaults)[key].map(PropertyListObject.init)
        }
      case .registered: UserDefaults.registeredObject(key)
      }
    }

    /// Asks for the objects of all keys once: after a change, Foundation merges all its domains for
    /// the next read.
    func firstStoredObject(_ key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      firstStored.withLock { objects in
        if objects == nil {
          objects = Self.storedObjects(ofSuite: name, in: userDefaults)
            .mapValues { PropertyListObject($0) }
        }
        return objects?[key]
      }
    }

    func change(
      _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
      inside transaction: Transaction.ID?
    ) {
      saver.willChange(key)
      userDefaults.put(object, forKey: key)
      saver.didChange(key, to: object, heldBy: transaction)
    }

    func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {
      saver.end(transaction)
    }

    func flush(_ userDefaults: UserDefaults) throws {
      try saver.flush()
    }

    private static func saver(ofSuite name: String?, states: KeyStates) -> PreferencesSaver {
      let shared = SharedUserDefaults(name.flatMap(UserDefaults.init(suiteName:)) ?? .standard)
      let memory = PreferencesSaver.Memory(
        put: { for (key, object) in $0 { shared.instance.put(object, forKey: key) } },
        contents: {
          storedObjects(ofSuite: name, in: shared.instance).mapValues { PropertyListObject($0) }
        },
        announce: { keys in
          // Of those, too, that nobody has asked for: they keep that somebody else has changed them.
          for key in keys { states.state(of: key).announceChange() }
        })
      return PreferencesSaver(PreferencesFile(suite: name), memory: memory)
    }

    /// Linux posts this only when a whole domain is set or removed.
    private static let observesDomains: Void = {
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil
      ) { notification in
        if !(notification.object is MemoryUserDefaults) { SaveScheduler.markMemory() }
      }
    }()

    private static func storedObjects(
      ofSuite name: String?, in userDefaults: UserDefaults
    ) -> [String: Any] {
      // Foundation's name for the domain of the standard suite, once it has been read.
      userDefaults.persistentDomain(forName: name ?? "kCFPreferencesCurrentApplication") ?? [:]
    }
  }
#endif
