public import Foundation

/// One key of one store, as one declaration or typed key sees it. Each read and write of the
/// library comes by here.
///
/// Unchecked, because `UserDefaults` is documented to be thread-safe, but not declared `Sendable`.
@usableFromInline
struct Setting: @unchecked Sendable {
  private let userDefaults: UserDefaults
  private let store: Store
  private let declaration: Declaration

  var key: String { declaration.key }
  private var origins: Origins? { declaration.origins }
  private var state: KeyState { declaration.state(in: store) }

  private init(_ declaration: Declaration, in userDefaults: UserDefaults, _ store: Store) {
    self.userDefaults = userDefaults
    self.store = store
    self.declaration = declaration
    if let origins = declaration.origins { follow(origins.formerKeys) }
  }

  @usableFromInline
  init<V: UserDefaultsSerializable>(_ key: UserDefaults.Key<V>, in userDefaults: UserDefaults) {
    let store = Store.of(userDefaults)
    let origins = key.formerly.isEmpty ? nil : Origins(key.formerly, environment: nil, in: store)
    self.init(
      Declaration(key.name, V.self, isTypedKey: true, origins: origins), in: userDefaults, store)
  }

  /// Creates the setting of a declaration with a default.
  ///
  /// - Parameter userDefaults: The store; nil for that of the group that is being made, or the
  ///   standard one.
  @usableFromInline
  init<V: UserDefaultsSerializable>(
    declaring key: UserDefaults.Key<V>, formerly: [String], environment: String?,
    in userDefaults: UserDefaults?, default defaultValue: V
  ) {
    self.init(
      V.self, key.name, formerly: key.formerly(formerly), environment, in: userDefaults,
      default: { try Self.encode(defaultValue) })
  }

  @usableFromInline
  init<V: UserDefaultsSerializable>(
    declaring key: UserDefaults.Key<V>, formerly: [String], environment: String?,
    in userDefaults: UserDefaults?
  ) {
    self.init(
      V.self, key.name, formerly: key.formerly(formerly), environment, in: userDefaults,
      default: { nil })
  }

  private init(
    _ type: any UserDefaultsSerializable.Type, _ name: String, formerly: [String],
    _ environment: String?, in userDefaults: UserDefaults?,
    default encodeDefault: () throws -> PropertyListObject?
  ) {
    let group = userDefaults == nil ? DeclaringGroup.current : nil
    let userDefaults = userDefaults ?? group?.userDefaults ?? .standard
    let store = group?.store ?? Store.of(userDefaults)
    let key = group?.key(name) ?? name
    let origins: Origins?
    if formerly.isEmpty && environment == nil {
      origins = nil  // As most settings have none.
    } else {
      let formerKeys = formerly.map { group?.key($0) ?? $0 }
      origins = Origins(formerKeys, environment: environment, in: store)
    }
    func encodedDefault() -> PropertyListObject? {
      do {
        return try encodeDefault()
      } catch {
        DefaultsIssue.unencodable(
          type, key: key, error,
          "Only this declaration returns the default. Declare one that can be stored."
        ).report()
        return nil
      }
    }
    let declaration = Declaration(key, type, default: encodedDefault(), origins: origins)
    self.init(declaration, in: userDefaults, store)
    if let group {
      group.add(declaration)
    } else {
      store.declare(CollectionOfOne(declaration), in: userDefaults)
    }
  }
}

extension Setting {
  /// The identity of a setting: equal for all declarations of one key in one store.
  struct Identity: Hashable {
    let key: String
    let store: ObjectIdentifier
  }

  var identity: Identity { Identity(key: key, store: ObjectIdentifier(store)) }
}

// MARK: - Reading

extension Setting {
  /// Returns the value; nil if there is none, or if it cannot be decoded.
  ///
  /// Inlinable, so that the compiler specializes it for a user's type: looking up generic types at
  /// run time would take a third of a read.
  @inlinable
  func read<V: UserDefaultsSerializable>() -> V? {
    let (last, version) = beginRead()
    guard let last else { return decoded(visibleObject()) }
    if let kept = last.value(ofVersion: version) {
      return unsafeDowncast(kept, to: DecodedValue<V>.self).value
    }
    let object = visibleObject()
    if let object, let kept = last.value(of: object) {
      return unsafeDowncast(kept, to: DecodedValue<V>.self).value
    }
    let value: V? = decoded(object)
    last.keep(DecodedValue(value), of: object, version: version)
    return value
  }

  @inlinable
  func decoded<V: UserDefaultsSerializable>(_ object: Any?) -> V? {
    guard let object else { return nil }
    if let storedValue = V.StoredValue(propertyListObject: object),
      let value = V(storedValue: storedValue)
    {
      return value
    }
    return fallBack(fromUndecodable: object)
  }

  @discardableResult
  private func noteAccess() -> KeyState {
    let state = state
    if !declaration.isTypedKey { listen(to: state) }
    state.listeners.noteAccess()
    return state
  }

  /// Returns the value that was decoded last, where it can be kept, and the key's version. Called
  /// before the object is read: if that changes meanwhile, the next read decodes again.
  @usableFromInline
  func beginRead() -> (last: LastDecoded?, version: Int) {
    let state = noteAccess()
    let last = declaration.last(of: state)
    return (last.criterion == nil || store.isExclusive ? nil : last, state.version)
  }

  /// Returns the object in the uppermost layer; nil if there is none. For a declaration, a
  /// registered default is none.
  @usableFromInline
  func visibleObject() -> Any? {
    if origins != nil { return found().first?.object.object }
    var layer: Layer?
    let object = store.kind.visibleObject(key, in: userDefaults, layer: &layer)
    if state.hasReports { state.forgetReports(unlessStill: object) }
    guard !declaration.isTypedKey, let object else { return object }
    return isStored(object, layer) ? object : nil
  }

  private func isStored(_ object: Any, _ layer: Layer?) -> Bool {
    if let layer { return layer != .registered }
    let object = PropertyListObject(object)
    if state.isKnownToBeStored(object) { return true }
    if object == declaration.default { return false }
    if object != store.kind.object(key, at: .registered, in: userDefaults) {
      state.noteStored(object)
      return true
    }
    return store.isStoredToo(object, key, in: userDefaults)
  }

  /// Decodes the object with the missing members of the default. If that fails, reports the object
  /// and reads the layer beneath.
  @usableFromInline
  func fallBack<V: UserDefaultsSerializable>(fromUndecodable object: Any) -> V? {
    resolve()?.value
  }

  /// An object with its layer and the name of its key.
  private struct Found {
    let layer: Layer
    let name: String
    let object: PropertyListObject
  }

  /// Returns the objects of all layers, the uppermost first.
  private func found() -> some Collection<Found> {
    Layer.allCases.prefix { declaration.isTypedKey || $0 != .registered }.lazy.compactMap(found)
  }

  private func found(at layer: Layer) -> Found? {
    func found(_ name: String) -> Found? {
      store.kind.object(name, at: layer, in: userDefaults)
        .map { Found(layer: layer, name: name, object: $0) }
    }
    if layer == .environment {
      return origins?.variable.map { Found(layer: layer, name: $0.name, object: $0.object) }
    }
    if let own = found(key) { return own }
    // Registered defaults of former names do not count.
    return layer == .registered
      ? nil : origins?.formerKeys.lazy.compactMap { found($0.key) }.first
  }

  /// Returns the value and its layer. Objects above it that cannot be decoded are reported.
  private func resolve<V: UserDefaultsSerializable>() -> (value: V, layer: Layer)? {
    for found in found() {
      if let value: V = decode(found) { return (value, found.layer) }
      report(found, as: V.self)
      // An override that cannot be decoded is ignored. A stored value ends the search.
      if found.layer == .stored { return nil }
    }
    return nil
  }

  /// Returns the source of a declaration's value.
  func source<V: UserDefaultsSerializable>(_ type: V.Type) -> SettingSource {
    noteAccess()
    let resolved: (value: V, layer: Layer)? = resolve()
    return switch resolved?.layer {
    case .argument: .launchArgument
    case .environment: .environment
    case .stored: .stored
    case .registered, nil: .defaultValue
    }
  }

  /// Whether a value is stored, even one that is overridden or cannot be decoded.
  var isStored: Bool {
    noteAccess()
    return found(at: .stored) != nil
  }

  /// Decodes the object of a layer. A stored object is given the missing members of the default.
  private func decode<V: UserDefaultsSerializable>(_ found: Found) -> V? {
    if found.layer == .environment, let text = found.object.object as? String {
      return V(text: text)
    }
    return Self.decode(found.object) ?? completed(found, as: V.self).flatMap(Self.decode)
  }

  private func completed<V: UserDefaultsSerializable>(
    _ found: Found, as: V.Type
  ) -> PropertyListObject? {
    guard found.layer == .stored, let form = V.StoredValue.self as? any JSONForm.Type,
      let declared = declaration.default
    else { return nil }
    return form.completed(found.object.object, from: declared.object).map(PropertyListObject.init)
  }

  private func report<V: UserDefaultsSerializable>(_ found: Found, as type: V.Type) {
    state.reportUndecodable(found.object) {
      .undecodable(
        // With the members of the default, so that the message names the fault that remains.
        completed(found, as: type) ?? found.object, as: type, key: found.name, at: found.layer,
        hasDefault: declaration.default != nil)
    }
  }

  static func decode<V: UserDefaultsSerializable>(_ object: PropertyListObject) -> V? {
    V.StoredValue(propertyListObject: object.object).flatMap(V.init(storedValue:))
  }
}

// MARK: - Listening

extension Setting {
  private func listen() { listen(to: state) }

  private func follow(_ formerKeys: [KeyState]) {
    for former in formerKeys {
      former.addFollower(state)
      listen(to: former)
    }
  }

  private func listen(to state: KeyState) {
    ChangeSource(key: state.key, userDefaults: userDefaults, store: store, state: state).start()
  }

  /// Returns a sequence of the value, or nil, now and after each change.
  func updates<V: UserDefaultsSerializable>() -> DefaultUpdates<V?> {
    listen()
    return DefaultUpdates(state.listeners) {
      let value: V? = read()
      return (value, (try? Self.encode(value))?.object)
    }
  }

  /// Returns a sequence of the value, or the default, now and after each change.
  func updates<V: UserDefaultsSerializable>(default defaultValue: V) -> DefaultUpdates<V> {
    listen()
    return DefaultUpdates(state.listeners) {
      let value = read() ?? defaultValue
      return (value, try? Self.encode(value) as PropertyListObject)
    }
  }
}

extension Setting {
  /// Calls a function after each change, with the old and the new value, or the default in place of
  /// nil.
  func onChange<V: UserDefaultsSerializable>(
    default defaultValue: V?, _ action: @escaping @Sendable (_ old: V?, _ new: V?) -> Void
  ) -> SettingObservation {
    listen()
    let observer = ChangeObserver(
      isHeldUp: { Transaction.current(of: store) != nil },
      look: { visibleObject().map(PropertyListObject.init) },
      value: { object in
        let value = decoded(object?.object) ?? defaultValue
        return (value, (try? Self.encode(value))?.object)
      }, call: action)
    return SettingObservation(of: state.listeners, observer)
  }
}

// MARK: - Writing

extension Setting {
  /// Stores a value; nil removes the stored value.
  func write<V: UserDefaultsSerializable>(_ value: V?) {
    if let stored = encoded(value) { put(stored) { undecodable(as: V.self) } }
  }

  /// Stores the value that a text stands for.
  func write<V: UserDefaultsSerializable>(_ type: V.Type, text: String) throws {
    guard let value = V(text: text) else {
      throw DefaultsIssue.invalid(text, as: type, key: key)
    }
    put(.object(try encodedForStoring(value))) { undecodable(as: type) }
  }

  private func encodedForStoring<V: UserDefaultsSerializable>(
    _ value: V
  ) throws -> PropertyListObject {
    do {
      return try Self.encode(value)
    } catch {
      throw DefaultsIssue.unencodable(
        V.self, key: key, error, "Nothing is changed. Choose another value.")
    }
  }

  /// Reads the value, lets the body change it, and writes a changed value, all in one step.
  func withLock<V: UserDefaultsSerializable, R>(
    default defaultValue: V? = nil, _ body: (inout V?) throws -> R
  ) rethrows -> R {
    try state.exclusively {
      while true {
        let revision = Result { try store.revision(state) }
        var value = storedValue() ?? defaultValue
        let old = try? Self.encode(value)
        let result = try body(&value)
        guard let new = encoded(value), new != old else { return result }
        do {
          // Otherwise another machine has changed the key meanwhile.
          if try put(new, ifStillAt: revision.get(), keeping: { undecodable(as: V.self) }) {
            return result
          }
        } catch {
          (error as? DefaultsIssue ?? .notStored(key: key, error)).report()
          return result
        }
      }
    }
  }

  /// Returns the value beneath an override, because the override itself must not be stored.
  private func storedValue<V: UserDefaultsSerializable>() -> V? {
    let isOverridden = found(at: .argument) != nil || origins?.variable != nil
    return isOverridden ? found(at: .stored).flatMap(decode) : read()
  }

  /// Removes the stored value.
  func reset() {
    put(.nothing)
  }

  /// Returns the stored form of a value; nil, and reported, if it has none.
  private func encoded<V: UserDefaultsSerializable>(_ value: V?) -> Stored? {
    do {
      return try Self.encode(value)
    } catch {
      DefaultsIssue.unencodable(V.self, key: key, error).report()
      return nil
    }
  }

  /// Returns the stored object if it is no value of the type, and can be stored again.
  ///
  /// To save time, it looks only after a read has reported such an object, and after another
  /// process has changed the key. It also looks before the first assignment, which may come before
  /// any read.
  private func undecodable<V: UserDefaultsSerializable>(as type: V.Type) -> Found? {
    guard let stored = state.hasReports || state.isChanged ? found(at: .stored) : firstStored(),
      decode(stored) as V? == nil, !isOfAnotherLayer(stored)
    else { return nil }
    report(stored, as: type)
    return (try? PropertyListObject(validating: stored.object.object)).map {
      Found(layer: .stored, name: stored.name, object: $0)
    }
  }

  /// Returns whether an object equals an argument or a registered default, which some stores cannot
  /// tell from a stored one.
  private func isOfAnotherLayer(_ stored: Found) -> Bool {
    [.argument, .registered].contains {
      stored.object == store.kind.object(stored.name, at: $0, in: userDefaults)
    }
  }

  /// Returns the object stored before the program's first assignment; nil once the key has been
  /// assigned.
  private func firstStored() -> Found? {
    guard !state.isAssigned else { return nil }
    let keys = [key] + (origins?.formerKeys.map(\.key) ?? [])
    return keys.lazy.compactMap { key in
      store.kind.firstStoredObject(key, in: userDefaults)
        .map { Found(layer: .stored, name: key, object: $0) }
    }.first
  }

  /// Stores an object, or removes it, and removes the objects of former keys. An undecodable object
  /// is kept under its own key.
  ///
  /// - Parameter assign: Makes the change if no other key changes with it, and returns whether it has.
  /// - Returns: Whether the change is made.
  @discardableResult
  private func put(
    _ new: Stored, keeping findUndecodable: () -> Found?, assign: () throws -> Bool
  ) rethrows -> Bool {
    try state.exclusively {
      let undecodable = new == .nothing ? nil : findUndecodable()
      let formerKeys = (origins?.formerKeys ?? []).filter {
        store.kind.object($0.key, at: .stored, in: userDefaults) != nil
      }
      if undecodable == nil && formerKeys.isEmpty {
        guard try assign() else { return false }
      } else {
        Transaction.run(in: store, userDefaults) {
          if let undecodable {
            store.change(
              store.state(of: "\(undecodable.name).undecodable"), to: undecodable.object,
              in: userDefaults)
          }
          store.change(state, to: new.object, in: userDefaults)
          for former in formerKeys { store.change(former, to: nil, in: userDefaults) }
        }
      }
      state.noteAssigned()
      return true
    }
  }

  private func put(_ new: Stored, keeping findUndecodable: () -> Found? = { nil }) {
    put(new, keeping: findUndecodable) {
      store.change(state, to: new.object, in: userDefaults)
      return true
    }
  }

  /// Stores an object if the key is still at a revision, where there is one.
  private func put(
    _ new: Stored, ifStillAt revision: Int64?, keeping findUndecodable: () -> Found?
  ) throws -> Bool {
    guard let revision else {
      put(new, keeping: findUndecodable)
      return true
    }
    return try put(new, keeping: findUndecodable) {
      try store.change(state, to: new.object, ifStillAt: revision)
    }
  }

  private static func encode<V: UserDefaultsSerializable>(_ value: V?) throws -> Stored {
    try value.map { .object(try encode($0)) } ?? .nothing
  }

  static func encode<V: UserDefaultsSerializable>(_ value: V) throws -> PropertyListObject {
    PropertyListObject(try value.storedValue.propertyListObject())
  }
}

// MARK: - As a member of a group

extension Setting {
  /// Returns the stored object, if it can be decoded.
  func storedObject<V: UserDefaultsSerializable>(as type: V.Type) -> PropertyListObject? {
    guard let stored = found(at: .stored), decode(stored) as V? != nil else { return nil }
    return (Self.decode(stored.object) as V?) == nil ? completed(stored, as: type) : stored.object
  }

  /// Returns the stored form of an imported object.
  ///
  /// - Throws: A ``DefaultsIssue`` if the object is no value of the type, or cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    _ object: PropertyListObject, as type: V.Type
  ) throws -> PropertyListObject {
    guard let value: V = decode(Found(layer: .stored, name: key, object: object)) else {
      throw DefaultsIssue.notImported(object, as: type, key: key)
    }
    return try encodedForStoring(value)
  }

  /// Stores an object; nil removes the stored one.
  func store(_ object: PropertyListObject?) {
    if let object {
      put(.object(object))
    } else if found(at: .stored) != nil {
      put(.nothing)
    }
  }

  /// Runs a body as a transaction of each setting's store.
  static func transaction(of settings: [Setting], _ body: () -> Void) {
    guard let first = settings.first else { return body() }
    Transaction.run(in: first.store, first.userDefaults) {
      transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }
}
