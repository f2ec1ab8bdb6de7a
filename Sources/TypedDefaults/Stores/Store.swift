internal import Foundation
internal import Synchronization

/// A place where settings are kept: one suite, however many `UserDefaults` instances stand for it, or
/// one instance of a subclass.
final class Store: Sendable {
  private enum Kind {
    /// Foundation's own class, with the suite's name: nil for the standard one.
    case suite(String?)
    /// Foundation's own class, where the platform does not tell the suite.
    case unnamedSuite
    /// A subclass, which alone knows what it does.
    case custom
  }

  private let kind: Kind
  private let states = KeyStates()
  private let isLoaded = Atomic(false)
  private let loading = NSLock()

  #if !canImport(Darwin)
    /// What saves the changes, if the platform does not, and tells where they are to be saved.
    let saver: PreferencesSaver?
  #endif

  private init(_ kind: Kind) {
    self.kind = kind
    #if !canImport(Darwin)
      saver =
        if case .suite(let name) = kind { .ofSuite(name, states: states) } else { nil }
    #endif
  }

  /// A store by itself, for a subclass that keeps its own.
  static func standalone() -> Store { Store(.custom) }

  /// Whether it is a subclass of `UserDefaults` that keeps the values.
  var isCustom: Bool {
    if case .custom = kind { true } else { false }
  }

  func state(of key: String) -> KeyState {
    states.state(of: key, registration: isCustom ? RegisteredDefaults() : .named(key))
  }

  /// Called before a key's memory changes. The caller holds the key's lock, until after `didChange`.
  func willChange(_ key: String) {
    #if !canImport(Darwin)
      saver?.willChange(key)
    #endif
  }

  /// Called when a key's memory has changed, to have the change saved.
  func didChange(_ key: String, to object: PropertyListObject?) {
    #if !canImport(Darwin)
      saver?.didChange(key, to: object)
      if case .unnamedSuite = kind { SaveScheduler.synchronizeAtExit() }
    #endif
  }

  /// Makes Foundation read the file: on Linux the first reads of a suite race if several threads make
  /// them at once, so one is made before the others.
  private func load(_ userDefaults: UserDefaults) {
    guard case .suite = kind, !isLoaded.load(ordering: .acquiring) else { return }
    DeferredCalls.collecting {
      loading.withLock {
        guard !isLoaded.load(ordering: .relaxed) else { return }
        #if canImport(Darwin)
          _ = userDefaults.object(forKey: "")
        #else
          // Named here, because a program that is linked statically has no other part of Foundation
          // than those that are named, and without this one Foundation's `set` of an array traps.
          _ = [Any]()._bridgeToObjectiveC()
          saver?.load { _ = userDefaults.object(forKey: "") }
        #endif
        isLoaded.store(true, ordering: .releasing)
      }
    }
  }
}

// MARK: - The store of an instance

extension Store {
  private struct Instance: @unchecked Sendable {  // Only ever reached under the lock of `known`.
    weak var userDefaults: UserDefaults?
    let store: Store
  }

  private struct Known {
    var suites: [String?: Store] = [:]
    var instances: [ObjectIdentifier: Instance] = [:]
    var instancesToTidy = 64
  }

  private static let known = Mutex(Known())

  private static let standard = Store(.suite(nil))

  static func of(_ userDefaults: UserDefaults) -> Store {
    let store = known(userDefaults)
    store.load(userDefaults)
    return store
  }

  private static func known(_ userDefaults: UserDefaults) -> Store {
    if userDefaults === UserDefaults.standard { return standard }
    if let inMemory = userDefaults as? InMemoryUserDefaults { return inMemory.store }
    nonisolated(unsafe) let userDefaults = userDefaults
    return known.withLock { known in
      // An address may be that of an instance which is gone.
      let identifier = ObjectIdentifier(userDefaults)
      if let instance = known.instances[identifier], instance.userDefaults === userDefaults {
        return instance.store
      }
      if known.instances.count >= known.instancesToTidy {
        known.instances = known.instances.filter { $0.value.userDefaults != nil }
        known.instancesToTidy = max(64, known.instances.count * 2)
      }
      let kind = kind(of: userDefaults)
      var store = Store(kind)
      if case .suite(let name) = kind {
        store = name == nil ? standard : known.suites[name] ?? store
        known.suites[name] = store
      }
      known.instances[identifier] = Instance(userDefaults: userDefaults, store: store)
      return store
    }
  }
}

extension Store {
  /// Tells the listeners of every key of every store.
  static func announceChangeOfAll() {
    let stores = known.withLock { Array($0.suites.values) + $0.instances.values.map(\.store) }
    // Most are named twice, and told once.
    DeferredCalls.collecting {
      for store in stores + [standard] {
        for state in store.states.all { state.announceChange() }
      }
    }
  }
}

extension UserDefaults {
  /// Sets or removes what is stored under a key.
  func put(_ object: PropertyListObject?, forKey key: String) {
    if let object {
      set(object.object, forKey: key)
    } else {
      removeObject(forKey: key)
    }
  }
}

// MARK: - What lies beneath `object(forKey:)`

extension Store {
  /// Whether an object that `object(forKey:)` returned is not just a registered default.
  func isStored(_ object: PropertyListObject, key: String, in userDefaults: UserDefaults) -> Bool {
    if let inMemory = userDefaults as? InMemoryUserDefaults { return inMemory.isStored(key) }
    if isCustom { return true }
    guard object == Self.registeredObject(key: key, in: userDefaults) else { return true }
    // What is stored equals what somebody registered, or nothing is stored. Where the platform does
    // not tell which, what is stored must not be hidden.
    if case .unnamedSuite = kind { return true }
    guard let stored = storedObject(key: key, in: userDefaults) else { return false }
    // Another one was stored after the object was read, unless a launch argument hides it.
    return stored == object
      || userDefaults.volatileDomain(forName: UserDefaults.argumentDomain)[key] != nil
  }

  #if canImport(Darwin)
    private static func kind(of userDefaults: UserDefaults) -> Kind {
      if userDefaults === UserDefaults.standard { return .suite(nil) }
      return type(of: userDefaults) == UserDefaults.self ? .unnamedSuite : .custom
    }

    private static func registeredObject(
      key: String, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      userDefaults.volatileDomain(forName: UserDefaults.registrationDomain)[key]
        .map(PropertyListObject.init)
    }

    /// What is stored, beneath launch arguments and without registered defaults.
    func storedObject(key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      guard case .suite(nil) = kind else { return nil }
      return CFPreferencesCopyAppValue(key as CFString, kCFPreferencesCurrentApplication)
        .map(PropertyListObject.init)
    }
  #else
    private static func kind(of userDefaults: UserDefaults) -> Kind {
      guard type(of: userDefaults) == UserDefaults.self else { return .custom }
      // The name is a private property of Foundation's, and `Any?` inside `Any?` to a mirror.
      guard let suite = Mirror(reflecting: userDefaults).descendant("suite") as? String? else {
        return .unnamedSuite
      }
      return .suite(suite)
    }

    /// A suite in which nothing is ever stored and which looks past launch arguments: what it returns
    /// is registered.
    private nonisolated(unsafe) static let empty: UserDefaults = {
      let userDefaults = UserDefaults(suiteName: "TypedDefaults.empty")!
      userDefaults.removeVolatileDomain(forName: UserDefaults.argumentDomain)
      _ = userDefaults.object(forKey: "")
      return userDefaults
    }()

    private static func registeredObject(
      key: String, in userDefaults: UserDefaults
    ) -> PropertyListObject? {
      empty.object(forKey: key).map(PropertyListObject.init)
    }

    /// What is stored, beneath launch arguments and without registered defaults.
    func storedObject(key: String, in userDefaults: UserDefaults) -> PropertyListObject? {
      guard case .suite(let name) = kind else { return nil }
      return Self.storedObjects(ofSuite: name, in: userDefaults)[key].map(PropertyListObject.init)
    }

    static func storedObjects(
      ofSuite name: String?, in userDefaults: UserDefaults
    ) -> [String: Any] {
      // The standard suite's domain bears this name in Foundation's memory once it has been read.
      userDefaults.persistentDomain(forName: name ?? "kCFPreferencesCurrentApplication") ?? [:]
    }
  #endif
}
