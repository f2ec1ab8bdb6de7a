internal import Foundation

extension Setting {
  /// Returns the value; nil if there is none, or if it cannot be decoded.
  ///
  /// Inlinable, so that the compiler specializes it for a user's type: looking up generic types at
  /// run time would take a third of a read.
  @inlinable
  func read<V: UserDefaultsSerializable>() -> V? {
    let (last, version, comparesObjects) = beginRead()
    guard comparesObjects else {
      if let kept = last.value(ofVersion: version) {
        return unsafeDowncast(kept, to: DecodedValue<V>.self).value
      }
      return readAnew(version)
    }
    let visible = visibleObject()
    if let kept = last.value(ofVersion: version, visible: visible) {
      return unsafeDowncast(kept, to: DecodedValue<V>.self).value
    }
    return readAnew(version, visible: visible)
  }

  /// Returns the value that was decoded last, the key's version, and whether the visible object must
  /// be compared, too. Called before the object is read: if that changes meanwhile, the next read
  /// decodes again.
  @usableFromInline
  func beginRead() -> (last: LastDecoded, version: Int, comparesObjects: Bool) {
    let last = last
    noteAccess(last)
    // No value is kept for a negative version.
    return (
      last, store.notesReads ? LastDecoded.noVersion : last.state.version, !store.hearsEveryChange
    )
  }

  func noteAccess(_ last: LastDecoded) {
    if !declaration.isTypedKey { store.listen(to: last.state, in: userDefaults) }
    last.noteAccess()
  }

  /// Returns the object that raw accessors return.
  @usableFromInline
  func visibleObject() -> Any? { store.backend.visibleObject(key, in: userDefaults) }

  /// Reads all layers.
  @usableFromInline
  func readAnew<V: UserDefaultsSerializable>(_ version: Int) -> V? {
    let value: V? = resolve(found, atVersion: version)?.value
    last.keep(DecodedValue(value), ofVersion: version)
    return value
  }

  /// Reads all layers, unless it is plain that the visible object is the uppermost one.
  @usableFromInline
  func readAnew<V: UserDefaultsSerializable>(_ version: Int, visible object: Any?) -> V? {
    // What is stored may have changed without a sign, too, even beneath what is visible.
    last.noteReadable(atVersion: LastDecoded.noVersion)
    let visible = object.map(PropertyListObject.init)
    let isDefault = visible == declaration.default
    if store.backend.isPlain(visible, key, isDefault: isDefault, in: userDefaults),
      declaration.origins == nil, !hasAdministrator, !state.hasReports, state.version == version
    {
      // It may be an argument.
      let found = visible.map { Found(layer: .argument, name: key, object: $0) }
      let value: V? = isDefault ? nil : found.flatMap(decode)
      if isDefault || visible == nil || value != nil {
        last.keep(DecodedValue(value), ofVersion: version, visible: visible)
        return value
      }
    }
    let resolved: (value: V, found: Found)? = resolve(found, atVersion: version)
    if isDetermined(resolved?.found, by: visible) {
      last.keep(DecodedValue(resolved?.value), ofVersion: version, visible: visible)
    }
    return resolved?.value
  }

  /// Whether a value can only change with the visible object.
  ///
  /// - Parameter found: What the value was decoded from; nil if there is none.
  private func isDetermined(_ found: Found?, by visible: PropertyListObject?) -> Bool {
    // Otherwise an object beneath the visible one may change without a sign.
    let isVisible =
      found.map { $0.name == key && $0.object == visible }
      ?? (visible == nil && candidates().isEmpty)
    guard isVisible else { return false }
    // What equals the registered default may be removed without a sign. Then a former key would count,
    // or an administrator's default.
    if formerKeys.isEmpty, !hasAdministrator { return true }
    return visible != nil && visible != candidates(named: key, at: .registered).first?.object
  }

  /// Whether an administrator's file has an object of the setting.
  private var hasAdministrator: Bool {
    store.backend.layers.contains { $0.fileSuffix != nil && !candidates(at: $0).isEmpty }
  }

  static func decode<V: UserDefaultsSerializable>(_ object: PropertyListObject) -> V? {
    if object.isDeeper() { return nil }
    return V.StoredValue(propertyListObject: object.object).flatMap(V.init(storedValue:))
  }
}

// MARK: - Layers

extension Setting {
  /// The layers of the store, the uppermost first. A declaration returns its own default.
  var layers: some Sequence<Layer> {
    store.backend.layers.lazy.filter { declaration.isTypedKey || $0 != .registered }
  }

  /// The objects of all layers, the uppermost first, each looked for when it is asked for.
  private var found: some Sequence<Found> { layers.lazy.flatMap(candidates(at:)) }

  /// Returns the objects of all layers, the uppermost first.
  func candidates() -> [Found] { Array(found) }

  /// Returns the objects of a layer. The first that can be decoded counts.
  func candidates(at layer: Layer) -> [Found] {
    // What is stored hides the registered default even if it cannot be decoded.
    if layer == .registered, !candidates(at: .stored).isEmpty { return [] }
    if layer == .environment { return (declaration.origins?.text).map { [$0] } ?? [] }
    while true {
      let version = state.version
      let own = candidates(named: key, at: layer)
      // Registered defaults of former names do not count.
      guard own.isEmpty, layer != .registered, !formerKeys.isEmpty else { return own }
      var objects = liveFormerKeys.flatMap { candidates(named: $0.key, at: layer) }
      // The own key again: a move sets it before it removes the former ones.
      if objects.isEmpty { objects = self.candidates(named: key, at: layer) }
      // Otherwise the value may have moved between two looks.
      if state.version == version { return objects }
    }
  }

  /// The former keys that no other declaration has for its own.
  var liveFormerKeys: [KeyState] { formerKeys.filter { !store.keys.isDeclared($0.key) } }

  func candidates(named name: String, at layer: Layer) -> [Found] {
    store.backend.objects(name, at: layer, in: userDefaults)
      .map { Found(layer: layer, name: name, object: $0) }
  }

  /// Returns the first value, and where it was found. Objects before it that cannot be decoded are
  /// reported.
  func resolve<V: UserDefaultsSerializable>(
    _ objects: some Sequence<Found>, atVersion version: Int? = nil
  ) -> (value: V, found: Found)? {
    // Reported objects that are not there any more are news when they are back.
    defer {
      if state.hasReports { state.forgetReports(except: candidates()) }
    }
    var isReadable = true
    for found in objects {
      if let value: V = decode(found) {
        if isReadable, found.layer == .stored, let version { last.noteReadable(atVersion: version) }
        return (value, found)
      }
      report(found, as: V.self)
      // Of former keys, a later one may be readable. An assignment keeps the first one.
      if found.layer == .stored { isReadable = false }
    }
    return nil
  }

  /// Returns the value of one layer. Objects that cannot be decoded are reported.
  func value<V: UserDefaultsSerializable>(at layer: Layer) -> V? {
    noteAccess(last)
    return resolve(candidates(at: layer))?.value
  }

  /// Returns the value of the first object that can be decoded.
  func firstValue<V: UserDefaultsSerializable>(of objects: [Found]) -> V? {
    objects.lazy.compactMap { decode($0) as V? }.first
  }

  /// Returns the source of a declaration's value.
  func source<V: UserDefaultsSerializable>(_ type: V.Type) -> SettingSource {
    noteAccess(last)
    let resolved: (value: V, found: Found)? = resolve(found)
    return resolved?.found.layer.source ?? .defaultValue
  }

  /// Whether a value is stored, even one that is overridden or cannot be decoded.
  var isStored: Bool {
    noteAccess(last)
    return !candidates(at: .stored).isEmpty
  }

  /// How an object under a former key is converted; nil if it has the setting's type.
  func conversion(of found: Found) -> Conversion? {
    found.layer == .environment ? nil : declaration.origins?.conversions[found.name]
  }

  /// Decodes the object of a layer. A stored object is given the missing members of the default.
  func decode<V: UserDefaultsSerializable>(_ found: Found) -> V? {
    let value: V? =
      if let conversion = conversion(of: found) {
        conversion.value(of: found) as? V
      } else if found.layer == .environment, let text = found.object.object as? String {
        V(text: text)
      } else if found.isTyped, V.mayNotBeTyped(found.object.object) {
        nil
      } else {
        Self.decode(found.object) ?? completed(found, as: V.self).flatMap(Self.decode)
      }
    return value.flatMap { accepts($0) ? $0 : nil }
  }

  func completed<V: UserDefaultsSerializable>(_ found: Found, as: V.Type) -> PropertyListObject? {
    guard found.layer == .stored, let form = V.StoredValue.self as? any JSONForm.Type,
      let declared = declaration.default
    else { return nil }
    return form.completed(found.object.object, from: declared.object).map(PropertyListObject.init)
  }

  func report<V: UserDefaultsSerializable>(_ found: Found, as type: V.Type) {
    if store.keys.noteReport(found, of: state) { issue(of: found, as: type).report() }
  }

  /// Returns what is wrong with the uppermost object; nil if it can be read.
  func presentIssue<V: UserDefaultsSerializable>(as type: V.Type) -> DefaultsIssue? {
    noteAccess(last)
    guard let found = candidates().first, (decode(found) as V?) == nil else { return nil }
    return issue(of: found, as: type)
  }

  private func issue<V: UserDefaultsSerializable>(of found: Found, as type: V.Type) -> DefaultsIssue
  {
    .undecodable(
      fault(of: found, as: type), as: conversion(of: found)?.old ?? type, key: key, found,
      in: store.backend.path(of: found.object, found.name, at: found.layer),
      replacement: replacement(for: found, as: type),
      copy: keepsCopy && !found.object.isDeeper() ? copyName : nil)
  }

  /// Returns what is wrong with an object that cannot be read.
  func fault<V: UserDefaultsSerializable>(of found: Found, as type: V.Type) -> Fault {
    func fault<Old: UserDefaultsSerializable>(as old: Old.Type) -> Fault {
      self.fault(
        in: found.object, as: old,
        expecting: "\(Expectation.words(for: old)) that becomes \(expectation(of: type))")
    }
    if let conversion = conversion(of: found) { return fault(as: conversion.old) }
    // With the members of the default, so that the message names the fault that remains.
    return self.fault(in: completed(found, as: type) ?? found.object, as: type)
  }

  /// Returns in words what the setting returns in place of an object that cannot be decoded.
  private func replacement<V: UserDefaultsSerializable>(for found: Found, as: V.Type) -> String {
    let next = candidates().drop { $0 != found }.dropFirst().first { decode($0) as V? != nil }
    let isHidden = isSecret || V.StoredValue.self is any JSONForm.Type
    if let next {
      return
        "\(isHidden || conversion(of: next) != nil ? "a \(V.self)" : "\(next.object)") (\(next.layer.source))"
    }
    guard let value = declaration.default else { return "nil" }
    return isHidden ? "its default" : "its default, \(value)"
  }
}
