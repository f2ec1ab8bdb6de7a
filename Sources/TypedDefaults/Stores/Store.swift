internal import Foundation
internal import Synchronization

/// One suite, which may have several `UserDefaults` instances, or one instance of a subclass.
final class Store: Sendable {
  let kind: any StoreKind
  private let states: KeyStates
  private let isLoaded = Atomic(false)
  private let loading = NSLock()
  private let exclusives = Atomic(0)

  init(_ kind: any StoreKind, states: KeyStates = KeyStates()) {
    self.kind = kind
    self.states = states
  }

  func state(of key: String) -> KeyState { states.state(of: key) }

  /// Registers the defaults of declarations, and reports those that conflict with others.
  func declare(_ declarations: some Collection<Declaration>, in userDefaults: UserDefaults) {
    var defaults: [String: Any] = Dictionary(minimumCapacity: declarations.count)
    for declaration in declarations { defaults[declaration.key] = declaration.default?.object }
    if !defaults.isEmpty { kind.register(defaults, in: userDefaults) }
    states.declare(declarations)
  }

  fileprivate func load(_ userDefaults: UserDefaults) {
    guard !isLoaded.load(ordering: .acquiring) else { return }
    DeferredCalls.collecting {
      loading.withLock {
        guard !isLoaded.load(ordering: .relaxed) else { return }
        kind.load(userDefaults)
        isLoaded.store(true, ordering: .releasing)
      }
    }
  }

  /// Makes a change: in memory first, then listeners are told, then the file is saved in the
  /// background. Each change of the library comes by here.
  func change(_ state: KeyState, to object: PropertyListObject?, in userDefaults: UserDefaults) {
    let transaction = Transaction.current(of: self)
    state.exclusively {
      transaction?.note(state, object, in: userDefaults)
      kind.change(state.key, to: object, in: userDefaults, inside: transaction?.id)
      state.forgetReports()
      state.announceChange()
    }
  }

  /// Returns the revision of a key, before its value is read and changed by the method below.
  ///
  /// - Returns: The revision; nil in a store without revisions, and inside a transaction.
  /// - Throws: An issue if it cannot be had now.
  func revision(_ state: KeyState) throws -> Int64? {
    guard Transaction.current(of: self) == nil, let revision = try kind.revision(state.key) else {
      return nil
    }
    // The last decoded value may be older than the revision, if a change is not announced yet.
    state.forgetDecoded()
    return revision
  }

  /// Makes a change, if the key is still at a revision.
  ///
  /// - Returns: Whether it was.
  /// - Throws: An issue if the object cannot be stored now.
  func change(
    _ state: KeyState, to object: PropertyListObject?, ifStillAt revision: Int64
  ) throws -> Bool {
    guard try kind.change(state.key, to: object, ifStillAt: revision) else { return false }
    state.forgetReports()
    state.announceChange()
    return true
  }

  /// Runs a body that the store commits only if nobody else has changed what it used. The store
  /// may run it several times.
  func exclusively<R>(in userDefaults: UserDefaults, _ body: () throws -> R) throws -> R {
    guard let kind = kind as? TellingSubclassStore else {
      return try Transaction.run(in: self, userDefaults, body)
    }
    // So that each read asks the store, which notes it.
    exclusives.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { exclusives.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    return try DeferredCalls.collecting {
      var result: R?
      try kind.subclass.runExclusively {
        result = try Transaction.run(in: self, userDefaults, isSaved: false, body)
      }
      guard let result else { throw DefaultsIssue.notRun }
      return result
    }
  }

  /// Whether a thread runs such a body at present.
  var isExclusive: Bool { exclusives.load(ordering: .relaxed) > 0 }

  /// Returns the states of those keys that have been used.
  func knownStates(of keys: some Sequence<String>) -> [KeyState] { keys.compactMap { states[$0] } }

  /// Returns whether an object that equals the registered default is also stored, or a launch
  /// argument. The registered default may be that of another suite.
  func isStoredToo(_ object: PropertyListObject, _ key: String, in userDefaults: UserDefaults)
    -> Bool
  {
    guard let stored = kind.object(key, at: .stored, in: userDefaults) else { return false }
    // A different stored object is newer than the one that was read, unless an argument hides it.
    return stored == object || kind.object(key, at: .argument, in: userDefaults) != nil
  }
}

// MARK: - The store of an instance

extension Store {
  private struct Instance: @unchecked Sendable {  // Only ever reached under the lock of `known`.
    weak var userDefaults: UserDefaults?
    let store: Store
  }

  private struct Known {
    var suites: [String: Store] = [:]
    var instances: [ObjectIdentifier: Instance] = [:]
    var instancesToTidy = 64
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
      if known.instances.count >= known.instancesToTidy {
        known.instances = known.instances.filter { $0.value.userDefaults != nil }
        known.instancesToTidy = max(64, known.instances.count * 2)
      }
      let store = make(userDefaults, &known.suites)
      known.instances[identifier] = Instance(userDefaults: userDefaults, store: store)
      return store
    }
  }

  /// Chooses the kind of store.
  private static func make(_ userDefaults: UserDefaults, _ suites: inout [String: Store]) -> Store {
    guard type(of: userDefaults) == UserDefaults.self else {
      guard let subclass = userDefaults as? any DefaultsStore else { return Store(SubclassStore()) }
      return Store(
        TellingSubclassStore(subclass: subclass), states: KeyStates(hearsEveryChange: true))
    }
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      // A private property of Foundation holds the name, which is nil for the standard suite.
      let suite = Mirror(reflecting: userDefaults).children.first { $0.label == "suite" }
      guard let name = suite?.value as? String else {
        // Not `is`, which returns false for a nil.
        return suite.map { type(of: $0.value) == String?.self } == true
          ? standard : Store(SystemSuite(isStandard: false))
      }
      if let store = suites[name] { return store }
      let store = ofSuite(name)
      suites[name] = store
      return store
    #else
      return Store(SystemSuite(isStandard: false))
    #endif
  }

  /// - Parameter name: The suite's name; nil for the standard one.
  private static func ofSuite(_ name: String?) -> Store {
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      let states = KeyStates()
      return Store(FileSuite(name, states: states), states: states)
    #else
      return Store(SystemSuite(isStandard: name == nil))
    #endif
  }
}

extension Store {
  /// Tells the listeners of all keys in all stores of Foundation's own class.
  static func announceChangeOfAll() {
    let stores = known.withLock { Array($0.suites.values) + $0.instances.values.map(\.store) }
    // A store may be in the list twice. Its listeners are told once.
    DeferredCalls.collecting {
      for store in stores + [standard] {
        for state in store.states.all { state.announceChange() }
      }
    }
  }
}
