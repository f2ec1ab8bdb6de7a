internal import Foundation
internal import Synchronization

/// A store with its own memory, which may be saved.
final class MemoryStore: StoreKind {
  private struct Contents {
    var arguments: [String: PropertyListObject] = [:]
    var stored: [String: PropertyListObject] = [:]
    var registered: [String: PropertyListObject] = [:]

    func visible(_ key: String) -> (object: PropertyListObject, layer: Layer)? {
      if let object = arguments[key] { return (object, .argument) }
      if let object = stored[key] { return (object, .stored) }
      return registered[key].map { ($0, .registered) }
    }
  }

  let states = KeyStates(hearsEveryChange: true)
  private let contents = Mutex(Contents())

  // MARK: Reading

  func visibleObject(_ key: String, in _: UserDefaults, layer: inout Layer?) -> Any? {
    guard let visible = contents.withLock({ $0.visible(key) }) else { return nil }
    layer = visible.layer
    return visible.object.object
  }

  func object(_ key: String) -> Any? {
    contents.withLock { $0.visible(key)?.object.object }
  }

  func object(_ key: String, at layer: Layer, in _: UserDefaults) -> PropertyListObject? {
    contents.withLock { contents in
      switch layer {
      case .argument: contents.arguments[key]
      case .environment: nil
      case .stored: contents.stored[key]
      case .registered: contents.registered[key]
      }
    }
  }

  var storedObjects: [String: PropertyListObject] { contents.withLock { $0.stored } }

  var arguments: [String: PropertyListObject] { contents.withLock { $0.arguments } }

  /// The objects that the accessors return.
  var visibleObjects: [String: PropertyListObject] {
    contents.withLock { contents in
      contents.registered.merging(contents.stored) { $1 }.merging(contents.arguments) { $1 }
    }
  }

  // MARK: Changing

  func register(_ defaults: [String: Any], in _: UserDefaults) {
    let objects = defaults.lazy.map { ($0, PropertyListObject($1)) }
    contents.withLock { $0.registered.merge(objects) { $1 } }
    for key in defaults.keys { states[key]?.forgetDecoded() }
  }

  func setArguments(_ arguments: [String: PropertyListObject]) {
    contents.withLock { $0.arguments = arguments }
    for state in states.all { state.announceChange() }
  }

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    private let madeSaver = LazyReference<PreferencesSaver>()

    /// Nil for a store that touches no disk.
    private var saver: PreferencesSaver? { madeSaver.load() }

    /// Fills the memory from a file, and saves each later change to the file. The store and its
    /// instance are never released.
    func load(from file: PreferencesFile, for userDefaults: UserDefaults) {
      let shared = SharedUserDefaults(userDefaults)
      let memory = PreferencesSaver.Memory(
        put: put,
        contents: { self.storedObjects },
        announce: { keys in
          for key in keys { self.states[key]?.announceChange() }
          self.announceChange(of: shared.instance)
        })
      let saver = madeSaver.storeIfNil(PreferencesSaver(file, memory: memory))
      saver.load { put($0.mapValues(Optional.init)) }
    }

    var seesOverrides: Bool { saver != nil }

    func change(
      _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
      inside transaction: Transaction.ID?
    ) {
      saver?.willChange(key)
      put([key: object])
      saver?.didChange(key, to: object, heldBy: transaction)
      announceChange(of: userDefaults)
    }

    func end(_ transaction: Transaction.ID, in userDefaults: UserDefaults) {
      saver?.end(transaction)
    }

    func flush(_: UserDefaults) throws {
      try saver?.flush()
    }
  #else
    var seesOverrides: Bool { false }

    func change(
      _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults,
      inside transaction: Transaction.ID?
    ) {
      put([key: object])
      announceChange(of: userDefaults)
    }

    func flush(_: UserDefaults) throws {}
  #endif

  /// Changes the objects in one step. A read that decodes anew meanwhile waits for the lock.
  private func put(_ objects: [String: PropertyListObject?]) {
    contents.withLock { contents in
      for key in objects.keys { states[key]?.forgetDecoded() }
      for (key, object) in objects { contents.stored[key] = object }
    }
  }

  // MARK: Announcing

  /// Posts the notification, once no lock is held.
  private func announceChange(of userDefaults: UserDefaults) {
    let shared = SharedUserDefaults(userDefaults)
    DeferredCalls.perform(onceFor: self) {
      NotificationCenter.default.post(
        name: UserDefaults.didChangeNotification, object: shared.instance)
    }
  }
}
