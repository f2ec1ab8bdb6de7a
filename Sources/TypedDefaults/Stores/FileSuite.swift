#if os(Linux) || os(Android)
  internal import Foundation
  internal import Synchronization

  /// A suite of Foundation's own class, whose memory is the truth and whose file the library writes.
  final class FileSuite: StoreKind {
    /// The suite's name; nil for the standard one.
    private let name: String?
    private let saver: PreferencesSaver

    /// Everything that was stored when the program first assigned a setting.
    private let firstStored = Mutex<[String: PropertyListObject]?>(nil)

    init(_ name: String?, states: KeyStates) {
      self.name = name
      saver = .ofSuite(name, states: states)
    }

    /// On Linux the first reads of a suite race if several threads make them at once, so one is made
    /// before the others.
    func load(_ userDefaults: UserDefaults) {
      // Named here, because a program that is linked statically has no other part of Foundation than
      // those that are named, and without this one Foundation's `set` of an array traps.
      _ = [Any]()._bridgeToObjectiveC()
      saver.load { _ in _ = userDefaults.object(forKey: "") }
    }

    func object(
      _ key: String, at layer: Layer, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      switch layer {
      case .argument: userDefaults.argument(key)
      case .environment: nil
      case .stored:
        visibleStoredObject(key, in: userDefaults)
          ?? Self.storedObjects(ofSuite: name, in: userDefaults)[key].map(PropertyListObject.init)
      case .registered: UserDefaults.registeredObject(key)
      }
    }

    /// Foundation merges its domains anew for the first read after a change, however many keys they hold, so
    /// they are not asked for each key.
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
      saver.didChange(key, to: object, inside: transaction)
    }

    func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {
      saver.end(transaction)
    }

    func flush(_ userDefaults: UserDefaults) throws {
      try saver.flush()
    }

    static func storedObjects(
      ofSuite name: String?, in userDefaults: UserDefaults
    ) -> [String: Any] {
      // The standard suite's domain bears this name in Foundation's memory once it has been read.
      userDefaults.persistentDomain(forName: name ?? "kCFPreferencesCurrentApplication") ?? [:]
    }
  }
#endif
