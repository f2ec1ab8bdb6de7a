internal import Foundation

extension Setting {
  /// Returns the stored object, if it can be decoded.
  func exported<V: UserDefaultsSerializable>(as type: V.Type) -> PropertyListObject? {
    for found in objects(at: .stored) where decode(found) as V? != nil {
      return (Self.decode(found.object) as V?) == nil ? completed(found, as: type) : found.object
    }
    return nil
  }

  /// Returns the stored form of an imported object.
  ///
  /// - Throws: A ``DefaultsIssue`` if the object is no value of the type, or cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    _ found: Found, as type: V.Type
  ) throws -> PropertyListObject {
    guard let value: V = decode(found) else {
      throw DefaultsIssue.notImported(
        fault(in: found.object, as: type), as: type, key: key, found.name)
    }
    return try encodedForStoring(value)
  }

  /// Stores an imported object; nil removes the stored one.
  func store<V: UserDefaultsSerializable>(_ object: PropertyListObject?, as type: V.Type) {
    if object != nil || !objects(at: .stored).isEmpty { put(Stored(object: object), as: type) }
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
