internal import Foundation
internal import Synchronization

/// A store with its own memory, which may be saved.
final class MemoryBackend: Backend {
  let layers: [Layer]
  let keys = KeyTable()

  private typealias Table = [String: PropertyListObject]

  /// The tables of each layer, in the order of `layers`. An administrator's has one for each file.
  private let contents: Mutex<[[Table]]>

  /// - Parameter layers: The layers, which include the stored and the registered objects.
  init(layers: [Layer]) {
    self.layers = layers
    contents = Mutex(layers.map { $0.fileSuffix == nil ? [[:]] : [] })
  }

  var hearsEveryChange: Bool { true }

  private func index(of layer: Layer) -> Int { layers.firstIndex(of: layer)! }

  // MARK: Reading

  func visibleObject(_ key: String, in _: UserDefaults) -> Any? { object(key) }

  func object(_ key: String) -> Any? {
    contents.withLock { contents in
      for tables in contents {
        for objects in tables { if let object = objects[key] { return object.object } }
      }
      return nil
    }
  }

  func objects(_ key: String, at layer: Layer, in _: UserDefaults) -> [PropertyListObject] {
    let index = index(of: layer)
    return contents.withLock { $0[index].compactMap { $0[key] } }
  }

  func storedObjects(in _: UserDefaults) -> [String: PropertyListObject] { objects(at: .stored) }

  func objects(at layer: Layer) -> [String: PropertyListObject] {
    let index = index(of: layer)
    return contents.withLock { Self.merged($0[index]) }
  }

  /// The objects that the accessors return.
  var visibleObjects: [String: PropertyListObject] {
    contents.withLock { Self.merged($0.flatMap(\.self)) }
  }

  private static func merged(_ tables: [Table]) -> Table {
    tables.count == 1
      ? tables[0] : tables.reversed().reduce(into: [:]) { $0.merge($1) { $1 } }
  }

  // MARK: Changing

  func register(_ defaults: [String: Any], in _: UserDefaults) {
    let objects = defaults.lazy.map { ($0, PropertyListObject($1)) }
    let index = index(of: .registered)
    contents.withLock { $0[index][0].merge(objects) { $1 } }
    for state in keys.states(of: defaults.keys) { state.forgetDecoded() }
  }

  /// Replaces all objects of a layer.
  func setObjects(_ objects: [String: PropertyListObject], at layer: Layer) {
    let index = index(of: layer)
    contents.withLock { $0[index] = [objects] }
    for state in keys.all { state.announceChange() }
  }

  /// Nil for a store that touches no disk. Set before any other thread knows the store.
  private(set) nonisolated(unsafe) var saver: (any Saver)?

  #if !TYPED_DEFAULTS_PLATFORM_SAVES
    /// Fills the memory from a file, and saves each later change to the file. The store and its
    /// instance are never released.
    ///
    /// - Parameter directories: Those in which an administrator's files are.
    func load(
      from file: PreferencesFile, directories: [String], for userDefaults: UserDefaults
    ) {
      let shared = SharedUserDefaults(userDefaults)
      let memory = PreferencesSaver.Memory(
        put: { self.put($0) },
        dropped: { [] },
        contents: { self.objects(at: .stored) },
        announce: { keys in
          for state in self.keys.states(of: keys) { state.announceChange() }
          self.post(shared)
        })
      let administrator = AdministratorFiles(
        layers.compactMap(\.fileSuffix), besides: file, directories: directories
      ) { [self] in put($0, keys: $1) }
      let saver = PreferencesSaver(file, administrator: administrator, memory: memory)
      self.saver = saver
      saver.load { put($0.mapValues(Optional.init)) }
    }

    /// Takes in an administrator's objects.
    func put(_ administrator: AdministratorFiles, keys changed: [String]) {
      contents.withLock { contents in
        for state in keys.states(of: changed) { state.forgetDecoded() }
        for (index, layer) in layers.enumerated() {
          if let suffix = layer.fileSuffix { contents[index] = administrator.objects(suffix) }
        }
      }
    }
  #endif

  func change(
    _ key: String, to object: PropertyListObject?, in userDefaults: UserDefaults
  ) -> Bool? {
    let isNews = put([key: object])
    announceChange(of: key, in: userDefaults)
    return isNews
  }

  /// Changes stored objects in one step. A read that decodes anew meanwhile waits for the lock.
  ///
  /// - Returns: Whether an object differs from the one before.
  @discardableResult
  private func put(_ objects: [String: PropertyListObject?]) -> Bool {
    let stored = index(of: .stored)
    // Released outside the lock.
    var old: [String: PropertyListObject] = [:]
    return contents.withLock { contents in
      for state in keys.states(of: objects.keys) { state.forgetDecoded() }
      var isNews = false
      for (key, object) in objects {
        old[key] = contents[stored][0][key]
        contents[stored][0][key] = object
        isNews = isNews || old[key] != object
      }
      return isNews
    }
  }

  // MARK: Announcing

  private func announceChange(of key: String, in userDefaults: UserDefaults) {
    let shared = SharedUserDefaults(userDefaults)
    #if canImport(Darwin)
      // For `@AppStorage`, which observes its key.
      DeferredCalls.perform {
        shared.instance.willChangeValue(forKey: key)
        shared.instance.didChangeValue(forKey: key)
      }
    #endif
    post(shared)
  }

  /// Posts the notification, once no lock is held.
  private func post(_ shared: SharedUserDefaults) {
    DeferredCalls.perform(onceFor: self) {
      NotificationCenter.default.post(
        name: UserDefaults.didChangeNotification, object: shared.instance)
    }
  }
}
