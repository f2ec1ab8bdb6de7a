internal import Foundation
internal import Synchronization

/// A store whose stored values are in the library's own memory, and may be saved in a file.
class MemoryBackend: Backend, @unchecked Sendable {  // As its superclass is.
  final let keys = KeyTable()

  typealias Table = [String: PropertyListObject]

  /// The tables of each layer but the stored one. An administrator's has one for each file. Protected by
  /// the lock of the values.
  private var tables: [SettingSource: [Table]] = [:]

  /// - Parameters:
  ///   - layers: The layers, which include the stored and the registered objects.
  ///   - values: What is stored.
  ///   - tables: Returns the tables of a layer that is not the stored one.
  init(
    layers: [Layer], _ values: StoredValues = StoredValues(),
    tables: (Layer) -> [Table] = { $0.fileSuffix == nil ? [[:]] : [] }
  ) {
    super.init(layers: layers)
    for layer in layers where layer != .stored { self.tables[layer.source] = tables(layer) }
    memory.values.withLock {
      $0 = values
      $0.settle()
    }
  }

  override func copy(of keys: Set<String>, with tokens: [Token], in userDefaults: UserDefaults)
    -> MemoryBackend
  {
    memory.values.withLock { copy(of: $0.committed(with: tokens)) }
  }

  /// Called under the lock of the values.
  ///
  /// - Parameter arguments: The launch arguments, if they are not among the tables.
  final func copy(of values: StoredValues, arguments: Table? = nil) -> MemoryBackend {
    MemoryBackend(layers: layers, values) { layer in
      if layer == .argument, let arguments { return [arguments] }
      return tables[layer.source] ?? []
    }
  }

  override var hearsEveryChange: Bool { true }

  // MARK: Reading

  override func visibleObject(_ key: String, in _: UserDefaults) -> Any? { object(key) }

  final func object(_ key: String) -> Any? {
    memory.values.withLock { values in
      for layer in layers {
        if layer == .stored, let object = values[key] { return object.object }
        for objects in tables[layer.source] ?? [] {
          if let object = objects[key] { return object.object }
        }
      }
      return nil
    }
  }

  override func objects(_ key: String, at layer: Layer, in _: UserDefaults) -> [PropertyListObject]
  {
    memory.values.withLock { values in
      if layer == .stored { return values[key].map { [$0] } ?? [] }
      return (tables[layer.source] ?? []).compactMap { $0[key] }
    }
  }

  override func storedObjects(in _: UserDefaults) -> [String: PropertyListObject] {
    objects(at: .stored)
  }

  final func objects(at layer: Layer) -> [String: PropertyListObject] {
    memory.values.withLock { objects(at: layer, $0) }
  }

  private func objects(at layer: Layer, _ values: StoredValues) -> [String: PropertyListObject] {
    if layer == .stored { return values.objects }
    return (tables[layer.source] ?? []).reduce(into: [:]) { $0.merge($1) { upper, _ in upper } }
  }

  /// The objects that the accessors return.
  final var visibleObjects: [String: PropertyListObject] {
    memory.values.withLock { values in
      layers.reduce(into: [:]) { objects, layer in
        objects.merge(self.objects(at: layer, values)) { upper, _ in upper }
      }
    }
  }

  // MARK: Other layers

  override func register(_ defaults: [String: Any], in _: UserDefaults) {
    let objects = defaults.lazy.map { ($0, PropertyListObject($1)) }
    memory.values.withLock { _ in
      tables[Layer.registered.source]?[0].merge(objects) { $1 }
    }
    forgetDecoded(defaults.keys)
  }

  /// Replaces all objects of a layer that is not the stored one.
  final func setObjects(_ objects: [String: PropertyListObject], at layer: Layer) {
    memory.values.withLock { _ in tables[layer.source] = [objects] }
    for state in keys.all { state.announceChange() }
  }

  final func forgetDecoded(_ changed: some Sequence<String>) {
    for state in keys.states(of: changed) { state.forgetDecoded() }
  }

  // MARK: Changing

  // A read that decodes anew meanwhile waits for the lock. So of several keys that change in one step
  // it sees all as they were, or all as they are.

  override func change(
    _ state: KeyState, to object: PropertyListObject?, heldBy token: Token?,
    in userDefaults: UserDefaults
  ) -> Bool {
    let isDifferent = memory.values.withLock { values in
      state.forgetDecoded()
      return values.set(state.key, to: object, heldBy: token)
    }
    if token == nil { save() }
    announceChange(of: state.key, in: userDefaults)
    return isDifferent
  }

  override func end(_ token: Token, into outer: Token?) {
    memory.values.withLock { $0.end(token, into: outer) }
    if outer == nil { save() }
  }

  override func drop(_ token: Token, of _: KeyTable, in userDefaults: UserDefaults) -> [String] {
    let shown = memory.values.withLock { values in
      let shown = values.drop(token)
      forgetDecoded(shown)
      return shown
    }
    if !shown.isEmpty { post(SendableDefaults(userDefaults)) }
    return shown
  }

  // MARK: Announcing

  private func announceChange(of key: String, in userDefaults: UserDefaults) {
    let shared = SendableDefaults(userDefaults)
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
  private func post(_ shared: SendableDefaults) {
    DeferredCalls.perform(onceFor: self) {
      NotificationCenter.default.post(
        name: UserDefaults.didChangeNotification, object: shared.instance)
    }
  }

  // MARK: Saving

  #if TYPED_DEFAULTS_PLATFORM_SAVES
    private func save() { memory.values.withLock { $0.settle() } }
  #else
    /// Nil for a store that touches no disk.
    final fileprivate(set) var saver: PreferencesSaver?

    private func save() {
      if let saver { saver.schedule() } else { memory.values.withLock { $0.settle() } }
    }

    /// Fills the memory from a file, and saves each later change to the file. The store and its
    /// instance are never released.
    ///
    /// - Parameter directories: Those in which an administrator's files are.
    final func load(
      from file: PreferencesFile, directories: [String], for userDefaults: UserDefaults
    ) {
      let shared = SendableDefaults(userDefaults)
      makeSaver(file, directories: directories, announce: { self.post(shared) })
      saver?.load {}
    }

    /// - Parameter announce: Called after another process has changed something, when no lock is held.
    final func makeSaver(
      _ file: PreferencesFile, directories: [String] = AdministratorFiles.directories,
      announce: @escaping @Sendable () -> Void = {}
    ) {
      let administrator = AdministratorFiles(
        layers.compactMap(\.fileSuffix), besides: file, directories: directories
      ) { [self] in put($0, keys: $1) }
      saver = PreferencesSaver(
        file, administrator: administrator,
        memory: .init(
          store: memory,
          staleKeys: { [self] in staleKeys(of: $0, isWrittenInPlace: $1, &$2) },
          show: { [self] in showFile($0, &$1) },
          announce: { [keys] changed in
            for state in keys.states(of: changed) { state.announceChange() }
            if !changed.isEmpty { announce() }
          }))
    }

    // Called under the lock of the values, as a saver's memory says.

    func staleKeys(
      of file: PreferencesContents, isWrittenInPlace: Bool, _ values: inout StoredValues
    ) -> [String] { [] }

    func showFile(_ keys: [String]?, _ values: inout StoredValues) { forgetDecoded(keys ?? []) }

    /// Takes in an administrator's objects.
    final func put(_ administrator: AdministratorFiles, keys changed: [String]) {
      memory.values.withLock { _ in
        forgetDecoded(changed)
        for layer in layers {
          if let suffix = layer.fileSuffix { tables[layer.source] = administrator.objects(suffix) }
        }
      }
    }

    // What the saver does.

    override func flush(in _: UserDefaults) throws { try saver?.flush() }

    override func exclusively(_ body: (_ commit: Transaction.Commit) throws -> Void) throws {
      guard let saver else { return try memory.exclusively { try body { end($0, into: nil) } } }
      try saver.exclusively(body)
    }

    override var path: String? { saver.flatMap { $0.file.canExist ? $0.file.path : nil } }

    override func fileIssue() -> DefaultsIssue? { saver?.fileIssue() }

    override func path(of object: PropertyListObject, _ key: String, at layer: Layer) -> String? {
      if let suffix = layer.fileSuffix {
        return saver?.administrator.path(of: object, key, suffix)
      }
      // What raw calls have put into Foundation's memory is in no file.
      return layer == .stored && memory.values.withLock { $0.isOfFile(object, key) } ? path : nil
    }
  #endif
}
