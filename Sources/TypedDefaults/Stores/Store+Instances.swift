internal import Foundation
internal import Synchronization

// MARK: - The store of an instance

extension Store {
  private struct Instance: @unchecked Sendable {  // Only ever reached under the lock of `known`.
    weak var userDefaults: UserDefaults?
    let store: Store
  }

  private struct Known {
    var suites: [String: Store] = [:]
    var instances: [ObjectIdentifier: Instance] = [:]
  }

  private static let known = Mutex(Known())

  private static let standard = ofSuite(nil)

  static func of(_ userDefaults: UserDefaults) -> Store {
    let store = known(userDefaults)
    store.load(userDefaults)
    return store
  }

  private static func known(_ userDefaults: UserDefaults) -> Store {
    if userDefaults === UserDefaults.standard { return standard }
    if type(of: userDefaults) == MemoryUserDefaults.self {
      return unsafeDowncast(userDefaults, to: MemoryUserDefaults.self).store
    }
    return known.withLock { known in
      // The address may have belonged to an instance that is released.
      let identifier = ObjectIdentifier(userDefaults)
      if let instance = known.instances[identifier], instance.userDefaults === userDefaults {
        return instance.store
      }
      known.instances = known.instances.filter { $0.value.userDefaults != nil }
      let store = make(userDefaults, &known.suites)
      known.instances[identifier] = Instance(userDefaults: userDefaults, store: store)
      return store
    }
  }

  /// Chooses the kind of store.
  private static func make(_ userDefaults: UserDefaults, _ suites: inout [String: Store]) -> Store {
    guard type(of: userDefaults) == UserDefaults.self else {
      return Store(SubclassBackend(userDefaults))
    }
    #if !canImport(Darwin)
      // A private property of Foundation holds the name, which is nil for the standard suite.
      let suite = Mirror(reflecting: userDefaults).children.first { $0.label == "suite" }
      guard let name = suite?.value as? String else {
        // Not `is`, which returns false for a nil.
        return suite.map { type(of: $0.value) == String?.self } == true
          ? standard : Store(SystemSuite(name: .unknown))
      }
      if let store = suites[name] { return store }
      let store = ofSuite(name)
      suites[name] = store
      return store
    #else
      return Store(SystemSuite(name: .unknown))
    #endif
  }

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    /// Notes the name of a suite, which an instance does not tell on Apple platforms.
    static func note(_ userDefaults: UserDefaults, suite name: String) {
      known.withLock { known in
        let store = known.suites[name] ?? ofSuite(name)
        known.suites[name] = store
        known.instances[ObjectIdentifier(userDefaults)] = Instance(
          userDefaults: userDefaults, store: store)
      }
    }
  #endif

  /// - Parameter name: The suite's name; nil for the standard one.
  private static func ofSuite(_ name: String?) -> Store {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      let suite = FileSuite(name)
      return Store(suite, keys: suite.keys)
    #else
      return Store(SystemSuite(name: name.map { .named($0) } ?? .standard))
    #endif
  }
}

#if !TYPED_DEFAULTS_PLATFORM_SAVES
  extension Store {
    /// Tells the listeners of all keys in all stores of Foundation's own class.
    static func announceChangeOfAll() {
      let standard = standard
      let (suites, others) = known.withLock {
        (Array($0.suites.values) + [standard], $0.instances.values.map(\.store))
      }
      // First of all, because listeners read.
      for suite in suites { (suite.backend as? FileSuite)?.hearNotification() }
      // A store may be in the list twice. Its listeners are told once.
      DeferredCalls.collecting {
        for store in suites + others {
          for state in store.keys.all { state.announceChange() }
        }
      }
    }
  }
#endif
