internal import Foundation

extension Setting {
  /// Returns the stored object, if it can be decoded.
  func exported<V: UserDefaultsSerializable>(as type: V.Type) -> PropertyListObject? {
    for found in objects(at: .stored) where decode(found) as V? != nil {
      return (Self.decode(found.object) as V?) == nil ? completed(found, as: type) : found.object
    }
    return nil
  }

  /// Returns the objects that imported data has for the setting. An export of an older version has
  /// those of former keys.
  func objects(in contents: PreferencesContents) -> [Found] {
    func found(_ name: String) -> [Found] {
      contents[name].map { [Found(layer: .stored, name: name, object: $0)] } ?? []
    }
    let own = found(key)
    return own.isEmpty ? liveFormerKeys.flatMap { found($0.key) } : own
  }

  /// Returns the stored form of the first imported object that can be decoded; nil if there is no
  /// object.
  ///
  /// - Throws: A ``DefaultsIssue`` if none is a value of the type, or it cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    _ objects: [Found], as type: V.Type
  ) throws -> PropertyListObject? {
    guard let first = objects.first else { return nil }
    guard let value: V = firstValue(of: objects) else {
      throw DefaultsIssue.notImported(
        fault(in: first.object, as: type), as: type, key: key, first.name)
    }
    return try encodedForStoring(value)
  }

  /// Returns the keys of stored objects under the prefix of a group that none of its settings has.
  static func unknownKeys(of group: Any.Type, _ settings: [Setting]) -> [String] {
    let place = GroupPlace.of(group, among: settings.compactMap(\.declaration.group))
    let member = settings.first { setting in
      guard let place else { return setting.store === Store.of(.standard) }
      return setting.declaration.group?.path.contains { $0 === place } == true
    }
    guard let member else { return [] }
    // A group that was made by itself is in the standard store, and has no prefix.
    let prefix = place?.prefix ?? ""
    let members = settings.filter { $0.store === member.store }
    let known = Set(members.flatMap { [$0.key] + $0.formerKeys.map(\.key) })
    func isKnown(_ key: String) -> Bool {
      let copy = ".undecodable"
      return known.contains(key) || key.hasSuffix(copy) && isKnown(String(key.dropLast(copy.count)))
    }
    return member.store.backend.storedObjects(in: member.userDefaults).keys.filter { key in
      key.hasPrefix(prefix) && !isKnown(key)
        && !["NS", "Apple", "com.apple."].contains(where: key.hasPrefix)
    }.sorted()
  }

  /// Runs a body as a transaction of each setting's store.
  static func transaction(of settings: [Setting], _ body: () -> Void) {
    guard let first = settings.first else { return body() }
    Transaction.run(in: first.store, first.userDefaults) {
      transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }
}
