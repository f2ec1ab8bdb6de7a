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
    // The lengths of the keys, without what the names of copies end with: each copy of a key is longer.
    let known = Dictionary(
      members.flatMap { [$0.key] + $0.formerKeys.map(\.key) }
        .map { (original(of: $0), $0.utf8.count) }, uniquingKeysWith: min)
    func isKnown(_ key: String) -> Bool {
      known[original(of: key)].map { $0 <= key.utf8.count } ?? false
    }
    return member.store.backend.storedObjects(in: member.userDefaults).keys.filter { key in
      key.hasPrefix(prefix) && !isKnown(key)
        && !["NS", "Apple", "com.apple."].contains(where: key.hasPrefix)
    }.sorted()
  }

  /// Returns a key without what the names of copies end with.
  private static func original(of key: String) -> Substring {
    let copy = ".undecodable".utf8
    var original = key[...].utf8
    while original.suffix(copy.count).elementsEqual(copy) { original.removeLast(copy.count) }
    return Substring(original)
  }

  /// Runs a body as a transaction of each setting's store.
  static func transaction(of settings: [Setting], _ body: () -> Void) {
    guard let first = settings.first else { return body() }
    Transaction.run(in: first.store, first.userDefaults) {
      transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }
}
