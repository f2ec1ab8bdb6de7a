internal import Foundation

extension Setting {
  /// The key of exported data that says whose it is. No setting has it.
  static let reservedKey = "TypedDefaults"

  /// Returns the stored object as an export holds it: the first that can be decoded, else the first.
  ///
  /// - Throws: A `Fault` if a property list cannot hold it.
  func exported<V: UserDefaultsSerializable>(as type: V.Type) throws -> PropertyListObject? {
    let stored = candidates(at: .stored)
    let found = stored.first { decode($0) as V? != nil } ?? stored.first
    return try found?.object.withFractionsAsText
  }

  /// Returns the objects that imported data has for the setting. An export of an older version has
  /// those of former keys.
  private func objects(in contents: PreferencesContents) -> [Found] {
    func found(_ name: String) -> [Found] {
      contents[name].map { [Found(layer: .stored, name: name, object: $0)] } ?? []
    }
    let own = found(key)
    return own.isEmpty ? liveFormerKeys.flatMap { found($0.key) } : own
  }

  /// Returns the name under which imported data has an object for the setting, if it has one, and
  /// what to store; nil where that is stored already, even if it cannot be decoded.
  ///
  /// - Throws: A ``DefaultsIssue`` if no object is a value of the type, or it cannot be stored.
  func imported<V: UserDefaultsSerializable>(
    from contents: PreferencesContents, as type: V.Type
  ) throws -> (name: String?, new: Stored?) {
    let objects = objects(in: contents)
    guard let first = objects.first else { return (nil, Stored(object: nil)) }
    if contents.holds(try? exported(as: type), for: first.name) { return (first.name, nil) }
    for found in objects {
      guard let value: V = decode(found) else { continue }
      return (found.name, Stored(object: try encodedForStoring(value)))
    }
    throw DefaultsIssue.notImported(
      fault(in: first.object, as: type), as: type, key: key, first.name)
  }

  /// Returns the keys of stored objects under the prefix of a group that none of its settings has.
  static func unknownKeys(of group: Any.Type, _ settings: [Setting]) -> [String] {
    let place = GroupPlace.of(group, settings)
    let store = Store.of(place.userDefaults)
    let members = settings.filter { $0.store === store }
    if members.isEmpty { return [] }
    // The lengths of the keys, without what the names of copies end with: each copy of a key is longer.
    let known = Dictionary(
      members.flatMap { [$0.key] + $0.formerKeys.map(\.key) }
        .map { (original(of: $0), $0.utf8.count) }, uniquingKeysWith: min)
    func isKnown(_ key: String) -> Bool {
      known[original(of: key)].map { $0 <= key.utf8.count } ?? false
    }
    return store.backend.storedObjects(in: place.userDefaults).keys.filter { key in
      key.utf8.starts(with: place.prefix.utf8) && !isKnown(key)
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
  static func transaction<R>(of settings: [Setting], _ body: () throws -> R) rethrows -> R {
    guard let first = settings.first else { return try body() }
    return try Transaction.run(in: first.store, first.userDefaults) {
      try transaction(of: settings.filter { $0.store !== first.store }, body)
    }
  }

  /// Runs a body as a transaction of each setting's store, while nobody else comes between.
  static func exclusively<R>(of settings: [Setting], _ body: () throws -> R) throws -> R {
    guard let first = settings.first else { return try body() }
    return try first.store.exclusively(in: first.userDefaults) {
      try exclusively(of: settings.filter { $0.store !== first.store }, body)
    }
  }

  /// Saves each setting's store, the others too if one cannot be saved.
  static func flush(_ settings: [Setting]) throws {
    guard let first = settings.first else { return }
    let result = Result { try first.store.flush(in: first.userDefaults) }
    let others = Result { try flush(settings.filter { $0.store !== first.store }) }
    try result.get()
    try others.get()
  }
}

extension PropertyListObject {
  /// The object as an export holds it: a date with a fraction of the second, for which the XML
  /// format has no place, is text that is read as the same date.
  ///
  /// - Throws: A `Fault` if a property list cannot hold it.
  var withFractionsAsText: Self {
    get throws {
      try Self(validating: object) { date in
        date == date.inWholeSeconds ? date : date.text ?? date as Any
      }
    }
  }
}
